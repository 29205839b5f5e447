package org.sluiceca.core.enroll;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.csr.CsrVerifier;
import org.sluiceca.core.csr.KeyBlocklist;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.plan.Planner;
import org.sluiceca.core.plan.SerialNumbers;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.CsrDer;

/** A dry run goes through steps 2 to 4, and nothing can be issued from it. */
class DryRunTest {

  private static final CsrDer CSR =
      CsrFixture.host("a.test", "a.test").signedBy(SoftwareKey.named("ec-p256"));

  private static DryRun dryRun(List<Issuer> issuers) {
    return new DryRun(
        new CsrVerifier(new BouncyCastleVerifier(), KeyBlocklist.EMPTY),
        new Planner(
            new IssuerCatalog(issuers),
            new SerialNumbers(new SplittableRandom(1)),
            () -> Fixtures.NOW),
        () -> 0,
        new SplittableRandom(1));
  }

  private static DryRun dryRun() {
    return dryRun(List.of(Fixtures.issuing(SoftwareKey.named("issuer-ec-p256"))));
  }

  @Test
  void run_goodRequest_passesEachTime() {
    DryRun dryRun = dryRun();

    for (int i = 0; i < 3; i++) {
      assertThat(dryRun.run(Fixtures.tlsServer(), CSR)).isTrue();
    }
  }

  @Test
  void run_requestThatAStepRefuses_givesItsPlaceBack() {
    DryRun dryRun = dryRun();

    assertThat(dryRun.run(Fixtures.tlsServer(), CsrDer.of(new byte[] {1}))).isFalse();
    assertThat(dryRun.run(ceremonyProfile(), CSR)).isFalse();
    assertThat(dryRun.run(Fixtures.tlsServer(), CSR)).isTrue();
  }

  @Test
  void run_issuerNotHere_isNoFailureOfTheNode() {
    Issuer root = Fixtures.root(SoftwareKey.named("issuer-ec-p256"));

    assertThat(dryRun(List.of(root)).run(Fixtures.tlsServer(), CSR)).isFalse();
  }

  private static CertificateProfile ceremonyProfile() {
    return Fixtures.profiles().stream()
        .filter(profile -> profile.use() == CertificateProfile.Use.CEREMONY)
        .findAny()
        .orElseThrow();
  }

  @Test
  void dryRun_dependencies_noLedgerSignerOrEventSink() {
    cannotIssue().check(imported(DryRun.class));
  }

  @Test
  void dryRun_dependenciesOfTheLineItself_ruleFails() {
    assertThat(cannotIssue().evaluate(imported(Enrollment.class)).hasViolation()).isTrue();
  }

  private static JavaClasses imported(Class<?> type) {
    return new ClassFileImporter().importClasses(type);
  }

  static ArchRule cannotIssue() {
    return noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.sluiceca.core.intent..",
            "org.sluiceca.core.order..",
            "org.sluiceca.core.check..",
            "org.sluiceca.core.audit..",
            "org.sluiceca.core.event..")
        .orShould()
        .dependOnClassesThat()
        .haveSimpleNameEndingWith("Signer");
  }
}
