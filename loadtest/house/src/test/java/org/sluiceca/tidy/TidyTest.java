package org.sluiceca.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The checkout keeps the house rules; a failure names file, line and rule. */
class TidyTest {

  private static final Map<String, String> CATCH_ALL_ALLOWED =
      Map.of(
          "hsm-adapter/src/main/java/org/sluiceca/hsm/pkcs11/NativeInitialize.java",
          "MethodHandle.invokeExact declares Throwable",
          "hsm-adapter/src/main/java/org/sluiceca/hsm/pkcs11/ProcessExit.java",
          "MethodHandle.invokeExact declares Throwable");

  private static final Map<String, String> LARGE_PACKAGES =
      Map.of(
          "ca-core/src/main/java/org/sluiceca/core/x509",
          "the standard's own value types, one a file, without behaviour between them",
          "ca-core/src/main/java/org/sluiceca/core/der",
          "the only package that may see Bouncy Castle's ASN.1: splitting it would open that wall",
          "ca-core/src/main/java/org/sluiceca/core/profile",
          "the policies that make up a profile, one a file, each validated when it is made",
          "ca-core/src/main/java/org/sluiceca/core/plan/lint",
          "one lint, one file",
          "hsm-adapter/src/main/java/org/sluiceca/hsm",
          "the public face of the module: values that callers and all its packages share",
          "hsm-adapter/src/main/java/org/sluiceca/hsm/pkcs11",
          "the only package that may see the wrapper: splitting it would open that wall");

  /** Each number may only fall: a change that adds one of these words removes another. */
  private static final Map<WordRules.Area, Integer> WORDS_TO_AVOID =
      Map.of(
          WordRules.Area.DOCUMENTS, 0,
          WordRules.Area.MAIN_JAVA, 0,
          WordRules.Area.TEST_JAVA, 110,
          WordRules.Area.SCRIPTS, 6);

  @SuppressWarnings("NullAway.Init") // Set before all tests.
  private static Checkout checkout;

  @BeforeAll
  static void read() throws IOException, InterruptedException {
    checkout = Checkout.here();
    assertThat(checkout.paths()).contains("pom.xml", "sluice");
    assertThat(checkout.java()).hasSizeGreaterThan(100);
  }

  @Test
  void files_areShort() {
    assertTidy(FileRules.fileLength(checkout));
  }

  @Test
  void methods_areShort() {
    assertTidy(CodeRules.methodLength(checkout));
  }

  @Test
  void parameters_areFew() {
    assertTidy(CodeRules.parameterCount(checkout));
  }

  @Test
  void typeNames_saySomething() {
    assertTidy(CodeRules.typeNames(checkout));
  }

  @Test
  void notesOfWorkLeft_nameAnIssue() {
    assertTidy(FileRules.unnumberedNotes(checkout));
  }

  @Test
  void catches_areOfNamedTypes() {
    assertTidy(CodeRules.catchAlls(checkout, CATCH_ALL_ALLOWED));
  }

  @Test
  void queries_listTheirColumns() {
    assertTidy(CodeRules.selectStar(checkout));
  }

  @Test
  void formats_nameTheLocale() {
    assertTidy(LocaleRules.formats(checkout));
  }

  @Test
  void programs_setTheLocale() {
    assertTidy(LocaleRules.programs(checkout));
  }

  @Test
  void tests_neverSleep() {
    assertTidy(CodeRules.sleepsInTests(checkout));
  }

  @Test
  void tests_allRun() {
    assertTidy(CodeRules.disabledTests(checkout));
  }

  @Test
  void packages_sayWhatTheyAre() {
    assertTidy(FileRules.packageInfo(checkout));
  }

  @Test
  void packages_areSmall() {
    assertTidy(FileRules.packageSize(checkout, LARGE_PACKAGES));
  }

  @Test
  void blobs_stayOut() {
    assertTidy(FileRules.blobs(checkout));
  }

  @Test
  void privatePaths_stayOut() {
    assertTidy(FileRules.privatePaths(checkout));
  }

  @Test
  void links_leadSomewhere() {
    assertTidy(DocumentRules.links(checkout));
  }

  @Test
  void mentionedDocuments_areThere() {
    assertTidy(DocumentRules.mentions(checkout));
  }

  @Test
  void decisions_areListed() {
    assertTidy(DocumentRules.decisionsListed(checkout));
  }

  @Test
  void failures_areDescribed() {
    assertTidy(CatalogueRules.failures(checkout, CatalogueRules.FAILURE_TYPES));
  }

  @Test
  void metrics_areDescribed() {
    assertTidy(CatalogueRules.metrics(checkout));
  }

  @Test
  void invariants_nameTestsThatExist() {
    assertTidy(CatalogueRules.invariants(checkout));
  }

  @Test
  void nightlyTests_nameTheirGuardInCi() {
    assertTidy(CatalogueRules.nightlyTests(checkout));
  }

  @Test
  void words_toAvoid_growFewer() {
    assertTidy(WordRules.budget(checkout, WORDS_TO_AVOID));
  }

  private static void assertTidy(List<Finding> findings) {
    assertThat(findings).isEmpty();
  }
}
