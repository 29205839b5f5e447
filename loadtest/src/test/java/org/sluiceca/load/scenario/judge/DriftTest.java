package org.sluiceca.load.scenario.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.sluiceca.load.plan.Measure;

class DriftTest {

  /** Eight MB an hour of 240, for an hour and a half. */
  private static final Trend TREND = new Trend(8, 7, 9, 1.5, 240);

  @Test
  void growth_ofAShare_isByTheMedian() {
    Drift drift = new Drift(Measure.RSS_GROWTH, "node 0", true, TREND);

    assertThat(drift.likelyGrowth()).isCloseTo(0.05, within(1e-9));
    assertThat(drift.growth()).isCloseTo(7 * 1.5 / 240, within(1e-9));
    assertThat(drift.dailyGrowth()).isCloseTo(0.8, within(1e-9));
  }

  @Test
  void growth_ofJobs_isInJobs() {
    Drift drift = new Drift(Measure.QUEUE_GROWTH, "all nodes", false, TREND);

    assertThat(drift.likelyGrowth()).isEqualTo(12);
    assertThat(drift.dailyGrowth()).isEqualTo(192);
  }
}
