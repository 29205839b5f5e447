package org.sluiceca.load.scenario.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sluiceca.load.drive.Exchange;
import org.sluiceca.load.judge.PhaseRecord;
import org.sluiceca.load.plan.Offer.Kind;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.plan.PlanFile;
import org.sluiceca.load.watch.HsmFigures;
import org.sluiceca.load.watch.ProcessTimes;

/** A herd of ten that renews. */
class RenewalTest {

  private static final long SECOND = 1_000_000_000L;

  private static Exchange sent(Kind kind, int number) {
    return new Exchange(
        new Exchange.Request(kind, "gat-1-" + number, "herd", Plan.CROWD, 0),
        0,
        0,
        0,
        0,
        SECOND,
        201,
        Optional.of("0" + number),
        OptionalInt.empty(),
        false,
        "");
  }

  private static ScenarioResults results(int renewing) throws IOException {
    Plan plan =
        PlanFile.parse(
            "herd",
            new StringReader(
                """
                hsm.rate = 20
                warm-up.seconds = 10
                warm-up.offer = crowd 0.5
                phases = herd
                phase.herd.crowd = 0.5
                phase.herd.seconds = 60
                gatling.crowd = renew
                """));
    ScenarioJudge judge = new ScenarioJudge(plan);
    HsmFigures hsm = new HsmFigures(0, 0.5, 0, 1, 2, 3, 10, 0, 0, 16);
    Watched watched =
        new Watched(
            0,
            1,
            new PhaseRecord(
                plan.phases().getLast(),
                0,
                60 * SECOND,
                Map.of("hsm", hsm),
                new ProcessTimes(1, 1, 1, 4, 10),
                1,
                List.of(0),
                0),
            0,
            5,
            10);
    List<Exchange> records =
        IntStream.range(0, 10)
            .mapToObj(i -> sent(i < renewing ? Kind.RENEW : Kind.ENROLL, i))
            .toList();
    judge.add(new Seen(watched, records, List.of(), List.of()));
    return judge.results(List.of(), Set.of());
  }

  private static List<String> missed(ScenarioResults results) {
    return results.verdicts().stream()
        .filter(verdict -> !verdict.isMet())
        .map(verdict -> verdict.goal().figure())
        .toList();
  }

  @Test
  void allRenew_nothingIsMissed() throws IOException {
    assertThat(results(10).figures()).containsEntry("unrenewed", 0.0);
    assertThat(missed(results(10))).doesNotContain("unrenewed");
  }

  /** It is another load, unless the plan says otherwise. */
  @Test
  void clientsThatFindNothingToRenew_areFound() throws IOException {
    assertThat(results(7).figures()).containsEntry("unrenewed", 3.0);
    assertThat(missed(results(7))).contains("unrenewed");
  }
}
