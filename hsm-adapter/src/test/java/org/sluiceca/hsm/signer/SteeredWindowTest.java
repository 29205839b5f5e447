package org.sluiceca.hsm.signer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.hsm.EngineGroup;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.PinFile;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.SignSchedule;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.Window;
import org.sluiceca.hsm.limit.Grant;
import org.sluiceca.hsm.limit.NodeReport;
import org.sluiceca.hsm.settings.HsmSettings;
import org.sluiceca.hsm.testkit.Await;
import org.sluiceca.hsm.testkit.FakeCryptoki;

/** A signer whose window is steered and leased. */
class SteeredWindowTest {

  private static final SignatureClass P256 = new SignatureClass(Mechanism.ECDSA_SHA256, 256);
  private static final EngineGroup ONE_ENGINE = new EngineGroup(1, Map.of(P256, 0.001));

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void lease_widerThanWhatItFound_letsThatManyIn() throws IOException {
    FakeCryptoki token = new FakeCryptoki("steered");
    CountDownLatch hang = new CountDownLatch(1);
    token.hang = hang;
    Path pin = Files.writeString(folder.resolve("pin"), FakeCryptoki.PIN + "\n");
    HsmSettings settings =
        HsmSettings.of(Path.of("fake.so"), "steered", new PinFile(pin))
            .withSessions(4)
            .withCallTimeout(Duration.ofMinutes(2))
            .withWindow(new Window.Steered(ONE_ENGINE, 64, 2));

    try (HsmSigner signer = HsmSigner.open(settings, HsmObserver.NONE, token);
        ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 6; i++) {
        requests.execute(() -> assertThat(signer.sign(request(token))).isNotEmpty());
      }
      Await.until("one is in the token", () -> signer.stats().inflight() == 1);
      Await.until("the others wait", () -> signer.stats().queueDepth() == 5);
      NodeReport alone = lane(signer).report("node");
      assertThat(alone.demand()).isEqualTo(4);
      assertThat(alone.width()).isEqualTo(1);

      lane(signer)
          .lease(new Grant("node", 1, 3), System.nanoTime() + Duration.ofMinutes(2).toNanos());

      Await.until("three are in the token", () -> signer.stats().inflight() == 3);
      assertThat(signer.stats().inflightLimit()).isEqualTo(3);
      assertThat(lane(signer).report("node").grantSeen()).isEqualTo(1);
      hang.countDown();
    }
    assertThat(token.signatures).hasValue(6);
  }

  @Test
  void bounds_nonsense_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new EngineGroup(0, Map.of(P256, 0.1)));
    assertThatIllegalArgumentException().isThrownBy(() -> new EngineGroup(4097, Map.of(P256, 0.1)));
    assertThatIllegalArgumentException().isThrownBy(() -> new EngineGroup(1, Map.of()));
    assertThatIllegalArgumentException().isThrownBy(() -> new EngineGroup(1, Map.of(P256, 0.0)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new EngineGroup(1, Map.of(P256, Double.NaN)));
    assertThatIllegalArgumentException().isThrownBy(() -> new EngineGroup(1, Map.of(P256, 60.1)));
    assertThatIllegalArgumentException().isThrownBy(() -> new Window.Steered(ONE_ENGINE, 4097, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Window.Steered(ONE_ENGINE, -1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Window.Steered(ONE_ENGINE, 1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new Window.Steered(ONE_ENGINE, 1, 65));
  }

  private static EngineLane lane(HsmSigner signer) {
    return signer.engines().getFirst();
  }

  private static SignRequest request(FakeCryptoki token) {
    return new SignRequest(
        token.keyRef(),
        Mechanism.ECDSA_SHA256,
        new byte[] {1},
        SignSchedule.by(System.nanoTime() + Duration.ofMinutes(2).toNanos()));
  }
}
