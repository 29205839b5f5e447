package org.sluiceca.api.issuance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.platform.store.Await;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.core.enroll.Acceptance;
import org.sluiceca.core.enroll.Enrollment;
import org.sluiceca.core.intent.Claim;
import org.sluiceca.core.intent.LedgerStore.OutcomeAnswer;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.sign.IssuerSigner;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.FakeSigner;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.ForwardingLedgerStore;
import org.sluiceca.core.testkit.InMemoryLedgerStore;
import org.sluiceca.core.testkit.ListEventSink;
import org.sluiceca.core.testkit.ManualTime;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.testkit.ThreadedSigner;
import org.sluiceca.core.testkit.WholeLine;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Pending;
import org.sluiceca.core.x509.SerialNumber;

/**
 * A promise is durable before it is kept: whatever fails afterwards is not the client's failure.
 */
class IssuanceExecutorTest {

  private static final SoftwareKey KEY = SoftwareKey.named("issuer-ec-p256");

  private final ManualTime time = new ManualTime(Fixtures.NOW);
  private final InMemoryLedgerStore store = new InMemoryLedgerStore(time, time);
  private final Admission admission = new Admission(1, () -> true, time, new SplittableRandom(1));

  @Test
  void finish_sound_isIssuedAndGivesItsPlaceBack() throws Exception {
    Enrollment line = line(new FakeSigner(Fixtures.ISSUING, KEY, SoftwareKey.named("ec-p256")));
    try (IssuanceExecutor executor = executor(line)) {
      Acceptance.Accepted accepted = promise(line);

      assertThat(executor.finish(accepted, soon())).isPresent();
    }
    promise(line);
  }

  @Test
  void finish_faultThatNobodyExpected_emptyAndPending() throws Exception {
    Enrollment line =
        line(
            (signable, turn) -> {
              throw new UnsupportedOperationException("planted");
            });
    try (IssuanceExecutor executor = executor(line)) {
      Acceptance.Accepted accepted = promise(line);

      assertThat(executor.finish(accepted, soon())).isEmpty();
      assertThat(store.find(accepted.intent().serialNumber()).orElseThrow().outcome()).isEmpty();
    }
    promise(line);
  }

  @Test
  void finish_noClientWaitsAndTheNodeStops_emptyAndPlaceGivenBack() throws Exception {
    Enrollment line = line(new FakeSigner(Fixtures.ISSUING, KEY, SoftwareKey.named("ec-p256")));
    IssuanceExecutor executor = executor(line);
    Acceptance.Accepted accepted = promise(line);
    executor.close();

    assertThat(executor.finish(accepted, now())).isEmpty();

    assertThat(store.find(accepted.intent().serialNumber()).orElseThrow().outcome()).isEmpty();
    promise(line);
  }

  /** The claim ran out while the token was at it: no thread will look after that call. */
  @Test
  void finish_claimLostAfterTheSignatureBegan_givenUpAndPending() {
    ThreadedSigner signer = new ThreadedSigner(sound());
    Enrollment line = line(signer);
    try (IssuanceExecutor executor = executor(line)) {
      Acceptance.Accepted accepted = promise(line);
      time.pass(WholeLine.CLAIM);

      assertThat(executor.finish(accepted, soon())).isEmpty();

      assertThat(signer.isAbandoned).isTrue();
      assertThat(store.find(accepted.intent().serialNumber()).orElseThrow().outcome()).isEmpty();
    }
    promise(line);
  }

  /** Its client's thread is interrupted, and another thread records what was signed. */
  @Test
  void finish_interrupted_goesOnWithoutItsClient() throws Exception {
    CountDownLatch maySign = new CountDownLatch(1);
    ThreadedSigner signer =
        new ThreadedSigner(
            (signable, schedule) -> {
              try {
                assertThat(maySign.await(50, TimeUnit.SECONDS)).isTrue();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
              return sound().sign(signable, schedule);
            });
    Enrollment line = realTime(signer);
    try (IssuanceExecutor executor = executor(line)) {
      Acceptance.Accepted accepted = promise(line);
      Thread.currentThread().interrupt();

      assertThat(executor.finish(accepted, soon())).isEmpty();
      assertThat(Thread.interrupted()).isTrue();

      maySign.countDown();
      Await.until(
          "it is recorded",
          () -> store.find(accepted.intent().serialNumber()).orElseThrow().outcome().isPresent());
      assertThat(signer.isAbandoned).isFalse();
    }
    promise(line);
  }

  /** The row is with the writer: its end is waited for, so that what was issued is reported. */
  @Test
  void finish_interruptedWhileRecordingAndTheNodeStops_waitedForAndReported() {
    ForwardingLedgerStore slow =
        new ForwardingLedgerStore(store) {
          private boolean wasInterrupted;

          @Override
          public Pending<OutcomeAnswer> startOutcome(
              SerialNumber serialNumber, Outcome outcome, Claim claim, Deadline deadline) {
            return until -> {
              if (!wasInterrupted) {
                wasInterrupted = true;
                throw new InterruptedException();
              }
              return Optional.of(recordOutcome(serialNumber, outcome, claim, deadline));
            };
          }
        };
    ListEventSink events = new ListEventSink();
    Enrollment line = WholeLine.of(KEY, admission, slow, sound(), time, System::nanoTime, events);
    IssuanceExecutor executor = executor(line);
    Acceptance.Accepted accepted = promise(line);
    executor.close();

    assertThat(executor.finish(accepted, soon())).isEmpty();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(events.names()).endsWith("CertificateIssued");
    promise(line);
  }

  private FakeSigner sound() {
    return new FakeSigner(Fixtures.ISSUING, KEY, SoftwareKey.named("ec-p256"));
  }

  private Enrollment realTime(IssuerSigner signer) {
    return WholeLine.of(KEY, admission, store, signer, time, System::nanoTime, event -> {});
  }

  private IssuanceExecutor executor(Enrollment line) {
    return new IssuanceExecutor(
        new IntentFinisher(line, event -> {}, System::nanoTime), System::nanoTime);
  }

  /** Takes the only place there is. */
  private Acceptance.Accepted promise(Enrollment line) {
    Acceptance acceptance =
        line.accept(
            new EnrollmentRequest(
                Fixtures.requester(),
                Fixtures.tlsServer().name(),
                CsrFixture.file("openssl-ec-p256"),
                Optional.empty()),
            Deadline.after(WholeLine.CLAIM, time));
    assertThat(acceptance).isInstanceOf(Acceptance.Accepted.class);
    return (Acceptance.Accepted) acceptance;
  }

  private static Deadline now() {
    return Deadline.after(Duration.ZERO, System::nanoTime);
  }

  private static Deadline soon() {
    return Deadline.after(Duration.ofSeconds(20), System::nanoTime);
  }

  private Enrollment line(IssuerSigner signer) {
    return WholeLine.of(KEY, admission, store, signer, time);
  }
}
