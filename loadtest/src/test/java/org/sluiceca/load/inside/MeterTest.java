package org.sluiceca.load.inside;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MeterTest {

  @Test
  void parse_linesOfThePrometheusFormat() {
    List<Meter> all =
        Meter.parse(
            """
            # HELP ca_hsm_inflight
            # TYPE ca_hsm_inflight gauge
            ca_hsm_inflight{hsm="far/ec",lane="status"} 3.0
            ca_line_places 512.0
            ca_limiter_pace_ratio{hsm="far"} NaN
            ca_big_total{le="+Inf"} 1.2E7

            """);

    assertThat(all)
        .containsExactly(
            new Meter("ca_hsm_inflight", Map.of("hsm", "far/ec", "lane", "status"), 3),
            new Meter("ca_line_places", Map.of(), 512),
            new Meter("ca_limiter_pace_ratio", Map.of("hsm", "far"), Double.NaN),
            new Meter("ca_big_total", Map.of("le", "+Inf"), 1.2e7));
  }

  @Test
  void find_otherLabelOrName_isNothing() {
    List<Meter> all = Meter.parse("a{hsm=\"x\"} 1.0\nb{hsm=\"x\"} 2.0\n");

    assertThat(Meter.find(all, "b", "hsm", "x")).hasValue(2);
    assertThat(Meter.find(all, "b", "hsm", "y")).isEmpty();
    assertThat(Meter.find(all, "c", "hsm", "x")).isEmpty();
  }
}
