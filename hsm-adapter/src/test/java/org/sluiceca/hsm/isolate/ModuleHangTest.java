package org.sluiceca.hsm.isolate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.ceremony.KeyAlgorithm;
import org.sluiceca.hsm.ceremony.KeyCeremony;
import org.sluiceca.hsm.pkcs11.Attribute;
import org.sluiceca.hsm.pkcs11.Cka;
import org.sluiceca.hsm.pkcs11.Ckr;
import org.sluiceca.hsm.pkcs11.CryptokiException;
import org.sluiceca.hsm.pkcs11.Session;
import org.sluiceca.hsm.pkcs11.SessionHandle;
import org.sluiceca.hsm.pkcs11.Token;
import org.sluiceca.hsm.testkit.Await;
import org.sluiceca.hsm.testkit.RecordingObserver;
import org.sluiceca.hsm.testkit.SoftHsm;
import org.sluiceca.hsm.testkit.SoftHsm.SoftToken;
import org.sluiceca.hsm.vendor.CkrProfile;
import org.sluiceca.hsm.vendor.FailureClass;

/** A module whose C_Sign never returns, and what ends such calls. */
@Timeout(180)
class ModuleHangTest {
  private static final CkaId ID = CkaId.parse("01");
  private static final int CALLS = 4;

  private final RecordingObserver observer = new RecordingObserver();

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private SoftToken token;

  @SuppressWarnings("NullAway.Init")
  private FaultModule module;

  @SuppressWarnings("NullAway.Init")
  private IsolatedCryptoki cryptoki;

  @BeforeEach
  void start() {
    token = SoftHsm.newToken("hangs-" + System.nanoTime() % 1_000_000_000);
    try (KeyCeremony ceremony = KeyCeremony.open(SoftHsm.library(), token.label(), token.pin())) {
      var _ = ceremony.generateIfAbsent(ID, "hang", KeyAlgorithm.EC_P256);
    }
    module = FaultModule.build(folder);
    cryptoki = IsolatedCryptoki.start(module.library(), token.label(), observer);
  }

  @AfterEach
  void stop() {
    cryptoki.close();
  }

  @Test
  void reinitialise_callsHang_theyEndAndTheModuleWorksAgain() throws Exception {
    long hungProcess = cryptoki.pid();
    long generation = cryptoki.generation();
    try (ExecutorService callers = Executors.newFixedThreadPool(CALLS)) {
      List<Future<Throwable>> calls = hang(callers);

      long start = System.nanoTime();
      assertThat(cryptoki.reinitialise()).isTrue();
      System.out.printf(
          "module hung in %d calls: killed and replaced in %d ms%n",
          CALLS, Duration.ofNanos(System.nanoTime() - start).toMillis());

      for (Future<Throwable> call : calls) {
        assertLostInCSign(call.get(60, TimeUnit.SECONDS));
      }
    }
    assertThat(Processes.isGone(hungProcess)).isTrue();
    assertThat(cryptoki.pid()).isNotEqualTo(hungProcess);
    assertThat(cryptoki.generation()).isGreaterThan(generation);
    module.behave("hang");
    assertThat(sign(login())).hasSize(64);
  }

  @Test
  void sign_otherSessionsWhileOneHangs_goOn() throws Exception {
    SessionHandle session = login();
    try (ExecutorService callers = Executors.newFixedThreadPool(CALLS)) {
      List<Future<Throwable>> calls = hang(callers);

      // Everything but C_Sign still works over the same socket.
      assertThat(cryptoki.isLoggedIn(session)).isTrue();
      assertThat(privateKey(session)).isPositive();

      Processes.kill(cryptoki.pid());
      for (Future<Throwable> call : calls) {
        assertLostInCSign(call.get(60, TimeUnit.SECONDS));
      }
    }
  }

