package org.sluiceca.hsm.signer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmState;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.PinFile;
import org.sluiceca.hsm.RecoveryReason;
import org.sluiceca.hsm.SignOutcome;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.SignSchedule;
import org.sluiceca.hsm.StartedSignature;
import org.sluiceca.hsm.pkcs11.Ckr;
import org.sluiceca.hsm.settings.HsmSettings;
import org.sluiceca.hsm.testkit.Await;
import org.sluiceca.hsm.testkit.FakeCryptoki;
import org.sluiceca.hsm.testkit.RecordingObserver;

/** The lane and its recovery over a token whose failures are scripted. */
@Execution(ExecutionMode.CONCURRENT)
class HsmSignerFaultTest {
  private static final byte[] MESSAGE = {1, 2, 3};

  /** For hung calls that are waited for, among sound ones that a busy machine may delay. */
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(2);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private final RecordingObserver observer = new RecordingObserver();
  private final ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();

  // Set before each test.
  @SuppressWarnings("NullAway.Init")
  private FakeCryptoki token;

  @SuppressWarnings("NullAway.Init")
  private HsmSettings settings;

  @BeforeEach
  void newToken(TestInfo test) throws IOException {
    // Refused PINs are remembered by label for the whole process.
    String label = Integer.toHexString(test.getDisplayName().hashCode());
    token = new FakeCryptoki(label);
    Path pin = Files.writeString(folder.resolve("pin"), FakeCryptoki.PIN + "\n");
    settings =
        HsmSettings.of(Path.of("fake.so"), label, new PinFile(pin))
            .withSessions(1)
            .withCallTimeout(Duration.ofSeconds(60));
  }

  @AfterEach
  void endRequests() {
    CountDownLatch hang = token.hang;
    if (hang != null) {
      hang.countDown();
    }
    requests.close();
  }

  @Test
  void sign_healthyToken_signsTheDigest() {
    try (HsmSigner signer = open()) {
      assertThat(signer.sign(request(60)))
          .isEqualTo(Mechanism.ECDSA_SHA256.tokenInput(MESSAGE))
          .hasSize(32);
      assertThat(token.logins).hasValue(1);
    }
  }

  /**
   * The thread that starts it goes on; the one that waits stops, and a third takes what is made.
   */
  @Test
  void start_byOneThread_awaitedByTwoOthers() throws Exception {
    CountDownLatch hang = new CountDownLatch(1);
    try (HsmSigner signer = open()) {
      token.hang = hang;
      StartedSignature started = signer.start(request(60), Thread.currentThread());
      token.entered.await();

      assertThat(started.isUnderWay()).isTrue();
      assertThat(started.await(after(0.01))).isFalse();

      AtomicReference<byte[]> signature = new AtomicReference<>();
      Thread third = Thread.ofVirtual().start(() -> signature.set(started.join()));
      Await.until("the third sleeps", () -> isAsleep(third));
      hang.countDown();
      // By its own timer it would wake after the call timeout.
      assertThat(third.join(CALL_TIMEOUT.multipliedBy(10))).isTrue();
      assertThat(signature.get()).isEqualTo(Mechanism.ECDSA_SHA256.tokenInput(MESSAGE));
      assertThat(started.isUnderWay()).isFalse();
    }
  }

  @Test
  void start_signed_wakesTheThreadThatWillWait() throws Exception {
    try (HsmSigner signer = open()) {
      AtomicReference<StartedSignature> started = new AtomicReference<>();
      Thread waiter =
          Thread.ofVirtual()
              .unstarted(
                  () -> {
                    while (started.get() == null || started.get().isUnderWay()) {
                      LockSupport.park();
                    }
                  });
      token.hang = new CountDownLatch(1);
      started.set(signer.start(request(60), waiter));
      waiter.start();
      Await.until("the thread waits", () -> isAsleep(waiter));
      token.hang.countDown();

      assertThat(waiter.join(Duration.ofSeconds(60))).isTrue();
      assertThat(started.get().await(System.nanoTime())).isTrue();
      assertThat(started.get().result()).hasSize(32);
    }
  }

  private static boolean isAsleep(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        || thread.getState() == Thread.State.TIMED_WAITING;
  }

