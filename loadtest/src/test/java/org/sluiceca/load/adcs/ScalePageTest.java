package org.sluiceca.load.adcs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.StringReader;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.sluiceca.load.judge.PlantedScale;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.plan.PlanFile;
import org.sluiceca.load.report.Results;

class ScalePageTest {

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
        200);
  }

  private static String row(String page, String begin) {
    return page.lines().filter(line -> line.startsWith("| " + begin)).findFirst().orElse("");
  }

  @Test
  void page_fieldsFiguresBesideOurs() {
    String page = ScalePage.of(results(run.plan())).orElseThrow().markdown(List.of("a.svg"));

    assertThat(page)
        .contains("Microsoft, 2009", "commit abc1234", "At the rate of the field's HSM")
        .contains("![a.svg](a.svg)", "goals met");
    assertThat(row(page, "certificates/s")).contains("| ~200 | 200.0 | 0.0 |");
    assertThat(row(page, "a CA of all")).contains("~18–20 | 20.00–20.00");
    assertThat(row(page, "HSM's queue of 150")).contains("nearly full").contains("| 5, 9, 12 |");
    assertThat(row(page, "in the HSM")).contains("| 70, 140 | 730, 1,460 |");
    assertThat(row(page, "memory of a CA")).contains("6,000 given").contains("| 250, 246 |");
    assertThat(row(page, "CAs by memory")).contains("| 10; 30 wanted | 256 |");
    assertThat(row(page, "urgent revocation")).contains("| 0.60 | 0.60 |");
    assertThat(row(page, "lets in")).contains("| what is leased | 15 jobs a CA |");
    // 30 s of processors for 12,000 certificates.
    assertThat(row(page, "processor for a certificate")).contains("| 2.5 ms |");
    // And 5 s of the database, which in the field was a part of the CA.
    assertThat(row(page, "the database's")).contains("| in the CA's | 0.4 ms |");
  }

  @Test
  void page_ofALowerRate_tellsHowMuch() {
    Plan scaled =
        run.plan()
            .with(
                new Plan.Changes(
                    OptionalInt.empty(),
                    OptionalDouble.of(20),
                    OptionalDouble.empty(),
                    OptionalDouble.empty()));

    assertThat(ScalePage.of(results(scaled)).orElseThrow().markdown(List.of()))
        .contains("Time-scaled: the HSM signs 20 a second instead of 200")
        .contains("takes 10.0 times as long");
  }

  @Test
  void nodeRates_areOfThePhaseAndTheNode() {
    NodeRates rates = NodeRates.of(run.figures().getFirst(), run.evidence());

    assertThat(rates.byNode()).hasSize(10);
    assertThat(rates.byNode().get(3)).isCloseTo(20, within(1e-6));
    assertThat(NodeRates.of(run.figures().getLast(), run.evidence()).most()).isZero();
  }

  @Test
  void page_ofAnotherPlan_isNone() throws IOException {
    Plan other = PlanFile.parse("other", new StringReader("phases = p\nphase.p.offer = a 1\n"));
    Results results =
        new Results(
            other,
            Instant.EPOCH,
            Map.of(),
            List.of(),
            Map.of(),
            List.of(),
            run.evidence(),
            List.of(),
            0);

    assertThat(ScalePage.of(results)).isEqualTo(Optional.empty());
  }
}
