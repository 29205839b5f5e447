package org.sluiceca.load.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.sluiceca.load.inside.TimeoutLadder;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.plan.PlanFile;
import org.sluiceca.load.report.Results;
import org.sluiceca.load.report.ResultsJson;
import org.sluiceca.load.report.Summary;
import org.sluiceca.load.watch.ProcessTimes;

class VerdictTest {

  private static final String PLAN =
      """
      phases = alone beside
      phase.alone.offer = a 1
      phase.beside.offer = a 1
      phase.beside.goals = latency-p99 <= 1.1 of alone; latency-p99 <= 100
      """;

  private final Plan plan;

  VerdictTest() throws IOException {
    plan = PlanFile.parse("planted", new StringReader(PLAN));
  }

  private PhaseJudge.Figures figures(int phase, double latency, double busy) {
    PhaseRecord seen =
        new PhaseRecord(
            plan.phases().get(phase),
            0,
            1,
            Map.of(),
            new ProcessTimes(0, 0, 0, 0, 1),
            1,
            List.of(0),
            0,
            List.of(),
            Map.of(),
            TimeoutLadder.none(),
            "",
            Map.of());
    return new PhaseJudge.Figures(
        seen,
        Map.of(Measure.LATENCY_P99, latency, Measure.PROCESSORS_BUSY, busy),
        Map.of(),
        Map.of(),
        List.of());
  }

  private static List<Boolean> met(PhaseJudge.Figures... phases) {
    return Verdict.of(List.of(phases), Map.of()).stream().limit(2).map(Verdict::isMet).toList();
  }

  @Test
  void goalOfAnotherPhase_isJudgedByItsFigure() {
    assertThat(met(figures(0, 50, 0.5), figures(1, 55, 0.5))).containsExactly(true, true);
    assertThat(met(figures(0, 50, 0.5), figures(1, 56, 0.5))).containsExactly(false, true);
    assertThat(met(figures(1, 55, 0.5))).containsExactly(false, true);
  }

  /** Two phases that show the machine are alike; a number by itself is kept or not all the same. */
  @Test
  void goalOfAnotherPhase_whereTheProcessorsWereTheLimit_isMissed() {
    assertThat(met(figures(0, 50, 0.95), figures(1, 50, 0.5))).containsExactly(false, true);
    assertThat(met(figures(0, 50, 0.5), figures(1, 50, 0.95))).containsExactly(false, true);
    assertThat(met(figures(0, 50, 0.949), figures(1, 50, 0.949))).containsExactly(true, true);
  }

  @Test
  void results_tellWhyItIsMissed() {
    List<PhaseJudge.Figures> phases = List.of(figures(0, 50, 1), figures(1, 50, 0.5));
    Results results =
        new Results(
            plan,
            Instant.EPOCH,
            Map.of(),
            phases,
            Map.of(),
            Verdict.of(phases, Map.of()),
            new Evidence(List.of(), List.of(), Map.of(), 0),
            List.of(),
            0,
            Optional.empty());

    assertThat(new Summary(results).page(List.of()).markdown())
        .contains(
            "| beside | latency-p99 <= 1.1 of alone (50) | 50 | MISSED: the processors were the limit |")
        .contains("| beside | latency-p99 <= 100 | 50 | met |")
        .contains("The processors were the limit in: alone.");
    assertThat(ResultsJson.of(results)).contains("\"processorsWereTheLimit\" : true");
  }
}