  /** A call that hangs and is given up counts as such, also if no thread ever waited for it. */
  @Test
  void start_abandoned_aZombieUntilItReturns() throws Exception {
    CountDownLatch hang = new CountDownLatch(1);
    try (HsmSigner signer = open()) {
      token.hang = hang;
      StartedSignature started = signer.start(request(60), Thread.currentThread());
      token.entered.await();

      assertThat(started.abandon().mayHaveExecuted()).isTrue();
      assertThat(signer.stats().zombieCalls()).isEqualTo(1);

      hang.countDown();
      Await.until("the call returns", () -> signer.stats().zombieCalls() == 0);
      assertThat(signer.sign(request(60))).hasSize(32);
    }
  }

  @Test
  void start_interruptedWait_leavesItAsItIs() throws Exception {
    CountDownLatch hang = new CountDownLatch(1);
    try (HsmSigner signer = open()) {
      token.hang = hang;
      StartedSignature started = signer.start(request(60), Thread.currentThread());

      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> started.await(after(60))).isInstanceOf(InterruptedException.class);

      hang.countDown();
      assertThat(started.join()).hasSize(32);
    }
  }

  @Test
  void sign_busy_saidSoAndNeverReconnects() {
    try (HsmSigner signer = open()) {
      signer.sign(request(60));
      int opens = token.opens.get();
      token.signInitFailures.add(new Ckr(0x31));

      assertThatThrownBy(() -> signer.sign(request(60))).isInstanceOf(HsmException.Busy.class);
      signer.sign(request(60));
      assertThat(token.opens).hasValue(opens);
      assertThat(observer.recoveries).isEmpty();
    }
  }

  @Test
  void sign_sessionLost_sameRequestSucceedsInAnotherSession() {
    try (HsmSigner signer = open()) {
      signer.sign(request(60));
      token.forgetSessions();

      signer.sign(request(60));
      assertThat(observer.recoveries).containsExactly(RecoveryReason.SESSION_LOST);
      assertThat(token.logins).hasValue(2);
    }
  }

  @Test
  void sign_loginLost_sameRequestSucceedsAfterOneLogin() {
    HsmSettings four = settings.withSessions(4);
    try (HsmSigner signer = HsmSigner.open(four, observer, token)) {
      signer.sign(request(60));
      Await.until("four sessions", () -> signer.stats().sessions() == 4);
      token.forgetLogin();

      signer.sign(request(60));
      assertThat(token.logins).hasValue(2);
    }
  }

  @Test
  void sign_handleLostAndAnotherKeyThere_mismatch() {
    try (HsmSigner signer = open()) {
      SignRequest request = request(60);
      signer.sign(request);
      token.replaceKey();
      token.signInitFailures.add(Ckr.OBJECT_HANDLE_INVALID);

      assertThatThrownBy(() -> signer.sign(request))
          .isInstanceOf(HsmException.KeyMismatch.class)
          .hasMessage("the key with CKA_ID 01 is not the one expected: public keys differ");
      assertThat(token.signatures).hasValue(1);
    }
  }

  @Test
  void sign_keyNotThere_missingAndTheLaneGoesOn() {
    try (HsmSigner signer = open()) {
      token.keyPresent = false;
      assertThatThrownBy(() -> signer.sign(request(60)))
          .isInstanceOf(HsmException.KeyMissing.class)
          .hasMessage("the token has no private key with CKA_ID 01");

      token.keyPresent = true;
      assertThat(signer.sign(request(60))).isNotEmpty();
    }
  }

  @Test
  void sign_unknownCode_failsClosedAndIsNotRetried() {
    try (HsmSigner signer = open()) {
      token.signFailures.add(new Ckr(0x80001234L));

      HsmException failure =
          catchThrowableOfType(HsmException.class, () -> signer.sign(request(60)));
      assertThat(failure).isInstanceOf(HsmException.Unexpected.class);
      assertThat(failure.mayHaveExecuted()).isTrue();
      assertThat(token.signatures).hasValue(0);
      assertThat(signer.sign(request(60))).isNotEmpty();
    }
  }

  @Test
  void sign_deviceErrorInSign_notRetriedBecauseItMayHaveExecuted() {
    try (HsmSigner signer = open()) {
      token.signFailures.add(Ckr.DEVICE_ERROR);

      HsmException failure =
          catchThrowableOfType(HsmException.class, () -> signer.sign(request(60)));
      assertThat(failure).isInstanceOf(HsmException.TokenLost.class);
      assertThat(failure.mayHaveExecuted()).isTrue();
      assertThat(signer.sign(request(60))).isNotEmpty();
    }
  }

  /** What the first look for a lost token said is soon old. */
  @Test
  void tokenLost_laterLookSaysMore_refusalSaysSo() {
    try (HsmSigner signer = open()) {
      token.openFailures.add(Ckr.DEVICE_ERROR);
      token.signFailures.add(Ckr.DEVICE_ERROR);
      assertThatThrownBy(() -> signer.sign(request(60))).isInstanceOf(HsmException.TokenLost.class);
      Await.until("lost", () -> signer.stats().state() == HsmState.TOKEN_LOST);
      token.present = false;

      Await.until("missed by its name", () -> refusal(signer).contains("no token labelled"));

      token.present = true;
      Await.until("back", () -> signer.stats().state() == HsmState.READY);
      assertThat(signer.sign(request(60))).isNotEmpty();
    }
  }

  private String refusal(HsmSigner signer) {
    try {
      signer.sign(request(60));
      return "";
    } catch (HsmException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Test
  void sign_mechanismRefused_requestRefused() {
    try (HsmSigner signer = open()) {
      token.signInitFailures.add(Ckr.MECHANISM_INVALID);

      assertThatThrownBy(() -> signer.sign(request(60)))
          .isInstanceOf(HsmException.RequestRefused.class)
          .hasMessageContaining("CKR_MECHANISM_INVALID");
    }
  }

  @Test
  void open_wrongPin_triedOnceInThisProcess() throws IOException {
    Files.writeString(settings.pin().path(), "9999");

    assertThatThrownBy(this::open)
        .isInstanceOf(HsmException.PinRefused.class)
        .hasMessageContaining("refuses the PIN (CKR_PIN_INCORRECT)")
        .hasMessageNotContaining("9999");
    assertThatThrownBy(this::open).isInstanceOf(HsmException.PinRefused.class);
    assertThat(token.logins).hasValue(1);
  }

  @Test
  void sign_pinChangedAtTheToken_latchedAndTriedOnce() throws IOException {
    try (HsmSigner signer = HsmSigner.open(settings.withSessions(4), observer, token)) {
      signer.sign(request(60));
      Files.writeString(settings.pin().path(), "9999");
      token.forgetSessions();

      // The job is given back once: a second thread's dead session may answer it before the login.
      assertThatThrownBy(() -> signer.sign(request(60)))
          .isInstanceOfAny(HsmException.PinRefused.class, HsmException.SessionLost.class);
      Await.until("PIN refused", () -> signer.stats().state() == HsmState.PIN_REFUSED);
      assertThatThrownBy(() -> signer.sign(request(60)))
          .isInstanceOf(HsmException.PinRefused.class);
      assertThat(token.logins).hasValue(2);
    }
  }

  @Test
  void sign_hungCall_waiterLeavesPermitStaysLateResultDropped() throws Exception {
    try (HsmSigner signer = open()) {
      CountDownLatch hang = new CountDownLatch(1);
      token.hang = hang;

      // Where the machine is busy, the deadline may pass before the token is reached.
      Await.until(
          "the deadline passes in the token",
          () -> catchThrowable(() -> signer.sign(request(1))) instanceof HsmException.SignTimedOut);
      assertThat(signer.stats().zombieCalls()).isEqualTo(1);
      assertThat(signer.stats().inflight()).isEqualTo(1);
      assertThatThrownBy(() -> signer.sign(request(0.1)))
          .isInstanceOf(HsmException.DeadlineExceeded.class);

      token.hang = null;
      hang.countDown();
      assertThat(signer.sign(request(60))).isNotEmpty();
      assertThat(signer.stats().zombieCalls()).isZero();
      assertThat(observer.outcomes).contains(SignOutcome.LATE);
    }
  }

  @Test
  void sign_halfOfTheWindowHangs_refusedAtOnceThenProbedAndBack() throws Exception {
    HsmSettings impatient = settings.withSessions(4).withCallTimeout(CALL_TIMEOUT);
    try (HsmSigner signer = HsmSigner.open(impatient, observer, token)) {
      CountDownLatch hang = new CountDownLatch(1);
      token.hang = hang;
      token.entered = new CountDownLatch(2);
      List<Future<Throwable>> hung = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        hung.add(requests.submit(() -> catchThrowable(() -> signer.sign(request(60)))));
      }
      token.entered.await();
      // These two alone: the first look at a lost token may come before this thread goes on.
      token.hang = null;
      for (Future<Throwable> each : hung) {
        assertThat(each.get())
            .isInstanceOfAny(HsmException.SignTimedOut.class, HsmException.TokenLost.class);
      }
      Await.until("fenced", () -> observer.states.contains(HsmState.TOKEN_LOST));
      Await.until("back", () -> signer.stats().state() == HsmState.READY);

      for (int i = 0; i < 10; i++) {
        assertThat(signer.sign(request(60))).isNotEmpty();
      }
      assertThat(losses()).isEqualTo(1);
      assertThat(signer.stats().zombieCalls()).isEqualTo(2);
      assertThat(observer.recoveries).contains(RecoveryReason.TOKEN_LOST);
      hang.countDown();
      Await.until("no zombies", () -> signer.stats().zombieCalls() == 0);
      Await.until("as many sessions as before", () -> signer.stats().sessions() == 4);
    }
  }

  /** No thread is left to look for the token but one that stands in. */
  @Test
  void sign_theOnlySessionHangsForEver_anotherThreadServes() throws Exception {
    HsmSettings impatient = settings.withSessions(1).withCallTimeout(CALL_TIMEOUT);
    try (HsmSigner signer = HsmSigner.open(impatient, observer, token)) {
      CountDownLatch hang = new CountDownLatch(1);
      token.hang = hang;
      Future<Throwable> hung =
          requests.submit(() -> catchThrowable(() -> signer.sign(request(60))));
      token.entered.await();
      token.hang = null;
      assertThat(hung.get()).isInstanceOf(HsmException.class);

      Await.until("back", () -> signer.stats().state() == HsmState.READY);
      for (int i = 0; i < 3; i++) {
        assertThat(signer.sign(request(60))).isNotEmpty();
      }
      assertThat(signer.stats().zombieCalls()).isEqualTo(1);
      hang.countDown();
      Await.until("no zombies", () -> signer.stats().zombieCalls() == 0);
    }
  }

  @Test
  void sign_watcherFails_theThreadGoesOnServing() {
    HsmSettings one = settings.withSessions(1);
    try (HsmSigner signer = HsmSigner.open(one, observer, token)) {
      for (int i = 0; i < 3; i++) {
        SignRequest plain = request(60);
        SignRequest watched =
            new SignRequest(
                plain.key(),
                plain.mechanism(),
                plain.message(),
                plain.schedule(),
                signing -> {
                  throw new IllegalStateException("a bug of the listener");
                },
                plain.waitStrategy());
        assertThat(signer.sign(watched)).isNotEmpty();
      }
    }
  }

  @Test
  // Three calls that time out after two seconds.
  @Tag("slow")
  void sign_probeHangsToo_fencedAgain() throws Exception {
    HsmSettings impatient = settings.withSessions(2).withCallTimeout(CALL_TIMEOUT);
    try (HsmSigner signer = HsmSigner.open(impatient, observer, token)) {
      CountDownLatch hang = new CountDownLatch(1);
      token.hang = hang;
      for (int i = 0; i < 3; i++) {
        Await.until("it takes a job", () -> signer.stats().state() == HsmState.READY);
        assertThat(catchThrowable(() -> signer.sign(request(60)))).isInstanceOf(HsmException.class);
      }
      Await.until("fenced twice", () -> losses() >= 2);

      token.hang = null;
      hang.countDown();
      Await.until("back", () -> signer.stats().state() == HsmState.READY);
      assertThat(signer.sign(request(60))).isNotEmpty();
    }
  }

  private long losses() {
    return observer.states.stream().filter(s -> s == HsmState.TOKEN_LOST).count();
  }

  @Test
  void sign_beyondTheBound_saturatedWithoutTouchingTheToken() throws Exception {
    HsmSettings small = settings.withQueueCapacity(2);
    try (HsmSigner signer = HsmSigner.open(small, observer, token)) {
      CountDownLatch hang = new CountDownLatch(1);
      token.hang = hang;
      List<Future<byte[]>> waiting = new ArrayList<>();
      waiting.add(requests.submit(() -> signer.sign(request(60))));
      token.entered.await();
      waiting.add(requests.submit(() -> signer.sign(request(60))));
      waiting.add(requests.submit(() -> signer.sign(request(60))));
      Await.until("two queued", () -> signer.stats().queueDepth() == 2);

      HsmException.Saturated shed =
          catchThrowableOfType(HsmException.Saturated.class, () -> signer.sign(request(60)));
      assertThat(shed.queueDepth()).isEqualTo(2);
      token.hang = null;
      hang.countDown();
      for (Future<byte[]> each : waiting) {
        assertThat(each.get()).isNotEmpty();
      }
      assertThat(token.signatures).hasValue(3);
    }
  }

  @Test
  void sign_deadlinePassed_neverExecuted() {
    try (HsmSigner signer = open()) {
      assertThatThrownBy(() -> signer.sign(request(-1)))
          .isInstanceOf(HsmException.DeadlineExceeded.class);
      assertThat(token.signatures).hasValue(0);
    }
  }

  @Test
  void close_queuedJobs_finishAndLaterOnesAreRefused() throws Exception {
    HsmSigner signer = open();
    CountDownLatch hang = new CountDownLatch(1);
    token.hang = hang;
    Future<byte[]> running = requests.submit(() -> signer.sign(request(60)));
    token.entered.await();
    Future<byte[]> queued = requests.submit(() -> signer.sign(request(60)));
    Await.until("one queued", () -> signer.stats().queueDepth() == 1);
    Future<?> closing = requests.submit(signer::close);
    Await.until("closing", () -> isClosed(signer));
    token.hang = null;
    hang.countDown();

    assertThat(running.get()).isNotEmpty();
    assertThat(queued.get()).isNotEmpty();
    closing.get();
    assertThat(signer.stats().state()).isEqualTo(HsmState.CLOSED);
    assertThat(signer.stats().sessions()).isZero();
  }

  @Test
  void sign_interrupted_flagRestored() throws Exception {
    try (HsmSigner signer = open()) {
      CountDownLatch hang = new CountDownLatch(1);
      token.hang = hang;
      List<Boolean> flags = new ArrayList<>();
      Thread caller =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      signer.sign(request(60));
                    } catch (HsmException.SignTimedOut e) {
                      flags.add(Thread.currentThread().isInterrupted());
                    }
                  });
      token.entered.await();
      caller.interrupt();
      caller.join();
      hang.countDown();

      assertThat(flags).containsExactly(true);
    }
  }

  @Test
  void sign_manyThreadsManySessions_eachGetsItsOwnSignature()
      throws InterruptedException, ExecutionException {
    HsmSettings wide = settings.withSessions(4).withQueueCapacity(2000);
    try (HsmSigner signer = HsmSigner.open(wide, observer, token)) {
      List<Future<byte[]>> made = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        SignRequest request =
            new SignRequest(
                token.keyRef(),
                Mechanism.ED25519,
                new byte[] {(byte) i},
                SignSchedule.by(after(60)));
        made.add(requests.submit(() -> signer.sign(request)));
      }

      for (int i = 0; i < made.size(); i++) {
        assertThat(made.get(i).get()).containsExactly((byte) i);
      }
      Await.until("all counted", () -> signer.stats().completed() == 1000);
      assertThat(signer.stats().inflight()).isZero();
    }
  }

  private boolean isClosed(HsmSigner signer) {
    try {
      signer.sign(request(-1));
      return false;
    } catch (HsmException e) {
      return e instanceof HsmException.Closed;
    }
  }

  private HsmSigner open() {
    return HsmSigner.open(settings, observer, token);
  }

  private SignRequest request(double seconds) {
    return new SignRequest(
        token.keyRef(), Mechanism.ECDSA_SHA256, MESSAGE, SignSchedule.by(after(seconds)));
  }

  private static long after(double seconds) {
    return System.nanoTime() + (long) (seconds * 1e9);
  }
}
