package org.sluiceca.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each rule finds a planted fault, and lets the same thing without the fault pass. */
class TidyMutantTest {

  private static final String MAIN = "core/src/main/java/a/A.java";
  private static final String TEST = "core/src/test/java/a/ATest.java";

  /** Cut in two, so that these faults are not found in this very file. */
  private static final String NOTE = "TO" + "DO";

  private static final String STAR = String.join(" ", "SELECT", "* FROM t");

  @Test
  void fileLength_oneLineOver_found() {
    assertFound(FileRules.fileLength(one(MAIN, "\n".repeat(501))), "501 lines, allowed 500");
    assertFound(FileRules.fileLength(one(TEST, "\n".repeat(801))), "801 lines, allowed 800");
    assertThat(FileRules.fileLength(one(MAIN, "\n".repeat(500)))).isEmpty();
    assertThat(FileRules.fileLength(one(TEST, "\n".repeat(800)))).isEmpty();
  }

  @Test
  void methodLength_oneLineOver_found() {
    assertFound(CodeRules.methodLength(one(MAIN, method(71))), MAIN + ":2: method m has 71 lines");
    assertThat(CodeRules.methodLength(one(MAIN, method(70)))).isEmpty();
  }

  @Test
  void words_oneMoreOrOneLess_found() {
    // Cut in two, so that it is not counted in this very file.
    String word = "no" + "body";
    Checkout two = one(MAIN, "/** " + word + ", " + word + " */\nclass A {}");
    assertFound(
        WordRules.budget(two, Map.of(WordRules.Area.MAIN_JAVA, 1)),
        "MAIN_JAVA: 2 words to avoid, allowed 1; the last in " + MAIN + ":1");
    assertFound(
        WordRules.budget(two, Map.of(WordRules.Area.MAIN_JAVA, 3)), "lower the budget from 3");
    assertThat(WordRules.budget(two, Map.of(WordRules.Area.MAIN_JAVA, 2))).isEmpty();
    assertFound(WordRules.budget(one("README.md", word), Map.of()), "FRONT_PAGES: 1 words");
    assertThat(WordRules.budget(one("docs/adr/0001-a.md", word), Map.of())).isEmpty();
    assertThat(WordRules.budget(one(MAIN, "// BodyPublishers.noBody()"), Map.of())).isEmpty();
    assertFound(WordRules.budget(one(MAIN, "// N" + "obody"), Map.of()), "MAIN_JAVA: 1");
  }

  private static String method(int lines) {
    return "class A {\n  void m() {" + "\n".repeat(lines - 1) + "}\n}\n";
  }

  @Test
  void parameterCount_nine_foundExceptInRecords() {
    String nine = "(int a, int b, int c, int d, int e, int f, int g, int h, int i)";
    assertFound(
        CodeRules.parameterCount(one(MAIN, "class A { A" + nine + " {} }")), "9 parameters");
    assertFound(
        CodeRules.parameterCount(one(MAIN, "class A { void m" + nine + " {} }")), "9 parameters");
    assertThat(CodeRules.parameterCount(one(MAIN, "record A" + nine + " {}"))).isEmpty();
  }

  @Test
  void typeNames_bannedWord_foundExceptInStandardTerms() {
    for (String name : new String[] {"KeyManager", "SigningUtils", "AbstractKey", "LedgerImpl"}) {
      assertFound(CodeRules.typeNames(one(MAIN, "class A { class " + name + " {} }")), name);
    }
    assertThat(CodeRules.typeNames(one(MAIN, "class SubjectPublicKeyInfo {} record Database() {}")))
        .isEmpty();
  }

  @Test
  void unnumberedNotes_noIssue_found() {
    assertFound(FileRules.unnumberedNotes(one(MAIN, "\n// " + NOTE + ": later")), MAIN + ":2:");
    assertThat(FileRules.unnumberedNotes(one(MAIN, "// " + NOTE + "(#7): later"))).isEmpty();
  }

