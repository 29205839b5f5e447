package org.sluiceca.api;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.hsm.HsmIssuerSigner;
import org.sluiceca.core.enroll.Acceptance;
import org.sluiceca.core.enroll.Enrollment;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.sign.IssuerSigner;
import org.sluiceca.core.sign.SignSchedule;
import org.sluiceca.core.sign.Signable;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.hsm.RequestSigner;

/** The service's boundary rules, of docs/ARCHITECTURE.md. */
class ArchitectureTest {

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("org.sluiceca.api");

  @Test
  void sql_onlyInStores() {
    sqlRule().check(CLASSES);
  }

  @Test
  void sql_plantedElsewhere_found() {
    assertBroken(sqlRule(), new ClassFileImporter().importClasses(PlantedQuery.class));
  }

  private static ArchRule sqlRule() {
    return noClasses()
        .that()
        .resideOutsideOfPackages("org.sluiceca.api..store..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "java.sql..",
            "javax.sql..",
            "org.postgresql..",
            "com.zaxxer..",
            "org.springframework.jdbc..");
  }

  /** Speaks SQL outside of a store. */
  static final class PlantedQuery {

    void run(java.sql.Connection connection) throws java.sql.SQLException {
      connection.commit();
    }
  }

  @Test
  void hsm_onlyWhereItIsJoined() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "org.sluiceca.api.hsm..",
            "org.sluiceca.api.issuer",
            "org.sluiceca.api.observe..",
            "org.sluiceca.api.cli.ceremony..",
            "org.sluiceca.api..config..",
            "org.sluiceca.api.http.access",
            "org.sluiceca.api.ocsp")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.sluiceca.hsm..")
        .check(CLASSES);
  }

  @Test
  void pkcs11AndBouncyCastle_nowhere() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "iaik..", "sun.security..", "org.sluiceca.hsm.pkcs11..", "org.bouncycastle..")
        .check(CLASSES);
  }

  @Test
  void signer_calledByTheLineAlone() {
    signerRule().check(CLASSES);
  }

  @Test
  void signer_plantedCallersOfEitherWay_found() {
    assertBroken(signerRule(), new ClassFileImporter().importClasses(PlantedSigner.class));
    assertBroken(signerRule(), new ClassFileImporter().importClasses(PlantedPreparer.class));
  }

  /** What may be signed is made in ca-core, where each kind is listed. */
  @Test
  void signable_madeInTheCoreAlone() {
    signableRule().check(CLASSES);
    assertBroken(signableRule(), new ClassFileImporter().importClasses(PlantedSignable.class));
  }

  private static ArchRule signerRule() {
    return noClasses()
        .should()
        .callMethodWhere(
            target(owner(assignableTo(IssuerSigner.class)))
                .and(
                    target(name("prepare"))
                        .or(
                            target(name("sign"))
                                .and(not(target(owner(type(HsmIssuerSigner.class)))))))
                .as("sign or prepare of an issuer's signer"));
  }

  private static ArchRule signableRule() {
    return noClasses().should().beAssignableTo(Signable.class);
  }

  /** A caller that signs past the line. */
  static final class PlantedSigner {
    static Object sign(IssuerSigner signer, Signable signable, SignSchedule schedule) {
      return signer.sign(signable, schedule);
    }
  }

  /** A caller that signs past the line by the other way. */
  static final class PlantedPreparer {
    static Object prepare(IssuerSigner signer) {
      return signer.prepare();
    }
  }

  /** Something to sign that the core does not know. */
  abstract static class PlantedSignable implements Signable {}

  /** Nor behind its back: by the token itself, or by the way that a ceremony has. */
  @Test
  void token_signsForTheLineAndTheCeremonyAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackages("org.sluiceca.api.hsm..")
        .should()
        .callMethodWhere(target(name("sign")).and(target(owner(assignableTo(RequestSigner.class)))))
        .check(CLASSES);
    noClasses()
        .that()
        .resideOutsideOfPackages("org.sluiceca.api.hsm..", "org.sluiceca.api.cli.ceremony..")
        .should()
        .callMethodWhere(target(name("sign")).and(target(owner(type(HsmIssuerSigner.class)))))
        .check(CLASSES);
  }

  /** Protocols translate to the service; the ceremony alone has a line of its own. */
  @Test
  void line_usedByTheServiceAndTheCeremonyAlone() {
    lineRule().check(CLASSES);
  }

  @Test
  void line_plantedProtocolThatAccepts_found() {
    JavaClasses planted = new ClassFileImporter().importClasses(PlantedProtocol.class);

    assertBroken(lineRule(), planted);
  }

  private static ArchRule lineRule() {
    return noClasses()
        .that()
        .resideOutsideOfPackages("org.sluiceca.api.issuance..", "org.sluiceca.api.cli.ceremony..")
        .should()
        .callMethodWhere(
            target(owner(type(Enrollment.class)))
                .and(target(name("accept")).or(target(name("finish")))));
  }

  /** Goes around the service. */
  static final class PlantedProtocol {

    public Acceptance enroll(Enrollment enrollment, EnrollmentRequest request, Deadline deadline) {
      return enrollment.accept(request, deadline);
    }
  }

  /** Each package by itself, the root and those below another included. */
  @Test
  void packages_withoutCycles() {
    cycleRule().check(CLASSES);
  }

  @Test
  void packages_plantedParentAndChildThatKnowEachOther_found() {
    assertBroken(cycleRule(), new ClassFileImporter().importPackages("org.sluiceca.planted"));
  }

  private static ArchRule cycleRule() {
    return slices().matching("org.sluiceca.(**)").should().beFreeOfCycles();
  }

  private static void assertBroken(ArchRule rule, JavaClasses planted) {
    assertThat(rule.evaluate(planted).hasViolation()).isTrue();
  }
}
