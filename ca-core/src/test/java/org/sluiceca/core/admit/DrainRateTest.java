package org.sluiceca.core.admit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DrainRateTest {

  private final DrainRate rate = new DrainRate();

  @Test
  void completed_sevenOrEightLeft_onlyEightIsBusy() {
    rate.completed(0, DrainRate.BUSY_IN_FLIGHT - 1);
    rate.completed(1_000, DrainRate.BUSY_IN_FLIGHT);
    assertThat(rate.perSecond()).isZero();

    rate.completed(3_000, 0);
    assertThat(rate.nanosFor(1)).isEqualTo(2_000);
  }

  @Test
  void completed_quietButFasterThanBelieved_learnt() {
    rate.completed(0, DrainRate.BUSY_IN_FLIGHT);
    rate.completed(1_000_000, 0);

    rate.completed(1_000_100, 0);

    assertThat(rate.nanosFor(1)).isEqualTo(950_005);
  }

  @Test
  void completed_quietAndSlower_notLearnt() {
    rate.completed(0, DrainRate.BUSY_IN_FLIGHT);
    rate.completed(1_000, 0);

    rate.completed(900_000_000, 0);

    assertThat(rate.nanosFor(1)).isEqualTo(1_000);
  }

  @Test
  void completed_twoThreadsOutOfOrder_rateStaysPositive() {
    rate.completed(1_000, DrainRate.BUSY_IN_FLIGHT);
    rate.completed(900, DrainRate.BUSY_IN_FLIGHT);

    assertThat(rate.nanosFor(1)).isPositive();
    assertThat(rate.perSecond()).isPositive();
  }
}