  @Test
  void catchAlls_exceptionOrThrowable_foundUnlessAllowed() {
    String single = "class A { void m() { try { m(); } catch (Throwable e) { throw e; } } }";
    String union = "class A { void m() { try { m(); } catch (Error | Exception e) {} } }";
    String named = "class A { void m() { try { m(); } catch (IllegalStateException e) {} } }";
    assertFound(CodeRules.catchAlls(one(MAIN, single), Map.of()), "catches Throwable");
    assertFound(CodeRules.catchAlls(one(MAIN, union), Map.of()), "catches Error | Exception");
    assertThat(CodeRules.catchAlls(one(MAIN, single), Map.of(MAIN, "edge"))).isEmpty();
    assertThat(CodeRules.catchAlls(one(MAIN, named), Map.of())).isEmpty();
    assertFound(CodeRules.catchAlls(one(MAIN, named), Map.of(MAIN, "edge")), "any more");
  }

  @Test
  void formats_byDefaultLocale_found() {
    for (String call :
        List.of(
            "\"%d\".formatted(1)",
            "String.format(\"%d\", 1)",
            "System.out.printf(\"%d\", 1)",
            "name.toLowerCase()",
            "DateTimeFormatter.ofPattern(\"uuuu\")",
            "new DecimalFormat(\"0\")",
            "names.map(String::toUpperCase)")) {
      String code = "class A { Object m() { return " + call + "; } }";
      assertFound(LocaleRules.formats(one(MAIN, code)), "name the locale");
      assertThat(LocaleRules.formats(one(TEST, code))).isEmpty();
    }
    String named =
        "class A { Object m() { return String.format(Locale.ROOT, \"%d\", 1)"
            + " + name.toLowerCase(Locale.ROOT) + clock.format(now); } }";
    assertThat(LocaleRules.formats(one(MAIN, named))).isEmpty();
  }

  @Test
  void programs_withoutLocale_found() {
    String code = "class A { public static void main(String[] a) { %s run(a); } }";
    assertFound(
        LocaleRules.programs(one(MAIN, code.replace("%s", ""))), LocaleRules.FIRST_STATEMENT);
    assertThat(
            LocaleRules.programs(one(MAIN, code.replace("%s", LocaleRules.FIRST_STATEMENT + ";"))))
        .isEmpty();
  }

  @Test
  void selectStar_inCodeOrMigration_found() {
    assertFound(
        CodeRules.selectStar(one(MAIN, "class A { String s = \"" + STAR + "\"; }")), "columns");
    assertFound(CodeRules.selectStar(one("ledger/V1.sql", STAR)), "columns");
    assertThat(CodeRules.selectStar(one("ledger/V1.sql", "SELECT count(*) FROM t"))).isEmpty();
  }

  @Test
  void sleepsInTests_found() {
    assertFound(
        CodeRules.sleepsInTests(one(TEST, "class A { void m() { Thread.sleep(1); } }")), "time");
    assertFound(
        CodeRules.sleepsInTests(
            one(TEST, "class A { void m() { java.util.concurrent.TimeUnit.DAYS.sleep(1); } }")),
        "time");
    assertThat(CodeRules.sleepsInTests(one(TEST, "class A { String s = \"Thread.sleep(1)\"; }")))
        .isEmpty();
  }

  @Test
  void disabledTests_found() {
    assertFound(CodeRules.disabledTests(one(TEST, "class A { @Disabled void m() {} }")), "deleted");
    assertFound(
        CodeRules.disabledTests(one(TEST, "@org.junit.jupiter.api.Disabled(\"flaky\") class A {}")),
        "deleted");
  }

  @Test
  void packageInfo_missing_found() {
    assertFound(FileRules.packageInfo(one(MAIN, "class A {}")), "core/src/main/java/a: no package");
    assertThat(
            FileRules.packageInfo(
                Checkout.of(
                    Map.of(MAIN, "class A {}", "core/src/main/java/a/package-info.java", ""))))
        .isEmpty();
    assertThat(FileRules.packageInfo(one(TEST, "class ATest {}"))).isEmpty();
  }

