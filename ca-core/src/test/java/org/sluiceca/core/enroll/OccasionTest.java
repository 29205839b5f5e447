package org.sluiceca.core.enroll;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.core.failure.Rejection;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.profile.ProfileAuthorizer;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.IdempotencyKey;
import org.sluiceca.core.request.Occasion;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.FakeSigner;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.InMemoryLedgerStore;
import org.sluiceca.core.testkit.ManualTime;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.testkit.WholeLine;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.CsrDer;

/** What renewals and batches may, and in which lanes they are. */
class OccasionTest {

  private static final SoftwareKey KEY = SoftwareKey.named("issuer-ec-p256");
  private static final CsrDer OLD =
      CsrFixture.host("a.test", "a.test", "b.test").signedBy(SoftwareKey.named("ec-p256"));

  private final ManualTime time = new ManualTime(Fixtures.NOW);
  private final ProfileAuthorizer authorizer =
      new ProfileAuthorizer(new ProfileCatalog(Fixtures.profiles()));
  private final Enrollment line =
      WholeLine.of(
          KEY,
          new Admission(8, () -> true, time, new SplittableRandom(1)),
          new InMemoryLedgerStore(time, time),
          new FakeSigner(Fixtures.ISSUING, KEY, SoftwareKey.named("ec-p256")),
          time);

  @Test
  void renewal_sameNamesAndANewKey_promisedInTheLaneOfRenewals() throws InterruptedException {
    CertificateDer old = issued(OLD);

    Acceptance acceptance = accept(renewal(old, names("a.test", "a.test", "b.test")));

    assertThat(acceptance)
        .isInstanceOfSatisfying(
            Acceptance.Accepted.class, p -> assertThat(p.place().lane()).isEqualTo(Lane.RENEWAL));
  }

  @Test
  void renewal_namesInAnotherOrder_promised() throws InterruptedException {
    assertThat(accept(renewal(issued(OLD), names("a.test", "b.test", "a.test"))))
        .isInstanceOf(Acceptance.Accepted.class);
  }

  /** RFC 5280 7.1 and 7.2: neither host names nor common names have case. */
  @Test
  void renewal_namesInAnotherCase_promised() throws InterruptedException {
    assertThat(accept(renewal(issued(OLD), names("A.Test", "a.TEST", "B.test", "b.test"))))
        .isInstanceOf(Acceptance.Accepted.class);
  }

  @Test
  void renewal_aNameMoreOrLessOrAnother_refused() throws InterruptedException {
    CertificateDer old = issued(OLD);

    for (CsrDer other :
        List.of(
            names("a.test", "a.test", "b.test", "c.test"),
            names("a.test", "a.test"),
            names("a.test", "a.test", "c.test"),
            names("b.test", "a.test", "b.test"))) {
      assertThat(accept(renewal(old, other)))
          .isInstanceOfSatisfying(
              Acceptance.Rejected.class,
              r ->
                  assertThat(r.rejection())
                      .extracting(Rejection::reason)
                      .isEqualTo(Reason.NAME_NOT_ALLOWED));
    }
  }

  @Test
  void renewal_keyOfAnotherCertificatesRenewal_isReused() throws InterruptedException {
    CertificateDer first = issued(OLD);
    CertificateDer second = issued(OLD);
    CsrDer csr = names("a.test", "a.test", "b.test");
    assertThat(accept(keyed(first, csr))).isInstanceOf(Acceptance.Accepted.class);

    assertThat(accept(keyed(first, csr))).isInstanceOf(Acceptance.InProgress.class);
    assertThat(accept(keyed(second, csr)))
        .isInstanceOfSatisfying(
            Acceptance.Rejected.class,
            r -> assertThat(r.rejection().reason()).isEqualTo(Reason.IDEMPOTENCY_KEY_REUSED));
  }

  @Test
  void lane_ofABatch_isBulk() {
    assertThat(authorizer.lane(request(Fixtures.requester(), new Occasion.Batch())))
        .isEqualTo(Lane.BULK);
  }

  /** Or anybody could crowd out the renewals with what is refused one step later. */
  @Test
  void lane_ofARenewalUnderAProfileThatIsNotTheirs_isNotThatOfRenewals()
      throws InterruptedException {
    Requester stranger =
        new Requester(
            Fixtures.requester().id(),
            Requester.Authentication.BEARER_TOKEN,
            Fixtures.requester().roles(),
            Set.of());

    assertThat(authorizer.lane(request(stranger, new Occasion.Renewal(issued(OLD)))))
        .isEqualTo(Lane.INTERACTIVE);
  }

  private static CsrDer names(String commonName, String... names) {
    return CsrFixture.host(commonName, names).signedBy(SoftwareKey.named("ed25519"));
  }

  private EnrollmentRequest request(Requester requester, Occasion occasion) {
    return new EnrollmentRequest(
        requester, Fixtures.tlsServer().name(), OLD, Optional.empty(), occasion);
  }

  private static EnrollmentRequest renewal(CertificateDer old, CsrDer csr) {
    return new EnrollmentRequest(
        Fixtures.requester(),
        Fixtures.tlsServer().name(),
        csr,
        Optional.empty(),
        new Occasion.Renewal(old));
  }

  private static EnrollmentRequest keyed(CertificateDer old, CsrDer csr) {
    return new EnrollmentRequest(
        Fixtures.requester(),
        Fixtures.tlsServer().name(),
        csr,
        Optional.of(new IdempotencyKey("k")),
        new Occasion.Renewal(old));
  }

  private Acceptance accept(EnrollmentRequest request) {
    return line.accept(request, Deadline.after(Duration.ofSeconds(10), time));
  }

  private CertificateDer issued(CsrDer csr) throws InterruptedException {
    EnrollmentRequest request =
        new EnrollmentRequest(
            Fixtures.requester(), Fixtures.tlsServer().name(), csr, Optional.empty());
    if (accept(request) instanceof Acceptance.Accepted accepted
        && line.finish(accepted.pending()) instanceof Finish.Issued(CertificateDer certificate)) {
      accepted.place().completed();
      return certificate;
    }
    throw new AssertionError("not issued");
  }
}
