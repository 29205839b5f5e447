package org.sluiceca.hsm.signer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.hsm.Calibration;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.EngineGroup;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Lane;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.SignSchedule;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.Window;
import org.sluiceca.hsm.ceremony.KeyAlgorithm;
import org.sluiceca.hsm.ceremony.KeyCeremony;
import org.sluiceca.hsm.settings.HsmSettings;
import org.sluiceca.hsm.testkit.NetHsm;
import org.sluiceca.hsm.testkit.SoftHsm;
import org.sluiceca.hsm.testkit.SoftHsm.SoftToken;
import org.sluiceca.hsm.vendor.CkrProfile;

/** EC and RSA-4096 on one simulated network HSM, calibrated as at its commissioning. */
@Tag("nightly")
class MixedEnginesIT {

  private static final SignatureClass EC = new SignatureClass(Mechanism.ECDSA_SHA256, 256);
  private static final SignatureClass RSA = new SignatureClass(Mechanism.RSA_PKCS1_SHA256, 4096);
  private static final int SERVERS = 8;
  private static final double EC_MILLIS = 20;
  private static final double RSA_MILLIS = 160;

  /** The goal: EC is not slowed by more than a tenth. */
  private static final double SLOWED_MAX = 1.10;

  private static final int ROUNDS = 5;
  private static final Duration SETTLED = Duration.ofMillis(500);
  private static final Duration ROUND = Duration.ofSeconds(2);

  // Not deleted at the end: the modules stay loaded.
  @TempDir(cleanup = CleanupMode.NEVER)
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private SoftToken token;

  @SuppressWarnings("NullAway.Init")
  private NetHsm device;

  @SuppressWarnings("NullAway.Init")
  private KeyRef ec;

  @SuppressWarnings("NullAway.Init")
  private KeyRef rsa;

  @BeforeEach
  void commission() {
    token = SoftHsm.newToken("mixed-" + System.nanoTime() % 1_000_000_000);
    device =
        NetHsm.create(
            folder,
            "mixed",
            "--profile",
            "netHSM2000",
            "--servers",
            String.valueOf(SERVERS),
            "--service",
            "ec-p256=" + EC_MILLIS,
            "--service",
            "rsa-4096=" + RSA_MILLIS,
            "--queue",
            "150",
            "--rtt",
            "1");
    try (KeyCeremony ceremony = ceremony()) {
      ec = ceremony.generateIfAbsent(CkaId.parse("01"), "ec", KeyAlgorithm.EC_P256);
      rsa = ceremony.generateIfAbsent(CkaId.parse("02"), "rsa", KeyAlgorithm.RSA_4096);
    }
  }

  @Test
  void enginesApart_rsaOverload_ecIsNotSlowed() throws InterruptedException {
    device.order("set", "ec-servers=" + SERVERS / 2);
    Calibration calibration = calibrate();
    assertThat(calibration.groups()).extracting(EngineGroup::name).containsExactly("ec", "rsa");
    assertThat(calibration.groups()).extracting(EngineGroup::engines).containsExactly(4, 4);

    double[] slowed = new double[ROUNDS];
    double[] ratesOfRsa = new double[ROUNDS];
    try (HsmSigner signer = open(calibration)) {
      for (int round = 0; round < ROUNDS; round++) {
        double alone;
        try (Stream only = new Stream(signer, ec, Mechanism.ECDSA_SHA256, 4)) {
          alone = only.meanMillis(ROUND);
        }
        try (Stream heavy = new Stream(signer, rsa, Mechanism.RSA_PKCS1_SHA256, 64);
            Stream alongside = new Stream(signer, ec, Mechanism.ECDSA_SHA256, 4)) {
          slowed[round] = alongside.meanMillis(ROUND) / alone;
          ratesOfRsa[round] = heavy.perSecond();
        }
      }
    }

    System.out.printf(
        Locale.ROOT,
        "engines apart: EC alongside 64 requesters of RSA-4096 takes %s times as long as alone;"
            + " RSA %.1f/s of %.1f%n",
        Arrays.toString(slowed),
        median(ratesOfRsa),
        SERVERS / 2 * 1e3 / RSA_MILLIS);
    assertThat(median(slowed)).isLessThan(SLOWED_MAX);
    assertThat(median(ratesOfRsa)).isGreaterThan(0.9 * SERVERS / 2 * 1e3 / RSA_MILLIS);
  }

