package org.sluiceca.core.enroll;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.csr.CsrVerifier;
import org.sluiceca.core.csr.KeyBlocklist;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.plan.Planner;
import org.sluiceca.core.plan.SerialNumbers;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.GeneralName;

/** A preview shows what the line would make of a request of this requester, and issues nothing. */
class PreviewTest {

  private static final CsrDer CSR =
      CsrFixture.host("a.test", "a.test").signedBy(SoftwareKey.named("ec-p256"));

  private final Preview preview =
      new Preview(
          new ProfileCatalog(Fixtures.profiles()),
          new CsrVerifier(new BouncyCastleVerifier(), KeyBlocklist.EMPTY),
          new Planner(
              new IssuerCatalog(List.of(Fixtures.issuing(SoftwareKey.named("issuer-ec-p256")))),
              new SerialNumbers(new SplittableRandom(1)),
              () -> Fixtures.NOW),
          () -> 0,
          new SplittableRandom(1));

  private static EnrollmentRequest request(ProfileName granted, Role role, CsrDer csr) {
    return new EnrollmentRequest(
        new Requester(
            new RequesterId("web"),
            Requester.Authentication.BEARER_TOKEN,
            Set.of(role),
            Set.of(granted)),
        Fixtures.tlsServer().name(),
        csr,
        Optional.empty());
  }

  private Preview.Result of(Role role, CsrDer csr) {
    return preview.of(request(Fixtures.tlsServer().name(), role, csr));
  }

  @Test
  void of_goodRequest_theCertificateThatItBecomes() throws DerException {
    for (int i = 0; i < 3; i++) {
      assertThat(of(Role.REQUESTER, CSR)).isInstanceOf(Preview.Result.Planned.class);
    }
    Preview.Result.Planned planned = (Preview.Result.Planned) of(Role.REQUESTER, CSR);

    assertThat(CertificateReader.names(planned.plan().tbsCertificate()).subjectAltNames())
        .containsExactly(new GeneralName.Dns("a.test"));
  }

  @Test
  void of_whatAStepRefuses_itsReasonAndThePlaceIsFreeAgain() {
    assertThat(reason(of(Role.REQUESTER, CsrDer.of(new byte[] {1}))))
        .isEqualTo(Reason.MALFORMED_CSR);
    assertThat(reason(of(Role.ADMIN, CSR))).isEqualTo(Reason.PROFILE_NOT_ALLOWED);
    assertThat(reason(preview.of(request(new ProfileName("other"), Role.REQUESTER, CSR))))
        .isEqualTo(Reason.PROFILE_NOT_ALLOWED);
    assertThat(of(Role.REQUESTER, CSR)).isInstanceOf(Preview.Result.Planned.class);
  }

  private static Reason reason(Preview.Result result) {
    return ((Preview.Result.Refused) result).rejection().reason();
  }

  @Test
  void preview_dependencies_noLedgerSignerOrEventSink() {
    DryRunTest.cannotIssue().check(new ClassFileImporter().importClasses(Preview.class));
  }
}
