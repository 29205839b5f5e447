package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code ./sluice load SCENARIO} from the command line to its last file, by the shortest one. */
@Isolated("it judges rates, and would share the processors with other trials")
class ScenarioIT {

  /** A minute on two idle processors; more where Gatling's libraries must be fetched first. */
  private static final Duration LIMIT = Duration.ofMinutes(15);

  @Test
  @Tag("nightly")
  void smoke_gatlingOnTwoNodes_allLimitsMet() throws IOException {
    Path out = Checkout.target().resolve("scenario-smoke-" + System.nanoTime());

    Program.Ended ended =
        Program.of(Checkout.launcher(), "load", "smoke", "--out", out).within(LIMIT).run();

    assertThat(ended.status()).as(ended.toString()).isZero();
    JsonNode results = new JsonMapper().readTree(Files.readString(out.resolve("results.json")));
    assertThat(results.path("goalsMissed").asInt(-1)).isZero();
    assertThat(results.path("oracle").path("lost").asDouble(-1)).isZero();
    assertThat(results.path("figures").path("unsent").asDouble(-1)).isZero();
    // 2 s and 5 s at half of 40/s, the same at one and a half times, and the warm-up.
    assertThat(results.path("certificates").asInt()).isGreaterThan(200);
    assertThat(results.path("operations").size()).isEqualTo(2 * 3);
    assertThat(out.resolve("SUMMARY.md")).content().contains("goals met", "Gatling");
    for (String plot : List.of("rates.svg", "latency.svg", "queue.svg", "memory.svg")) {
      assertThat(out.resolve(plot)).content().contains("<svg");
    }
    assertThat(report(out)).content().contains("Gatling");
    Evidence.note(
        "scenario smoke: %d certificates, %d requests by Gatling, p99 %.0f ms above the capacity"
            .formatted(
                results.path("certificates").asInt(),
                results.path("requests").asInt(),
                results.path("phases").path(2).path("measures").path("latency-p99").asDouble()));
  }

  private static Path report(Path out) throws IOException {
    try (Stream<Path> runs = Files.list(out.resolve("gatling"))) {
      return runs.findFirst().orElseThrow().resolve("index.html");
    }
  }

  @Test
  void load_unknownScenario_isBadUsage() {
    Program.Ended ended = Program.of(Checkout.launcher(), "load", "no-such-scenario").run();

    assertThat(ended.status()).isEqualTo(2);
    assertThat(ended.errors()).contains("steady", "burst", "curve");
  }
}