  @Test
  void enginesShared_bothInPlenty_halfTheTimeOfTheTokenForEach() throws InterruptedException {
    Calibration calibration = calibrate();
    assertThat(calibration.groups()).extracting(EngineGroup::name).containsExactly("ec+rsa");
    assertThat(calibration.groups().getFirst().engines()).isEqualTo(SERVERS);

    try (HsmSigner signer = open(calibration);
        Stream heavy = new Stream(signer, rsa, Mechanism.RSA_PKCS1_SHA256, 32);
        Stream light = new Stream(signer, ec, Mechanism.ECDSA_SHA256, 32)) {
      // Until the means of both are learnt.
      double _ = light.meanMillis(Duration.ofSeconds(3));
      heavy.restart();
      light.restart();
      light.runFor(ROUND.multipliedBy(4));
      double ofEc = light.perSecond() * EC_MILLIS / 1e3;
      double ofRsa = heavy.perSecond() * RSA_MILLIS / 1e3;

      System.out.printf(
          Locale.ROOT, "engines shared: EC uses %.2f, RSA-4096 %.2f of %d%n", ofEc, ofRsa, SERVERS);
      assertThat(ofEc + ofRsa).isGreaterThan(0.9 * SERVERS);
      assertThat(ofEc / ofRsa).isBetween(0.8, 1.25);
    }
  }

  private KeyCeremony ceremony() {
    return KeyCeremony.open(device.module(), token.label(), token.pin());
  }

  private Calibration calibrate() {
    try (KeyCeremony ceremony = ceremony()) {
      return ceremony.calibrate(List.of(EC, RSA));
    }
  }

  private HsmSigner open(Calibration calibration) {
    int groups = calibration.groups().size();
    return HsmSigner.open(
        HsmSettings.of(device.module(), token.label(), token.pin())
            .withVendor(CkrProfile.named("nethsm"))
            .withWindows(
                64,
                calibration.groups().stream()
                    .map(group -> new Window.Steered(group, 150 / groups, 1))
                    .toList()),
        HsmObserver.NONE);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /**
   * That number of requesters of one kind, each of whom asks again as soon as it has its answer.
   */
  private static final class Stream implements AutoCloseable {
    private final ExecutorService requesters = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicLong answers = new AtomicLong();
    private final AtomicLong nanos = new AtomicLong();
    private final List<HsmException> failures = new ArrayList<>();
    private volatile long since = System.nanoTime();

    Stream(HsmSigner signer, KeyRef key, Mechanism mechanism, int count) {
      for (int i = 0; i < count; i++) {
        requesters.execute(() -> ask(signer, key, mechanism));
      }
    }

    private void ask(HsmSigner signer, KeyRef key, Mechanism mechanism) {
      while (over.getCount() > 0) {
        long start = System.nanoTime();
        long end = start + Duration.ofSeconds(60).toNanos();
        SignSchedule schedule = new SignSchedule(Lane.INTERACTIVE, mechanism.name(), end, end);
        try {
          byte[] _ = signer.sign(new SignRequest(key, mechanism, new byte[] {1}, schedule));
          nanos.addAndGet(System.nanoTime() - start);
          answers.incrementAndGet();
        } catch (HsmException e) {
          synchronized (failures) {
            failures.add(e);
          }
          return;
        }
      }
    }

    /** Lets it go on for so long. */
    void runFor(Duration time) throws InterruptedException {
      boolean _ = over.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    void restart() {
      answers.set(0);
      nanos.set(0);
      since = System.nanoTime();
    }

    /**
     * Of what comes after the first half of a second: windows and queues are what they are then.
     */
    double meanMillis(Duration time) throws InterruptedException {
      runFor(SETTLED);
      restart();
      runFor(time);
      return nanos.get() / 1e6 / answers.get();
    }

    double perSecond() {
      return answers.get() * 1e9 / (System.nanoTime() - since);
    }

    @Override
    public void close() {
      over.countDown();
      requesters.close();
      synchronized (failures) {
        assertThat(failures).isEmpty();
      }
    }
  }
}
