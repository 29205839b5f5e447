package org.sluiceca.load.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.sluiceca.load.drive.Exchange;
import org.sluiceca.load.inside.TimeoutLadder;
import org.sluiceca.load.inside.TokenLook;
import org.sluiceca.load.judge.Evidence;
import org.sluiceca.load.judge.PhaseJudge;
import org.sluiceca.load.judge.PhaseRecord;
import org.sluiceca.load.page.Chart;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.plan.PlanFile;
import org.sluiceca.load.watch.HsmFigures;
import org.sluiceca.load.watch.ProcessTimes;

/** Two requesters of two HSMs over ten seconds. */
class PlotsTest {

  private static final long SECOND = 1_000_000_000L;

  private static final String PLAN =
      """
      hsms = near far
      issuers = remote ec-p256
      hsm.near.issuers = issuing
      hsm.far.issuers = remote
      phases = p
      phase.p.offer = local 0.5, mover 0.5 @remote
      """;

  private static Exchange issued(String requester, double second, long millis) {
    long due = (long) (second * SECOND);
    return new Exchange(
        new Exchange.Request(requester + second, "p", requester, 0),
        0,
        due,
        due,
        due + millis * 1_000_000,
        201,
        Optional.of("01"),
        OptionalInt.empty(),
        false);
  }

  private static HsmFigures look(double second, int queue) {
    return new HsmFigures((long) (second * SECOND), 0.5, queue, 0, 0, 0, 0, 0, 0, 0);
  }

  private static Results results() throws IOException {
    Plan plan = PlanFile.parse("planted", new StringReader(PLAN));
    PhaseRecord seen =
        new PhaseRecord(
            plan.phases().getFirst(),
            0,
            10 * SECOND,
            Map.of(),
            new ProcessTimes(0, 0, 0, 0, 1),
            1,
            List.of(0),
            0,
            List.of(),
            Map.of(),
            new TimeoutLadder(
                List.of(
                    List.of(
                        new TimeoutLadder.Rung("a call", 5), new TimeoutLadder.Rung("it", 0.2)))),
            "",
            Map.of());
    List<Exchange> exchanges = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      exchanges.add(issued("local", 0.05 * i, 20));
      exchanges.add(issued("local", 5 + 0.05 * i, i == 0 ? 900 : 20));
    }
    exchanges.add(issued("mover", 7, 400));
    return new Results(
        plan,
        Instant.EPOCH,
        Map.of(),
        List.of(
            new PhaseJudge.Figures(
                seen, Map.of(Measure.GOODPUT, 1.0), Map.of(), Map.of(), List.of())),
        Map.of(),
        List.of(),
        new Evidence(exchanges, List.of(), Map.of("far", List.of(look(1, 2), look(2, 4))), 0),
        List.of(
            new TokenLook(6 * SECOND, "far", 2, 40, 13, 12, 84),
            new TokenLook(7 * SECOND, "far", 2, 40, 13, 12, 86),
            new TokenLook(7 * SECOND, "near", 2, 16, 5, 2, 0)),
        0,
        Optional.empty());
  }

  @Test
  void data_aRowEachFiveSeconds() throws IOException {
    Plots plots = new Plots(results());

    assertThat(plots.waits().data().lines())
        .containsExactly("2.500\t20.000\t20.000\t?\t?", "7.500\t20.000\t20.000\t400.000\t400.000");
    assertThat(plots.waiting().data().lines())
        .containsExactly("2.500\t?\t?\t?\t3.000", "7.500\t0.000\t?\t85.000\t?");
  }

  @Test
  void script_namesEachRequesterAndHsm() throws IOException {
    assertThat(new Plots(results()).waits().script())
        .contains("using 1:3 ", "'local p99'", "using 1:5 ", "'mover p99'");
    assertThat(new Plots(results()).waiting().script())
        .contains("using 1:4 ", "'in nodes for far'", "using 1:5 ", "'in far'");
  }

  /** A picture without a line is none: gnuplot refuses it. */
  @Test
  void crowdAlone_hasNoPictureOfNodes() throws IOException {
    Results of = results();
    Plan plan =
        PlanFile.parse("herd", new StringReader("nodes = 2\nphases = p\nphase.p.crowd = 3\n"));
    PhaseRecord seen = of.phases().getFirst().seen();
    PhaseRecord crowd =
        new PhaseRecord(
            plan.phases().getFirst(),
            seen.fromNanos(),
            seen.untilNanos(),
            seen.hsms(),
            seen.used(),
            seen.loadAverage(),
            seen.nodes(),
            seen.nodesDead(),
            seen.occurrences(),
            seen.metrics(),
            seen.ladder(),
            seen.capacityDocument(),
            seen.residentBytes());
    Results herd =
        new Results(
            plan,
            of.began(),
            of.machine(),
            List.of(new PhaseJudge.Figures(crowd, Map.of(), Map.of(), Map.of(), List.of())),
            of.oracle(),
            of.verdicts(),
            of.evidence(),
            of.tokens(),
            0,
            Optional.empty());

    assertThat(new Plots(herd).charts()).extracting(Chart::file).containsExactly("timeline.svg");
  }

  @Test
  void tables_tellThreadsWaitingJobsAndTimeouts() throws IOException {
    FigureTables tables = new FigureTables(results());

    assertThat(tables.tokens().rows())
        .contains(List.of("p", "far", "40.0", "13.0", "12.0", "84.0", "86.0", "86.0"))
        .contains(List.of("p", "near", "16.0", "5.0", "2.0", "0.0", "0.0", "0.0"));
    assertThat(tables.ladder().rows().getLast()).containsExactly("a call: 5.000 s", "it: 0.200 s");
  }
}
