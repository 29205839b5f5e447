package org.sluiceca.hsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.hsm.ceremony.KeyAlgorithm;
import org.sluiceca.hsm.ceremony.KeyCeremony;
import org.sluiceca.hsm.testkit.Await;
import org.sluiceca.hsm.testkit.SoftHsm;
import org.sluiceca.hsm.testkit.SoftHsm.SoftToken;

/** A real module whose C_Sign does not return: hang_pkcs11.c in front of a copy of SoftHSM. */
// 4 s of waiting. HsmSignerFaultTest has the same of a scripted token.
@Tag("slow")
class HungTokenTest {
  private static final int SESSIONS = 2;
  private static final int QUEUE = 3;

  /** Below the limit of a call, and long enough for all to be there before the first one leaves. */
  private static final Duration WAIT = Duration.ofSeconds(4);

  // Not deleted at the end: the module stays loaded.
  @TempDir(cleanup = CleanupMode.NEVER)
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void sign_tokenHangs_boundHoldsWaitersLeaveAndTheSameLaneSignsAgain() throws Exception {
    SoftToken token = SoftHsm.newToken("hung");
    Path flag = folder.resolve("hang");
    Path module = buildModule(flag);
    KeyRef key;
    try (KeyCeremony ceremony = KeyCeremony.open(module, token.label(), token.pin())) {
      key = ceremony.generateIfAbsent(CkaId.parse("01"), "hung", KeyAlgorithm.EC_P256);
    }
    HsmSettings settings =
        HsmSettings.of(module, token.label(), token.pin())
            .withSessions(SESSIONS)
            .withQueueCapacity(QUEUE);

    try (HsmSigner signer = HsmSigner.open(settings, HsmObserver.NONE);
        ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(signer.sign(request(key, Duration.ofSeconds(10)))).hasSize(64);
      Files.createFile(flag);
      List<Future<Throwable>> running = fill(signer, key, requests, SESSIONS);
      Await.until("all sessions hang", () -> signer.stats().inflight() == SESSIONS);
      List<Future<Throwable>> queued = fill(signer, key, requests, QUEUE);
      Await.until("the queue is full", () -> signer.stats().queueDepth() == QUEUE);

      long start = System.nanoTime();
      assertThatThrownBy(() -> signer.sign(request(key, WAIT)))
          .isInstanceOf(HsmException.Saturated.class);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(WAIT.dividedBy(2));

      for (Future<Throwable> each : running) {
        assertThat(each.get()).isInstanceOf(HsmException.SignTimedOut.class);
      }
      for (Future<Throwable> each : queued) {
        assertThat(each.get()).isInstanceOf(HsmException.DeadlineExceeded.class);
      }
      assertThat(signer.stats().zombieCalls()).isEqualTo(SESSIONS);
      assertThat(signer.stats().queueDepth()).isZero();

      Files.delete(flag);
      assertThat(signer.sign(request(key, Duration.ofSeconds(10)))).hasSize(64);
      Await.until("no zombies", () -> signer.stats().zombieCalls() == 0);
      assertThat(signer.stats().sessions()).isEqualTo(SESSIONS);
    } finally {
      Files.deleteIfExists(flag);
    }
  }

  private static List<Future<Throwable>> fill(
      HsmSigner signer, KeyRef key, ExecutorService requests, int jobs) {
    List<Future<Throwable>> waiters = new ArrayList<>();
    for (int i = 0; i < jobs; i++) {
      waiters.add(requests.submit(() -> catchThrowable(() -> signer.sign(request(key, WAIT)))));
    }
    return waiters;
  }

  private static SignRequest request(KeyRef key, Duration wait) {
    return new SignRequest(
        key, Mechanism.ECDSA_SHA256, new byte[] {1}, Turn.by(System.nanoTime() + wait.toNanos()));
  }

  private Path buildModule(Path flag) throws IOException {
    // A copy, because one library has one state per process and other tests use the original.
    Path real = Files.copy(SoftHsm.library(), folder.resolve("libsofthsm2-copy.so"));
    Path module = folder.resolve("hang_pkcs11.so");
    SoftHsm.run(
        "cc",
        "-Wall",
        "-Werror",
        "-shared",
        "-fPIC",
        "-DHANG_PKCS11_REAL=\"" + real + "\"",
        "-DHANG_PKCS11_FILE=\"" + flag + "\"",
        "-o",
        module.toString(),
        Path.of("src/test/c/hang_pkcs11.c").toAbsolutePath().toString(),
        "-ldl");
    return module;
  }
}
