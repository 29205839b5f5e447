package org.sluiceca.hsm.signer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.HsmState;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.PinFile;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.SignSchedule;
import org.sluiceca.hsm.pkcs11.ModuleUsers;
import org.sluiceca.hsm.settings.HsmSettings;
import org.sluiceca.hsm.testkit.Await;
import org.sluiceca.hsm.testkit.FakeCryptoki;

/** Two tokens of one module in one process: C_Finalize for one would end the other's sessions. */
class SharedModuleTest {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void tokenLost_anotherOfTheModuleWorks_theModuleIsNotInitialisedAgain() throws IOException {
    FakeCryptoki token = new FakeCryptoki("shared");
    PinFile pin = new PinFile(Files.writeString(folder.resolve("pin"), FakeCryptoki.PIN + "\n"));
    HsmSettings settings = HsmSettings.of(Path.of("fake.so"), "shared", pin).withSessions(1);
    Object other = new Object();
    try (HsmSigner signer = HsmSigner.open(settings, HsmObserver.NONE, token)) {
      token.users().join(other, new ModuleUsers.Use("another", () -> true, () -> 0));
      token.present = false;
      Await.until(
          "the loss is known",
          () -> {
            try {
              byte[] _ = signer.sign(request(token));
            } catch (HsmException e) {
              // Expected while it is gone.
            }
            return signer.stats().state() == HsmState.TOKEN_LOST;
          });
      int finds = token.finds.get();
      Await.until("it is looked for again", () -> token.finds.get() >= finds + 2);
      assertThat(token.reinitialisations).hasValue(0);

      token.users().leave(other);
      Await.until("then it is", () -> token.reinitialisations.get() > 0);
    }
  }

  private static SignRequest request(FakeCryptoki token) {
    return new SignRequest(
        token.keyRef(),
        Mechanism.ECDSA_SHA256,
        new byte[] {1},
        SignSchedule.by(System.nanoTime() + Duration.ofSeconds(5).toNanos()));
  }
}