  @Test
  void sign_processGone_notSentAndSessionsAreStale() {
    SessionHandle session = login();
    long generation = cryptoki.generation();
    Processes.kill(cryptoki.pid());
    Await.until("its end is noticed", () -> cryptoki.generation() != generation);

    CryptokiException stale = catchThrowableOfType(CryptokiException.class, () -> sign(session));
    CryptokiException notSent =
        catchThrowableOfType(CryptokiException.class, () -> cryptoki.slotsWithToken());

    assertThat(stale.ckr()).isEqualTo(Ckr.SESSION_HANDLE_INVALID);
    assertThat(stale.hadEnteredSign()).isFalse();
    assertThat(notSent)
        .hasMessage(
            "C_GetSlotList (not sent): CKR_CRYPTOKI_NOT_INITIALIZED (its process has ended)");
    assertThat(observer.notes).anyMatch(line -> line.contains("ended, exit status 137"));
  }

  @Test
  void reinitialise_quietAndYoung_sameProcess() {
    long process = cryptoki.pid();

    assertThat(cryptoki.reinitialise()).isTrue();

    assertThat(cryptoki.pid()).isEqualTo(process);
    assertThat(sign(login())).hasSize(64);
  }

  @Test
  void close_callsHang_endsWithinItsBound() throws Exception {
    long process = cryptoki.pid();
    module.misbehave("hang-end");
    try (ExecutorService callers = Executors.newFixedThreadPool(CALLS + 1)) {
      List<Future<Throwable>> calls = hang(callers);

      callers.submit(cryptoki::close).get(60, TimeUnit.SECONDS);

      assertThat(Processes.isGone(process)).isTrue();
      for (Future<Throwable> call : calls) {
        assertLostInCSign(call.get(60, TimeUnit.SECONDS));
      }
    } finally {
      module.behave("hang-end");
    }
  }

  private static void assertLostInCSign(Throwable thrown) {
    assertThat(thrown)
        .isInstanceOf(CryptokiException.class)
        .hasMessage("C_Sign: CKR_CRYPTOKI_NOT_INITIALIZED (its process has ended)");
    CryptokiException lost = (CryptokiException) thrown;
    for (CkrProfile profile :
        List.of(
            CkrProfile.DEFAULT,
            CkrProfile.named("softhsm"),
            CkrProfile.named("cloudhsm"),
            CkrProfile.named("google-kms"))) {
      assertThat(profile.classify(lost.ckr())).isEqualTo(FailureClass.TOKEN_LOST);
      assertThat(profile.translate(lost).mayHaveExecuted()).isTrue();
    }
  }

  /** Calls that are inside of C_Sign and stay there. */
  private List<Future<Throwable>> hang(ExecutorService callers) {
    List<SessionHandle> sessions = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      sessions.add(login());
    }
    module.misbehave("hang");
    List<Future<Throwable>> calls = new ArrayList<>();
    for (SessionHandle session : sessions) {
      calls.add(callers.submit(() -> catchThrowable(() -> sign(session))));
    }
    Await.until("all are inside", () -> module.hung() == CALLS);
    return calls;
  }

  private SessionHandle login() {
    Session session = Token.find(cryptoki, token.label()).openSession(false);
    session.token().login(session, token.pin(), ckr -> false);
    for (long slot : cryptoki.slotsWithToken()) {
      if (cryptoki.tokenLabel(slot).equals(token.label())) {
        return cryptoki.openSession(slot, false);
      }
    }
    throw new AssertionError("no slot");
  }

  private long privateKey(SessionHandle session) {
    return cryptoki
        .findObjects(
            session,
            List.of(Attribute.of(Cka.CLASS, Cka.CKO_PRIVATE_KEY), Attribute.of(Cka.ID, ID.bytes())),
            2)[0];
  }

  private byte[] sign(SessionHandle session) {
    return cryptoki.sign(session, Mechanism.ECDSA_SHA256, privateKey(session), new byte[32]);
  }
}
