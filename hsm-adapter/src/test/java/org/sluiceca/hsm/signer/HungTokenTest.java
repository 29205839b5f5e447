package org.sluiceca.hsm.signer;

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
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.SignSchedule;
import org.sluiceca.hsm.ceremony.KeyAlgorithm;
import org.sluiceca.hsm.ceremony.KeyCeremony;
import org.sluiceca.hsm.settings.HsmSettings;
import org.sluiceca.hsm.testkit.Await;
import org.sluiceca.hsm.testkit.SoftHsm;
import org.sluiceca.hsm.testkit.SoftHsm.SoftToken;

/** A real module whose C_Sign does not return: hang_pkcs11.c in front of a copy of SoftHSM. */
// 4 s of waiting. HsmSignerFaultTest has the same of a scripted token.
@Tag("slow")
class HungTokenTest {
  private static final int SESSIONS = 2;
  private static final int QUEUE = 3;

  /** Of those who give up while the token hangs. */
  private static final Duration SHORT = Duration.ofSeconds(1);

  /** Of those who are to be there until it signs again. */
  private static final Duration LONG = Duration.ofMinutes(2);

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
            .withQueueCapacity(QUEUE)
            .withCallTimeout(LONG);

    try (HsmSigner signer = HsmSigner.open(settings, HsmObserver.NONE);
        ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(signer.sign(request(key, LONG))).hasSize(64);
      Files.createFile(flag);
      for (int session = 1; session <= SESSIONS; session++) {
        // Where the machine is busy, the deadline may pass before a session is reached.
        Await.until(
            "a waiter has left the token",
            () ->
                catchThrowable(() -> signer.sign(request(key, SHORT)))
                    instanceof HsmException.SignTimedOut);
        assertThat(signer.stats().zombieCalls()).isEqualTo(session);
      }
      assertThat(signer.stats().inflight()).isEqualTo(SESSIONS);
      assertThatThrownBy(() -> signer.sign(request(key, SHORT)))
          .isInstanceOf(HsmException.DeadlineExceeded.class);
      assertThat(signer.stats().queueDepth()).isZero();

      List<Future<byte[]>> queued = new ArrayList<>();
      for (int i = 0; i < QUEUE; i++) {
        queued.add(requests.submit(() -> signer.sign(request(key, LONG))));
      }
      Await.until("the queue is full", () -> signer.stats().queueDepth() == QUEUE);
      assertThatThrownBy(() -> signer.sign(request(key, LONG)))
          .isInstanceOf(HsmException.Saturated.class);
      assertThat(queued).as("it was refused before any of them left").noneMatch(Future::isDone);

      Files.delete(flag);
      for (Future<byte[]> each : queued) {
        assertThat(each.get()).hasSize(64);
      }
      Await.until("no zombies", () -> signer.stats().zombieCalls() == 0);
      assertThat(signer.stats().sessions()).isEqualTo(SESSIONS);
    } finally {
      Files.deleteIfExists(flag);
    }
  }

  private static SignRequest request(KeyRef key, Duration wait) {
    return new SignRequest(
        key,
        Mechanism.ECDSA_SHA256,
        new byte[] {1},
        SignSchedule.by(System.nanoTime() + wait.toNanos()));
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
