package org.sluiceca.hsm.signer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.hsm.Calibration;
import org.sluiceca.hsm.EngineGroup;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.HsmState;
import org.sluiceca.hsm.HsmStats;
import org.sluiceca.hsm.Lane;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.PinFile;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.SignSchedule;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.Window;
import org.sluiceca.hsm.limit.Grant;
import org.sluiceca.hsm.settings.HsmSettings;
import org.sluiceca.hsm.testkit.Await;
import org.sluiceca.hsm.testkit.FakeCryptoki;
import org.sluiceca.hsm.testkit.RecordingObserver;

/** A token whose engines for one class of signatures are apart from those for another. */
class EnginesApartTest {

  private static final SignatureClass QUICK = new SignatureClass(Mechanism.ECDSA_SHA256, 256);
  private static final SignatureClass HEAVY = new SignatureClass(Mechanism.ECDSA_SHA384, 256);
  private static final EngineGroup QUICK_ENGINES = new EngineGroup(2, Map.of(QUICK, 0.001));
  private static final EngineGroup HEAVY_ENGINES = new EngineGroup(1, Map.of(HEAVY, 0.1));

  /** SHA-384's. */
  private static final int HEAVY_OCTETS = 48;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private final FakeCryptoki token = new FakeCryptoki("apart");
  private final CountDownLatch hang = new CountDownLatch(1);

  @BeforeEach
  void heavyWorkHangs() {
    token.hang = hang;
    token.hangs = octets -> octets == HEAVY_OCTETS;
  }

  @Test
  void backlogOfOne_theOtherIsServedAndItsNumbersAreItsOwn() throws IOException {
    HsmSettings settings = settings(windows(QUICK_ENGINES, HEAVY_ENGINES), Duration.ofMinutes(2));
    try (HsmSigner signer = HsmSigner.open(settings, HsmObserver.NONE, token);
        ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor()) {
      backlog(signer, requests, 20);

      for (int i = 0; i < 50; i++) {
        assertThat(signer.sign(request(Mechanism.ECDSA_SHA256))).hasSize(32);
      }

      HsmStats quick = signer.statsFor(token.keyRef(), Mechanism.ECDSA_SHA256);
      HsmStats heavy = signer.statsFor(token.keyRef(), Mechanism.ECDSA_SHA384);
      assertThat(quick.completed()).isEqualTo(50);
      assertThat(quick.queueDepth()).isZero();
      assertThat(heavy.completed()).isZero();
      assertThat(heavy.queueDepth() + heavy.inflight()).isEqualTo(20);
      HsmStats both = signer.stats();
      assertThat(both.queueDepth()).isEqualTo(heavy.queueDepth());
      assertThat(both.lane(Lane.INTERACTIVE).depth()).isEqualTo(heavy.queueDepth());
      assertThat(both.inflightLimit()).isEqualTo(quick.inflightLimit() + heavy.inflightLimit());
      hang.countDown();
    }
    assertThat(token.signatures).hasValue(70);
  }

  /** What the test above would not notice: engines that are not kept apart. */
  @Test
  void oneGroup_backlogOfOneClass_theOtherWaits() throws IOException {
    EngineGroup all = new EngineGroup(3, Map.of(QUICK, 0.001, HEAVY, 0.1));
    try (HsmSigner signer =
            HsmSigner.open(settings(windows(all), Duration.ofMinutes(2)), HsmObserver.NONE, token);
        ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor()) {
      backlog(signer, requests, 20);

      assertThatExceptionOfType(HsmException.DeadlineExceeded.class)
          .isThrownBy(() -> signer.sign(request(Mechanism.ECDSA_SHA256, Duration.ofMillis(500))));
      hang.countDown();
    }
  }

  @Test
  void oneHangs_theOtherSigns() throws IOException {
    HsmSettings settings = settings(windows(QUICK_ENGINES, HEAVY_ENGINES), Duration.ofSeconds(2));
    RecordingObserver observer = new RecordingObserver();
    try (HsmSigner signer = HsmSigner.open(settings, observer, token)) {
      assertThatExceptionOfType(HsmException.SignTimedOut.class)
          .isThrownBy(() -> signer.sign(request(Mechanism.ECDSA_SHA384)));
      Await.until("one is taken for lost", () -> observer.states.contains(HsmState.TOKEN_LOST));

      for (int i = 0; i < 50; i++) {
        assertThat(signer.sign(request(Mechanism.ECDSA_SHA256))).hasSize(32);
      }
      // It may look after its sessions meanwhile, and signs all the same.
      Await.until(
          "the other is ready while one hangs",
          () -> signer.statsFor(token.keyRef(), Mechanism.ECDSA_SHA256).state() == HsmState.READY);
      assertThat(signer.statsFor(token.keyRef(), Mechanism.ECDSA_SHA256).zombieCalls()).isZero();

      hang.countDown();
      Await.until("all of it is back", () -> signer.stats().state() == HsmState.READY);
      assertThat(signer.sign(request(Mechanism.ECDSA_SHA384))).hasSize(48);
    }
  }

