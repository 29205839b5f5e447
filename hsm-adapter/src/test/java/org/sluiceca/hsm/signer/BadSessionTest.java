package org.sluiceca.hsm.signer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.PinFile;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.SignSchedule;
import org.sluiceca.hsm.pkcs11.Ckr;
import org.sluiceca.hsm.settings.HsmSettings;
import org.sluiceca.hsm.testkit.Await;
import org.sluiceca.hsm.testkit.FakeCryptoki;

/**
 * One of several sessions fails each time, while jobs come one at a time. Its thread is back sooner
 * than those that sign, and must not get one job after another for that.
 */
@Timeout(60)
class BadSessionTest {

  private static final int JOBS = 40;

  /** One, and some for threads that come back late on a busy machine. */
  private static final int FAILURES_MAX = 5;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  // Set before each test.
  @SuppressWarnings("NullAway.Init")
  private FakeCryptoki token;

  @SuppressWarnings("NullAway.Init")
  private HsmSettings settings;

  private final AtomicReference<Optional<Thread>> bad = new AtomicReference<>(Optional.empty());

  @BeforeEach
  void newToken(TestInfo test) throws IOException {
    String label = "bad-session-" + test.getDisplayName().hashCode();
    token = new FakeCryptoki(label);
    Path pin = Files.writeString(folder.resolve("pin"), FakeCryptoki.PIN + "\n");
    settings =
        HsmSettings.of(Path.of("fake.so"), label, new PinFile(pin))
            .withSessions(4)
            .withCallTimeout(Duration.ofSeconds(60));
  }

  /** From now on each job fails so that is taken by the thread that takes the next one. */
  private void failTheNextThread(Ckr ckr) {
    token.signInitFault =
        () -> {
          boolean _ = bad.compareAndSet(Optional.empty(), Optional.of(Thread.currentThread()));
          return bad.get().equals(Optional.of(Thread.currentThread()))
              ? Optional.of(ckr)
              : Optional.empty();
        };
  }

  private HsmSigner open() {
    HsmSigner signer = HsmSigner.open(settings, HsmObserver.NONE, token);
    Await.until("all sessions are open", () -> signer.stats().sessions() == 4);
    return signer;
  }

  private SignRequest request() {
    return new SignRequest(
        token.keyRef(),
        Mechanism.ECDSA_SHA256,
        new byte[] {1},
        SignSchedule.by(System.nanoTime() + TimeUnit.SECONDS.toNanos(50)));
  }

  @Test
  void sign_oneSessionIsAlwaysBusy_othersGetTheJobs() {
    try (HsmSigner signer = open()) {
      failTheNextThread(new Ckr(0x31));

      int busy = 0;
      for (int i = 0; i < JOBS; i++) {
        busy += catchThrowable(() -> signer.sign(request())) instanceof HsmException.Busy ? 1 : 0;
      }

      assertThat(busy).isBetween(1, FAILURES_MAX);
    }
  }

  @Test
  void sign_oneThreadLosesEachSession_othersGetTheJobs() {
    try (HsmSigner signer = open()) {
      int opens = token.opens.get();
      failTheNextThread(Ckr.SESSION_HANDLE_INVALID);

      for (int i = 0; i < JOBS; i++) {
        assertThat(signer.sign(request())).isNotEmpty();
      }

      Await.until("all sessions are open", () -> signer.stats().sessions() == 4);
      assertThat(token.opens.get() - opens).isBetween(1, FAILURES_MAX);
    }
  }
}
