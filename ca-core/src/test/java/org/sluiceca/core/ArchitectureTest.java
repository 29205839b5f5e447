package org.sluiceca.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** The boundaries of the core hold, and each rule about them can fail. */
class ArchitectureTest {

  private static final String ROOT = "org.sluiceca.core";
  private static final String MUTANT_ROOT = "org.sluiceca.mutant";

  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);
  private static final JavaClasses MUTANTS = new ClassFileImporter().importPackages(MUTANT_ROOT);

  private final ArchitectureRules core = new ArchitectureRules(ROOT);
  private final ArchitectureRules mutant = new ArchitectureRules(MUTANT_ROOT);

  @Test
  void packages_importOnlyEarlierOnes() {
    for (ArchRule rule : core.packageOrder()) {
      rule.check(CORE);
    }
    core.everyPackageIsInTheOrder().check(CORE);
  }

  @Test
  void packages_laterImported_ruleFails() {
    assertThat(mutant.packageOrder()).anySatisfy(rule -> assertBroken(rule, "ImportsLater"));
    assertBroken(mutant.everyPackageIsInTheOrder(), "unlisted");
  }

  @Test
  void packages_haveNoCycles() {
    core.noCycles().check(CORE);
  }

  @Test
  void packages_cycle_ruleFails() {
    assertBroken(mutant.noCycles(), "Cycle detected");
  }

  @Test
  void bouncyCastle_staysInDerAndVerify() {
    core.asn1OnlyInDer().check(CORE);
    core.cryptoOnlyInVerify().check(CORE);
    core.verifyParsesNothing().check(CORE);
  }

  @Test
  void bouncyCastle_elsewhere_ruleFails() {
    assertBroken(mutant.asn1OnlyInDer(), "ParsesItself");
    assertBroken(mutant.cryptoOnlyInVerify(), "HashesInDer");
    assertBroken(mutant.cryptoOnlyInVerify(), "java.security.Signature");
    assertBroken(mutant.verifyParsesNothing(), "ParsesInVerify");
  }

  @Test
  void signable_isWhatIsListed() {
    core.onlyWhatIsListedIsSignable().check(CORE);
  }

  @Test
  void signable_anotherImplementer_ruleFails() {
    assertBroken(mutant.onlyWhatIsListedIsSignable(), "UnrecordedBytes");
  }

  @Test
  void issuerSigner_isCalledByWhatIsListed() {
    core.onlyWhatIsListedSigns().check(CORE);
  }

  @Test
  void issuerSigner_calledElsewhere_ruleFails() {
    assertBroken(mutant.onlyWhatIsListedSigns(), "SignsEarly.sign");
    assertBroken(mutant.onlyWhatIsListedSigns(), "SignsEarly.prepare");
  }

  @Test
  void core_hasNoClockThreadRandomnessOrInputOfItsOwn() {
    core.noWorldOfItsOwn().check(CORE);
  }

  @Test
  void core_clockThreadRandomnessOrLog_ruleFails() {
    for (String fault :
        new String[] {
          "Instant.now", "System.nanoTime", "SecureRandom", "java.lang.Thread", "logging.Logger"
        }) {
      assertBroken(mutant.noWorldOfItsOwn(), fault);
    }
  }

  @Test
  void stepTokens_areFinalAndMintedByTheirStep() {
    core.stepTokensAreMintedByTheirStep().check(CORE);
    long found =
        CORE.stream().filter(c -> ArchitectureRules.isStepToken(core.nameBelowRoot(c))).count();
    assertThat(found).isEqualTo(ArchitectureRules.stepTokenCount());
  }

  @Test
  void stepTokens_publicConstructorOrOpenClass_ruleFails() {
    assertBroken(mutant.stepTokensAreMintedByTheirStep(), "IssuancePlan");
    assertBroken(mutant.stepTokensAreMintedByTheirStep(), "VerifiedCsr");
  }

  private static void assertBroken(ArchRule rule, String named) {
    assertThat(rule.evaluate(MUTANTS).getFailureReport().toString()).contains(named);
  }
}