  @Test
  void packageSize_thirteen_foundUnlessAllowed() {
    Map<String, String> files = new java.util.TreeMap<>();
    for (int i = 0; i < 13; i++) {
      files.put("core/src/main/java/a/A" + i + ".java", "class A {}");
    }
    String folder = "core/src/main/java/a";
    assertFound(FileRules.packageSize(Checkout.of(files), Map.of()), "13 files, allowed 12");
    assertThat(FileRules.packageSize(Checkout.of(files), Map.of(folder, "why"))).isEmpty();
    files.remove("core/src/main/java/a/A0.java");
    assertThat(FileRules.packageSize(Checkout.of(files), Map.of())).isEmpty();
    assertFound(FileRules.packageSize(Checkout.of(files), Map.of(folder, "why")), "no leave");
  }

  @Test
  void blobs_oneByteOver_found() {
    assertFound(FileRules.blobs(one("a.bin", "x".repeat(262_145))), "262145 bytes");
    assertThat(FileRules.blobs(one("a.bin", "x".repeat(262_144)))).isEmpty();
  }

  @Test
  void privatePaths_found() {
    for (String path : new String[] {"work", "root", "home/ann", "Users/ann"}) {
      assertFound(FileRules.privatePaths(one("a.md", "see /" + path + "/x")), "a.md:1:");
    }
    assertThat(FileRules.privatePaths(one("a.md", "target/" + "work/x, D/softhsm/" + "root/y")))
        .isEmpty();
  }

  @Test
  void links_deadFileOrAnchor_found() {
    assertFound(DocumentRules.links(one("docs/A.md", "[b](B.md)")), "dead link B.md");
    assertFound(
        DocumentRules.links(
            Checkout.of(Map.of("docs/A.md", "[b](../B.md#two)", "B.md", "# One\n```\n# two\n```"))),
        "dead link ../B.md#two");
    assertThat(
            DocumentRules.links(
                Checkout.of(
                    Map.of(
                        "docs/A.md",
                        "[b](../B.md#one-more) [c](#a) [d](https://a.test/)\n# A\n`[e](E.md)`",
                        "B.md",
                        "## One, more"))))
        .isEmpty();
  }

  @Test
  void mentions_noSuchDocument_found() {
    assertFound(
        DocumentRules.mentions(one(MAIN, "// docs/" + "NOWHERE.md says why\nclass A {}")),
        MAIN + ":1: no such document");
    assertThat(
            DocumentRules.mentions(
                Checkout.of(Map.of(MAIN, "// docs/adr/" + "0002.", "docs/adr/0002-a.md", "a"))))
        .isEmpty();
  }

  @Test
  void decisionsListed_missing_found() {
    assertFound(
        DocumentRules.decisionsListed(
            Checkout.of(Map.of("docs/adr/0001-a.md", "", "docs/adr/README.md", "[b](0002-b.md)"))),
        "docs/adr/0001-a.md: not linked");
  }

  @Test
  void failures_variantOrRowMissing_found() {
    String sealed = "sealed class F { static final class Lost extends F {} enum Why { OLD(1); } }";
    Map<String, String> types = Map.of(MAIN, "F");
    assertFound(
        CatalogueRules.failures(documented(sealed, "| `Gone` | x |"), types), "no row for Lost");
    assertFound(
        CatalogueRules.failures(documented(sealed, "| `Gone` | x |"), types), "unknown Gone");
    assertFound(
        CatalogueRules.failures(documented(sealed, ""), Map.of(MAIN, "Why")), "no row for OLD");
    assertFound(CatalogueRules.failures(documented(sealed, ""), Map.of(MAIN, "Other")), "moved?");
    assertThat(CatalogueRules.failures(documented(sealed, "| `Lost` | x |"), types)).isEmpty();
  }

  private static Checkout documented(String code, String document) {
    return Checkout.of(Map.of(MAIN, code, CatalogueRules.FAILURES, document));
  }

