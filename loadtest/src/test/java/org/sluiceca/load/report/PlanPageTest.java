package org.sluiceca.load.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.sluiceca.load.judge.PlantedScale;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.plan.Plan;

class PlanPageTest {

  private final PlantedScale run = new PlantedScale();

  private Results results(Plan plan) {
    return new Results(
        plan,
        Instant.EPOCH,
        Map.of("commit", "abc1234", "WAN", "none"),
        run.figures(),
        run.oracle(),
        run.verdicts(),
        run.evidence(),
        List.of(),
        200,
        Optional.empty());
  }

  private String page(Plan plan) throws IOException {
    Path file = Path.of(System.getProperty("basedir", ""), "plans", plan.page());
    return PlanPage.of(results(plan), Files.readString(file));
  }

  private static String row(String page, String begin) {
    return page.lines().filter(line -> line.startsWith("| " + begin)).findFirst().orElse("");
  }

  @Test
  void page_fieldsFiguresNextToOurs() throws IOException {
    String page = page(run.plan());

    assertThat(page)
        .contains("Microsoft, 2009", "commit abc1234", "signs 200 a second, the field's 200")
        .contains("![per-node.svg](per-node.svg)", "goals met");
    assertThat(row(page, "certificates/s")).contains("| ~200 | 200.0 | 0.0 |");
    assertThat(row(page, "a CA of all")).contains("~18–20 | 20.00–20.00");
    assertThat(row(page, "HSM's queue of 150")).contains("nearly full").contains("| 5, 9, 12 |");
    assertThat(row(page, "in the HSM")).contains("| 70, 140 | 730, 1,460 |");
    assertThat(row(page, "memory of a CA")).contains("6,000 given").contains("| 250, 246 |");
    assertThat(row(page, "CAs by memory")).contains("| 10; 30 wanted | 256 |");
    assertThat(row(page, "urgent revocation")).contains("| 0.60 | 0.60 |");
    assertThat(row(page, "lets in")).contains("| what is leased | 15 jobs a CA |");
    // 30 s of processors for 12,000 certificates.
    assertThat(row(page, "processor for a certificate")).contains("| 2,500 |");
    // And 5 s of the database, which in the field was a part of the CA.
    assertThat(row(page, "the database's")).contains("| in the CA's | 417 |");
  }

  @Test
  void page_ofALowerRate_tellsHowMuch() throws IOException {
    Plan scaled =
        run.plan()
            .with(
                new Plan.Changes(
                    OptionalInt.empty(),
                    OptionalDouble.of(20),
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    OptionalInt.empty()));

    assertThat(page(scaled))
        .contains("The HSM signs 20 a second, the field's 200")
        .contains("takes 10.0 times as long");
  }

  @Test
  void nodes_areOfThePhase() {
    assertThat(run.figures().getFirst().of(Measure.NODE_LEAST)).isCloseTo(20, within(1e-6));
    assertThat(run.figures().getLast().of(Measure.NODE_MOST)).isZero();
  }

  @Test
  void figure_thatThePhaseDoesNotHave_isNone() {
    assertThat(PlanPage.of(results(run.plan()), "{other.goodput:1} {managed.unserved}"))
        .isEqualTo("- -");
  }
}
