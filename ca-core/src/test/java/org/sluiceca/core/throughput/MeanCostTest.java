package org.sluiceca.core.throughput;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MeanCostTest {

  private final MeanCost mean = new MeanCost();

  @Test
  void or_nothingNoted_whatIsThereOrOne() {
    assertThat(mean.or(0, 0)).isEqualTo(1);
    assertThat(mean.or(18, 4)).isEqualTo(4.5);
  }

  @Test
  void or_allAlike_exactlyThat() {
    for (int i = 0; i < 1_000; i++) {
      mean.add(7.3);
    }

    assertThat(mean.or(1, 1)).isEqualTo(7.3);
  }

  @Test
  void or_oneInEightCostsEightTimesAsMuch_theMeanOfThem() {
    for (int i = 0; i < 1_000; i++) {
      mean.add(i % 8 == 0 ? 8 : 1);
    }

    assertThat(mean.or(0, 0)).isBetween(1.7, 2.05);
  }
}
