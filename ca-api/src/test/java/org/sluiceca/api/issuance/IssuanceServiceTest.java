package org.sluiceca.api.issuance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.core.admit.AdmissionDecision;
import org.sluiceca.core.enroll.Enrollment;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.IdempotencyKey;
import org.sluiceca.core.request.Occasion;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.sign.IssuerSigner;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.FakeSigner;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.InMemoryLedgerStore;
import org.sluiceca.core.testkit.ManualTime;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.testkit.ThreadedSigner;
import org.sluiceca.core.testkit.WholeLine;

/** What protocols get from the service, over the whole line. */
@Timeout(60)
class IssuanceServiceTest {

  private static final SoftwareKey KEY = SoftwareKey.named("issuer-ec-p256");
  private static final Wait LONG = Wait.ofClient(false, Duration.ofSeconds(30));

  private final ManualTime time = new ManualTime(Fixtures.NOW);
  private final InMemoryLedgerStore store = new InMemoryLedgerStore(time, System::nanoTime);
  private final Admission admission = new Admission(4, () -> true, time, new SplittableRandom(1));
  private final FakeSigner token =
      new FakeSigner(Fixtures.ISSUING, KEY, SoftwareKey.named("ec-p256"));
  private final CountDownLatch isSigning = new CountDownLatch(1);
  private final CountDownLatch maySign = new CountDownLatch(1);

  private IssuanceExecutor executor = executor(token);
  private IssuanceService service = service(token);

  private IssuanceExecutor executor(IssuerSigner signer) {
    return new IssuanceExecutor(
        new IntentFinisher(line(signer), event -> {}, System::nanoTime), System::nanoTime);
  }

  private IssuanceService service(IssuerSigner signer) {
    return new IssuanceService(line(signer), IssuanceParts.of(executor));
  }

  private Enrollment line(IssuerSigner signer) {
    return WholeLine.of(KEY, admission, store, signer, time, System::nanoTime, event -> {});
  }

  /** From now on a signature waits for {@link #maySign}. */
  private void hold() {
    executor.close();
    IssuerSigner held =
        new ThreadedSigner(
            (signable, schedule) -> {
              isSigning.countDown();
              try {
                assertThat(maySign.await(50, TimeUnit.SECONDS)).isTrue();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
              return token.sign(signable, schedule);
            });
    executor = executor(held);
    service = service(held);
  }

  @AfterEach
  void close() {
    maySign.countDown();
    executor.close();
  }

  private static EnrollmentRequest request() {
    return new EnrollmentRequest(
        Fixtures.requester(),
        Fixtures.tlsServer().name(),
        CsrFixture.file("openssl-ec-p256"),
        Optional.empty());
  }

  private static EnrollmentRequest keyed() {
    EnrollmentRequest bare = request();
    return new EnrollmentRequest(
        bare.requester(), bare.profile(), bare.csr(), Optional.of(new IdempotencyKey("k")));
  }

  private static EnrollmentRequest bulk() {
    EnrollmentRequest bare = request();
    return new EnrollmentRequest(
        bare.requester(), bare.profile(), bare.csr(), Optional.empty(), new Occasion.Batch());
  }

  @Test
  void issue_clientWaits_issuedAndRecorded() {
    assertThat(service.issue(request(), LONG))
        .isInstanceOfSatisfying(
            IssuanceResult.Issued.class,
            issued -> {
              assertThat(issued.waited()).isTrue();
              assertThat(store.find(issued.intent().serialNumber()).orElseThrow().certificate())
                  .contains(issued.certificate());
            });
    assertThat(admission.occupancy().inFlight()).isZero();
  }

  @Test
  void issue_sameKeyAgain_replayedOrInProgress() {
    hold();
    IssuanceResult.Pending first =
        (IssuanceResult.Pending) service.issue(keyed(), Wait.ofClient(false, Duration.ZERO));

    assertThat(service.issue(keyed(), LONG))
        .isEqualTo(new IssuanceResult.InProgress(first.order()));

    maySign.countDown();
    executor.close();
    assertThat(service.issue(keyed(), LONG))
        .isInstanceOfSatisfying(
            IssuanceResult.Replayed.class,
            replayed -> assertThat(replayed.intent().serialNumber()).isEqualTo(first.order()));
  }

  /**
   * The intent is durable: the client hears of an order, and the certificate comes all the same.
   */
  @Test
  void issue_waitIsOver_pendingWithItsPositionAndIssuedLater() throws Exception {
    hold();

    IssuanceResult result = service.issue(request(), Wait.ofClient(false, Duration.ofMillis(1)));

    assertThat(result)
        .isInstanceOfSatisfying(
            IssuanceResult.Pending.class,
            pending -> {
              assertThat(pending.waited()).isTrue();
              assertThat(pending.position()).isPresent();
            });
    assertThat(isSigning.await(50, TimeUnit.SECONDS)).isTrue();
    maySign.countDown();
    executor.close();
    assertThat(store.find(((IssuanceResult.Pending) result).order()).orElseThrow().outcome())
        .containsInstanceOf(Outcome.Issued.class);
  }

  @Test
  void issue_interrupted_pendingAndTheInterruptIsKept() {
    hold();
    Thread.currentThread().interrupt();

    assertThat(service.issue(request(), LONG)).isInstanceOf(IssuanceResult.Pending.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  /** A connection is not held for bulk work; a batch bounds its own threads, and waits. */
  @Test
  void issue_bulkWork_aClientOnAConnectionDoesNotWait() {
    assertThat(service.issue(bulk(), Wait.ofNode(Duration.ofSeconds(30))))
        .isInstanceOfSatisfying(
            IssuanceResult.Issued.class, issued -> assertThat(issued.waited()).isTrue());

    hold();

    assertThat(service.issue(bulk(), LONG))
        .isInstanceOfSatisfying(
            IssuanceResult.Pending.class, pending -> assertThat(pending.waited()).isFalse());
  }

  @Test
  void issue_unknownProfileOrNoPlace_rejectedOrShed() {
    EnrollmentRequest bare = request();
    assertThat(
            service.issue(
                new EnrollmentRequest(
                    bare.requester(), new ProfileName("nothing"), bare.csr(), Optional.empty()),
                LONG))
        .isInstanceOfSatisfying(
            IssuanceResult.Rejected.class,
            rejected ->
                assertThat(rejected.rejection().reason()).isEqualTo(Reason.UNKNOWN_PROFILE));

    admission.drain();

    assertThat(service.issue(request(), LONG))
        .isInstanceOfSatisfying(
            IssuanceResult.Shed.class,
            shed ->
                assertThat(shed.decision().cause()).isEqualTo(AdmissionDecision.Cause.DRAINING));
  }
}
