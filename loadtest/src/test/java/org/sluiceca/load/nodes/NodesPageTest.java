package org.sluiceca.load.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.plan.PlanFile;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class NodesPageTest {

  @TempDir private Path folder;

  @Test
  void markdown_rowForEachLoadAndNumberOfNodes() {
    String text = new NodesPage(new PlantedRuns().runs(), 8).page(List.of("nodes.svg")).markdown();

    assertThat(text).contains("| x0.8 | 1 | 48.0 | 48.0 |").contains("| x1.5 | 8 | 90.0 | 60.0 |");
    assertThat(text).contains("6,000, 500").contains("All goals met").contains("![nodes.svg]");
    // 60/s x 3,500 us more by seven nodes more.
    assertThat(text).contains("A node more takes 3.0 % of a processor at x1.5");
  }

  @Test
  void markdown_missed_saidSo() {
    NodesPage page =
        new NodesPage(new PlantedRuns().spoil(8, "x1.5", Measure.GOODPUT_SHARE, 0.5).runs(), 8);

    assertThat(page.missed()).isEqualTo(1);
    assertThat(page.page(List.of("nodes.svg")).markdown())
        .contains("1 goals MISSED")
        .contains("| MISSED |");
    JsonNode json = JsonMapper.shared().readTree(page.json());
    assertThat(json.path("goalsMissed").asInt()).isEqualTo(1);
    assertThat(json.at("/runs/3/phases/1/measures/node-micros").asDouble()).isEqualTo(6_000);
  }

  @Test
  void results_asARunWritesThem_read() {
    NodesRun run =
        NodesRun.parse(
            """
            {"nodes": 4, "capacity": 60.0, "goalsMissed": 2, "machine": {"commit": "abc"},
             "phases": [
              {"name": "warm-up", "load": 0.5, "measures": {"goodput": 1}},
              {"name": "x0.8", "load": 0.8,
               "measures": {"goodput": 47.5, "latency-p99": null, "processors-busy": 0.95}}]}
            """);

    assertThat(run.nodes()).isEqualTo(4);
    assertThat(run.goalsMissed()).isEqualTo(2);
    assertThat(run.loads())
        .singleElement()
        .satisfies(
            load -> {
              assertThat(load.name()).isEqualTo("x0.8");
              assertThat(load.of(Measure.GOODPUT)).isEqualTo(47.5);
              assertThat(load.of(Measure.LATENCY_P99)).isNaN();
              assertThat(load.isOfBusyMachine()).isTrue();
            });
  }

  @Test
  void command_resultsOfAnotherNumber_refused() throws IOException {
    Files.createDirectories(folder.resolve("2"));
    Files.writeString(folder.resolve("2/results.json"), "{\"nodes\": 1}");

    assertThatIOException()
        .isThrownBy(() -> NodesCommand.run(plan(), folder, List.of("2")))
        .withMessageContaining("are of 1 nodes");
  }

  /** The plan's loads are those that the goals speak of, on an HSM whose servers are known. */
  @Test
  void plan_shipped_belowAndAboveTheCapacity() throws IOException {
    Plan plan = PlanFile.read(plan());

    assertThat(plan.phases().stream().filter(phase -> !phase.name().equals(Plan.WARM_UP)))
        .extracting(phase -> phase.load())
        .containsExactly(0.8, 1.5);
    assertThat(plan.hsms())
        .singleElement()
        .satisfies(hsm -> assertThat(hsm.servers()).isEqualTo(8));
  }

  private static Path plan() {
    return Path.of(System.getProperty("basedir", ""), "plans", "nodes.properties");
  }
}
