package org.sluiceca.load.watch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class HsmFiguresTest {

  private static HsmFigures of(int signed, double latency) {
    return HsmFigures.of(
        new JsonMapper()
            .readTree(
                """
                {"at_ns": 7, "servers": {"utilisation": 0.5}, "sessions": {"now": 3},
                 "latency": {"p50_ms": %s, "p99_ms": %s},
                 "classes": {"ec-p256": {"signed": %d}}}
                """
                    .formatted(latency, 2 * latency, signed)));
  }

  @Test
  void of_someJobs_tellsHowLongTheyTook() {
    HsmFigures said = of(10, 41.5);

    assertThat(said.signed()).isEqualTo(10);
    assertThat(said.latencyP50Millis()).isEqualTo(41.5);
    assertThat(said.latencyP99Millis()).isEqualTo(83);
  }

  /** A bound of nothing's latency would be met. */
  @Test
  void of_noJob_hasNoLatency() {
    assertThat(of(0, 0).latencyP50Millis()).isNaN();
    assertThat(of(0, 0).latencyP99Millis()).isNaN();
  }
}
