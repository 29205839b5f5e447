package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code ./sluice load} from the command line to its last file, by the shortest plan. */
@Isolated("it judges rates, and would share the processors with other trials")
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
    // 30 signatures/s, offered 1.5 times that: what the HSM signed is what the ledger holds.
    JsonNode above = results.path("phases").path(2);
    assertThat(above.path("name").asString()).isEqualTo("above");
    assertThat(above.path("measures").path("goodput").asDouble()).isBetween(15.0, 33.0);
    assertThat(out.resolve("timeline.svg")).content().contains("<svg");
    assertThat(out.resolve("SUMMARY.md")).content().contains("all 19 goals met");
    Evidence.note(
        "load plan brief: %.1f certificates/s of 30, HSM busy %.1f %%"
            .formatted(
                above.path("measures").path("goodput").asDouble(),
                100 * above.path("measures").path("hsm-utilisation").asDouble()));
  }

  /** Three CAs on an HSM of 20/s, judged by ratios alone. */
  @Test
  @Tag("nightly")
  void adcs2009Scaled_threeNodesSharedAndFixed_allGoalsMet() throws IOException {
    Path out = Checkout.target().resolve("load-adcs-2009-scaled");

    Program.Ended ended =
        Program.of(Checkout.launcher(), "load", "adcs-2009-scaled", "--out", out)
            .within(LIMIT)
            .run();

    assertThat(ended.status()).as(ended.toString()).isZero();
    JsonNode results = new JsonMapper().readTree(Files.readString(out.resolve("results.json")));
    JsonNode managed = results.path("phases").path(1).path("measures");
    JsonNode unmanaged = results.path("phases").path(2).path("measures");
    // Three windows of 14 less the four in service: what makes the difference is really there.
    assertThat(unmanaged.path("hsm-queue-p50").asInt()).isGreaterThan(25);
    assertThat(results.path("machine").path("WAN").asString()).contains("80 ms, 2 Mbit/s");
    assertThat(out.resolve("ADCS-2009.md")).content().contains("~200", "goals met");
    assertThat(out.resolve("per-node.svg")).content().contains("<svg");
    Evidence.note(
        "load plan adcs-2009-scaled (WAN %s): %.1f certificates/s of 20, most by least %.3f, HSM queue p99 %d, in the HSM p50 %.0f ms; with fixed windows %d, %.0f ms"
            .formatted(
                results.path("machine").path("WAN").asString(),
                managed.path("goodput").asDouble(),
                managed.path("spread-nodes").asDouble(),
                managed.path("hsm-queue-p99").asInt(),
                managed.path("hsm-latency-p50").asDouble(),
                unmanaged.path("hsm-queue-p99").asInt(),
                unmanaged.path("hsm-latency-p50").asDouble()));
  }

  @Test
  void load_unknownPlan_isBadUsage() {
    Program.Ended ended = Program.of(Checkout.launcher(), "load", "no-such-plan").run();

    assertThat(ended.status()).isEqualTo(2);
    assertThat(ended.errors()).contains("curve", "fairness");
  }
}
