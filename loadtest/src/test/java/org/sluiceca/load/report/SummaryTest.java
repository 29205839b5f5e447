package org.sluiceca.load.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluiceca.load.plan.PlanFile;
import org.sluiceca.load.scenario.judge.PlantedRun;
import org.sluiceca.load.scenario.judge.ScenarioResults;

class SummaryTest {

  private static String page(ScenarioResults results) {
    Map<String, String> machine = Map.of("processors", "2", "commit", "abc");
    return new Summary(Results.of(results, Instant.ofEpochSecond(1, 5), machine))
        .page(List.of("rates.svg"))
        .markdown();
  }

  /** A reader sees first whether, and what, was missed. */
  @Test
  void whatWasMissed_standsBeforePicturesAndTables() {
    String page = page(new PlantedRun().lost().results());

    assertThat(page.lines().filter(line -> !line.isEmpty()).skip(2))
        .first()
        .asString()
        .matches("\\*\\*1 of [0-9]+ goals missed\\*\\*");
    assertThat(page)
        .containsSubsequence(
            "1970-01-01T00:00:01Z, commit abc, processors 2",
            "client keys ec-p256",
            "2000 distinct requests",
            "## Missed",
            "| run | lost <= 0 | 1 | MISSED |",
            "![rates.svg]",
            "## Phases",
            "## Goals");
  }

  @Test
  void goalsThatPhasesShare_areOneRow() {
    String page = page(new PlantedRun().results());

    assertThat(page).doesNotContain("## Missed").doesNotContain("## Clients that came again");
    assertThat(page.lines().filter(line -> line.contains("goodput-share >=")))
        .singleElement()
        .asString()
        .startsWith("| every phase | goodput-share >= 0.95 |");
  }

  /** "All goals met" must not be read as "the HSM is the bottleneck" where it was not. */
  @Test
  void hsmNeverFull_theVerdictIsFollowedByWhatItDoesNotShow() {
    PlantedRun run = new PlantedRun();

    assertThat(page(run.hsmUtilisation(0.69).results()))
        .containsSubsequence(
            "goals met**", "The HSM was never fully used: 69 % at most, in phase ");
    assertThat(page(run.hsmUtilisation(0.99).results())).doesNotContain("never fully used");
  }

  /** A herd obeys, whatever is said of others. */
  @Test
  void herd_isToldToObey() throws IOException {
    String herd = "driver = gatling\nhsm.rate = 20\nphases = p\nphase.p.crowd = 3\n";
    ScenarioResults of = new PlantedRun().results();
    ScenarioResults results =
        new ScenarioResults(
            PlanFile.parse("herd", new StringReader(herd)),
            of.watched(),
            of.phases(),
            of.oracle(),
            of.verdicts(),
            of.figures(),
            of.drifts(),
            of.operations(),
            of.persistences(),
            of.errors(),
            of.looks(),
            of.moments(),
            of.requests(),
            of.interrupted(),
            of.certificates());

    assertThat(page(results)).contains("; the crowd obeys Retry-After until it is served");
  }
}
