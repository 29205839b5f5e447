package org.sluiceca.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.audit.ChainHead;

/** The client knows the service by its interface; of its classes, the verifier of the trail. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("org.sluiceca.client");

  private static ArchRule coreRule() {
    return noClasses()
        .that()
        .resideOutsideOfPackage("org.sluiceca.client.audit")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.sluiceca.core..");
  }

  @Test
  void core_knownByTheAuditCommandsAlone() {
    coreRule().check(CLASSES);
  }

  @Test
  void core_plantedUse_found() {
    assertThat(
            coreRule()
                .evaluate(new ClassFileImporter().importClasses(Planted.class))
                .hasViolation())
        .isTrue();
  }

  @Test
  void auditCommands_knowTheVerifierAndItsTypesAlone() {
    noClasses()
        .that()
        .resideInAPackage("org.sluiceca.client.audit")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.sluiceca.core.enroll..",
            "org.sluiceca.core.intent..",
            "org.sluiceca.core.sign..",
            "org.sluiceca.core.profile..",
            "org.sluiceca.core.plan..",
            "org.springframework..",
            "java.sql..")
        .check(CLASSES);
  }

  /** Knows the core outside of the audit commands. */
  static final class Planted {
    ChainHead head() {
      return ChainHead.start("a");
    }
  }
}