  @Test
  void lease_ofOne_widensThatAlone() throws IOException {
    HsmSettings settings = settings(windows(QUICK_ENGINES, HEAVY_ENGINES), Duration.ofMinutes(2));
    try (HsmSigner signer = HsmSigner.open(settings, HsmObserver.NONE, token)) {
      EngineLane heavy = signer.engines().getLast();
      double quickWidth = signer.engines().getFirst().report("node").width();

      heavy.lease(new Grant("node", 1, 2.5), System.nanoTime() + Duration.ofMinutes(2).toNanos());

      assertThat(heavy.report("node").width()).isEqualTo(2.5);
      assertThat(signer.engines().getFirst().report("node").width()).isEqualTo(quickWidth);
    }
  }

  /** The idle one notices nothing of the loss, and must not keep the module as it is. */
  @Test
  void tokenLost_theOtherIdle_isFoundAgain() throws IOException {
    HsmSettings settings = settings(windows(QUICK_ENGINES, HEAVY_ENGINES), Duration.ofMinutes(2));
    try (HsmSigner signer = HsmSigner.open(settings, HsmObserver.NONE, token)) {
      token.present = false;
      assertThatExceptionOfType(HsmException.class)
          .isThrownBy(() -> signer.sign(request(Mechanism.ECDSA_SHA256)));
      Await.until("the module is initialised again", () -> token.reinitialisations.get() > 0);

      token.present = true;
      Await.until("all of it is back", () -> signer.stats().state() == HsmState.READY);
      assertThat(signer.sign(request(Mechanism.ECDSA_SHA256))).hasSize(32);
    }
  }

  @Test
  void notMeasured_whereOthersOfItsKindAre() throws IOException {
    EngineGroup ed = new EngineGroup(1, Map.of(new SignatureClass(Mechanism.ED25519, 255), 0.001));
    HsmSettings settings = settings(windows(ed, QUICK_ENGINES), Duration.ofMinutes(2));
    try (HsmSigner signer = HsmSigner.open(settings, HsmObserver.NONE, token)) {
      assertThat(signer.enginesFor(token.keyRef(), Mechanism.ECDSA_SHA256)).isEqualTo(1);
      assertThat(signer.enginesFor(token.keyRef(), Mechanism.ECDSA_SHA512)).isEqualTo(1);
      assertThat(signer.enginesFor(token.keyRef(), Mechanism.RSA_PSS_SHA256)).isZero();
    }
  }

  @Test
  void sessions_dividedByWhatEachMayNeed() throws IOException {
    EngineGroup many = new EngineGroup(60, QUICK_ENGINES.baseSeconds());
    HsmSettings settings =
        settings(windows(many, HEAVY_ENGINES), Duration.ofMinutes(2))
            .withWindows(22, windows(many, HEAVY_ENGINES));
    try (HsmSigner signer = HsmSigner.open(settings, HsmObserver.NONE, token)) {
      Await.until("all sessions are open", () -> signer.stats().sessions() == 22);
      // 60 and 0.6 of the queue's half, 1 and the same: 79.2 to 20.2.
      assertThat(signer.statsFor(token.keyRef(), Mechanism.ECDSA_SHA256).sessions()).isEqualTo(17);
      assertThat(signer.statsFor(token.keyRef(), Mechanism.ECDSA_SHA384).sessions()).isEqualTo(5);
    }
  }

  @Test
  void settings_nonsense_refused() throws IOException {
    HsmSettings settings = settings(windows(QUICK_ENGINES), Duration.ofMinutes(2));
    assertThatIllegalArgumentException().isThrownBy(() -> settings.withWindows(8, List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings.withWindows(1, windows(QUICK_ENGINES, HEAVY_ENGINES)));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> settings.withWindows(8, List.of(new Window.Fixed(2), new Window.Fixed(2))));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Calibration(List.of(QUICK_ENGINES, QUICK_ENGINES)));
    assertThatIllegalArgumentException().isThrownBy(() -> new Calibration(List.of()));
  }

  private static List<Window.Steered> windows(EngineGroup... groups) {
    return List.of(groups).stream().map(g -> new Window.Steered(g, 32, 1)).toList();
  }

  private HsmSettings settings(List<Window.Steered> windows, Duration callTimeout)
      throws IOException {
    Path pin = Files.writeString(folder.resolve("pin"), FakeCryptoki.PIN + "\n");
    return HsmSettings.of(Path.of("fake.so"), "apart", new PinFile(pin))
        .withCallTimeout(callTimeout)
        .withWindows(9, windows);
  }

  private void backlog(HsmSigner signer, ExecutorService requests, int jobs) {
    for (int i = 0; i < jobs; i++) {
      requests.execute(() -> assertThat(signer.sign(request(Mechanism.ECDSA_SHA384))).hasSize(48));
    }
    Await.until("they wait", () -> signer.stats().queueDepth() + signer.stats().inflight() == jobs);
  }

  private SignRequest request(Mechanism mechanism) {
    return request(mechanism, Duration.ofMinutes(2));
  }

  private SignRequest request(Mechanism mechanism, Duration patience) {
    return new SignRequest(
        token.keyRef(),
        mechanism,
        new byte[] {1},
        SignSchedule.by(System.nanoTime() + patience.toNanos()));
  }
}
