package org.sluiceca.load.drill;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class DrillPageTest {

  private static DrillPage page() {
    return new DrillPage(
        "Drill", new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));
  }

  @Test
  void verdict_onePromiseBroken_failed() {
    DrillPage page = page();
    page.promise("one", true, "seen");
    page.promise("another", false, "seen");

    assertThat(page.broken()).isEqualTo(1);
    assertThat(page.verdict()).isEqualTo("verdict: FAILED, 1 of 2 promises broken");
    assertThat(page.markdown()).contains("- BROKEN: another (seen)", "- kept: one (seen)");
  }

  @Test
  void verdict_figuresAlone_breakNothing() {
    DrillPage page = page();
    page.promise("one", true, "seen");
    page.figure("lost", "some");

    assertThat(page.broken()).isZero();
    assertThat(page.verdict()).startsWith("verdict: passed");
  }
}