  @Test
  void metrics_undocumentedUnregisteredOrMisspelt_found() {
    String code = "class A { Object o = count(\"ca.issued\"); }";
    String operations = CatalogueRules.OPERATIONS;
    assertFound(
        CatalogueRules.metrics(Checkout.of(Map.of(MAIN, code, operations, "`ca_lost_total`"))),
        "not described: ca_issued");
    assertFound(
        CatalogueRules.metrics(Checkout.of(Map.of(MAIN, code, operations, "`ca_lost_total`"))),
        "no code registers ca_lost");
    assertFound(
        CatalogueRules.metrics(
            Checkout.of(
                Map.of(
                    MAIN,
                    code,
                    operations,
                    "`ca_issued_total`",
                    "deploy/s.sh",
                    "sum ca_isued_total"))),
        "deploy/s.sh: no code registers ca_isued");
    assertFound(
        CatalogueRules.metrics(
            Checkout.of(
                Map.of(
                    MAIN,
                    code,
                    operations,
                    "`ca_issued_total`",
                    "deploy/d.json",
                    "\"expr\": \"rate(ca_issued_seconds_sum[1m]) / ca_isued_seconds_count\""))),
        "deploy/d.json: no code registers ca_isued");
    assertThat(
            CatalogueRules.metrics(
                Checkout.of(Map.of(MAIN, code, operations, "`ca_issued_total` counts"))))
        .isEmpty();
  }

  @Test
  void invariants_noSuchTest_found() {
    String code = "class ATest { @Test void add_one_two() {} }";
    String doc = CatalogueRules.INVARIANTS;
    assertFound(
        CatalogueRules.invariants(Checkout.of(Map.of(TEST, code, doc, "`ATest.add_one_three`"))),
        "no such test: add_one_three");
    assertFound(
        CatalogueRules.invariants(Checkout.of(Map.of(TEST, code, doc, "`BTest`"))),
        "no such test: BTest");
    assertThat(
            CatalogueRules.invariants(
                Checkout.of(Map.of(TEST, code, doc, "`ATest`, `ATest.add_one_two`, `a.B`"))))
        .isEmpty();
  }

  @Test
  void nightlyTests_withoutRowOrGuard_found() {
    String code =
        "class ATest { @Test void a_b() {} @Tag(\"nightly\") @Test void c_d() {} }"
            + " @Tag(\"nightly\") class BTest { @Test void e_f() {} }";
    String both = "| `ATest.c_d` | p | `ATest.a_b` |\n| `BTest` | p | `ATest` |";
    assertFound(nightly(code, ""), "no row for nightly ATest.c_d");
    assertFound(nightly(code, ""), "no row for nightly BTest");
    assertFound(nightly(code, both.replace("`ATest` |", "the rest |")), "no guard in CI for BTest");
    assertFound(nightly(code, both.replace("`ATest` |", "`BTest` |")), "not in the CI tier: BTest");
    assertFound(nightly(code, both + "\n| `ATest.a_b` | p | `ATest` |"), "not a nightly test");
    assertThat(nightly(code, both)).isEmpty();
  }

  private static List<Finding> nightly(String code, String rows) {
    String document = "## What the nightly tier has besides\n\n" + rows + "\n## Next\n| `X` | | |";
    return CatalogueRules.nightlyTests(
        Checkout.of(Map.of(TEST, code, CatalogueRules.TESTING, document)));
  }

  @Test
  void walk_withoutGit_findsSourcesOnly(@TempDir Path root) throws IOException {
    Files.createDirectories(root.resolve("a/target"));
    Files.writeString(root.resolve("a/A.java"), "class A {}");
    Files.writeString(root.resolve("a/target/made.txt"), "made");

    assertThat(Checkout.walk(root)).containsExactly("a/A.java");
  }

  private static Checkout one(String path, String text) {
    return Checkout.of(Map.of(path, text));
  }

  private static void assertFound(List<Finding> findings, String shown) {
    assertThat(findings).anySatisfy(f -> assertThat(f.toString()).contains(shown));
  }
}
