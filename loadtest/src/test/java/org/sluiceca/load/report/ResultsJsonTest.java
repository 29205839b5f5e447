package org.sluiceca.load.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sluiceca.load.inside.TimeoutLadder;
import org.sluiceca.load.judge.Evidence;
import org.sluiceca.load.judge.PhaseJudge;
import org.sluiceca.load.judge.PhaseRecord;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.plan.PlanFile;
import org.sluiceca.load.watch.ProcessTimes;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ResultsJsonTest {

  private final Plan plan;

  ResultsJsonTest() throws IOException {
    plan = PlanFile.parse("planted", new StringReader("phases = one\nphase.one.offer = a 1\n"));
  }

  private String document(Map<Integer, Map<String, Double>> metrics) {
    PhaseRecord seen =
        new PhaseRecord(
            plan.phases().getFirst(),
            0,
            1,
            Map.of(),
            new ProcessTimes(0, 0, 0, 0, 1),
            1,
            List.of(0),
            0,
            List.of(),
            metrics,
            TimeoutLadder.none(),
            "",
            Map.of());
    return ResultsJson.of(
        new Results(
            plan,
            Instant.EPOCH,
            Map.of(),
            List.of(new PhaseJudge.Figures(seen, Map.of(), Map.of(), Map.of(), List.of())),
            Map.of(),
            List.of(),
            new Evidence(List.of(), List.of(), Map.of(), 0),
            List.of(),
            0,
            Optional.empty()));
  }

  @Test
  void nodeMetrics_areRowsWithAColumnForEachNode() {
    JsonNode metrics =
        new JsonMapper()
            .readTree(
                document(
                    Map.of(
                        11, Map.of("inflight", 3.0, "left", Double.NaN),
                        0, Map.of("inflight", 1.0, "depth", 7.0))))
            .at("/phases/0/nodeMetrics");

    assertThat(metrics.toString())
        .isEqualTo(
            "{\"nodes\":[\"node-0\",\"node-11\"],\"depth\":[7.0,null],\"inflight\":[1.0,3.0],"
                + "\"left\":[null,null]}");
  }

  /** A results file that is committed may have 256 KiB: thirty nodes must not fill it. */
  @Test
  void nodeMetrics_ofThirtyNodes_stayBelowAQuarterOfAResultsFile() {
    Map<String, Double> ofOne = new HashMap<>();
    for (int i = 0; i < 100; i++) {
      ofOne.put(
          "ca_a_metric_whose_name_is_as_long_as_they_are_seconds{hsm=sluice-%d}".formatted(i),
          i * 0.123456);
    }
    Map<Integer, Map<String, Double>> thirty =
        IntStream.range(0, 30).boxed().collect(Collectors.toMap(number -> number, number -> ofOne));

    assertThat(document(thirty).length()).isLessThan(64 * 1024);
  }
}
