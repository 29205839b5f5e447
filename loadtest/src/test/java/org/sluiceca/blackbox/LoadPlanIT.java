package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code ./sluice load} from the command line to its last file, by the shortest plan. */
class LoadPlanIT {

  /** Some 40 s on two idle processors; more where the simulated HSM must be built first. */
  private static final Duration LIMIT = Duration.ofMinutes(15);

  @Test
  void brief_twoNodesOnASimulatedHsm_allGoalsMet() throws IOException {
    Path out = Checkout.target().resolve("load-brief");

    Program.Ended ended =
        Program.of(Checkout.launcher(), "load", "brief", "--out", out).within(LIMIT).run();

    assertThat(ended.status()).as(ended.toString()).isZero();
    JsonNode results = new JsonMapper().readTree(Files.readString(out.resolve("results.json")));
    assertThat(results.path("goalsMissed").asInt(-1)).isZero();
    assertThat(results.path("goals").size()).isGreaterThan(10);
    // 40 signatures/s, offered 1.5 times that: what the HSM signed is what the ledger holds.
    JsonNode above = results.path("phases").path(2);
    assertThat(above.path("name").asString()).isEqualTo("above");
    assertThat(above.path("measures").path("goodput").asDouble()).isBetween(20.0, 44.0);
    assertThat(out.resolve("timeline.svg")).content().contains("<svg");
    assertThat(out.resolve("SUMMARY.md")).content().contains("all 19 goals met");
    Evidence.note(
        "load plan brief: %.1f certificates/s of 40, HSM busy %.1f %%"
            .formatted(
                above.path("measures").path("goodput").asDouble(),
                100 * above.path("measures").path("hsm-utilisation").asDouble()));
  }

  @Test
  void load_unknownPlan_isBadUsage() {
    Program.Ended ended = Program.of(Checkout.launcher(), "load", "no-such-plan").run();

    assertThat(ended.status()).isEqualTo(2);
    assertThat(ended.errors()).contains("curve", "fairness");
  }
}
