package org.sluiceca.hsm.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class SampleTest {

  private static final Offset<Double> EXACT = within(1e-12);

  @Test
  void take_completions_sumsOfEachPart() {
    Meter meter = new Meter(0);
    meter.started(3);
    meter.completed(0.030, 0.010, 0.005);
    meter.completed(0.020, 0.010, 0.005);
    meter.busy();

    Sample sample = meter.take(1, 500_000_000);

    assertThat(sample.completions()).isEqualTo(2);
    assertThat(sample.meanDelay()).isCloseTo(0.010, EXACT);
    assertThat(sample.meanService()).isCloseTo(0.010, EXACT);
    assertThat(sample.meanBase()).isCloseTo(0.015, EXACT);
    assertThat(sample.stretch()).isCloseTo(1.5, EXACT);
    assertThat(sample.rate()).isCloseTo(4, EXACT);
    assertThat(sample.busy()).isEqualTo(1);
    assertThat(sample.inflightMax()).isEqualTo(3);
    assertThat(meter.take(1, 500_000_000).completions()).isZero();
  }

  @Test
  void at_anotherPace_asIfMeasuredWithThoseBaseDelays() {
    Meter calibrated = new Meter(0);
    Meter slower = new Meter(0);
    double[] responses = {0.021, 0.034, 0.025, 0.047};
    for (double response : responses) {
      calibrated.completed(response, 0.010, 0.002);
      slower.completed(response, 0.015, 0.002);
    }

    Sample seen = calibrated.take(0, 1_000_000_000).at(1.5);
    Sample wanted = slower.take(0, 1_000_000_000);

    assertThat(seen.meanDelay()).isCloseTo(wanted.meanDelay(), EXACT);
    assertThat(seen.squares()).isCloseTo(wanted.squares(), EXACT);
    assertThat(seen.meanBase()).isCloseTo(wanted.meanBase(), EXACT);
    assertThat(Sample.NONE.at(2)).isEqualTo(Sample.NONE);
  }

  @Test
  void plus_oneNodeReportsLate_ratesAddUp() {
    Sample second = new Sample(100, 1, 1, 1, 0, 0, 3, 1);
    Sample halfAMinute = new Sample(3_000, 30, 30, 30, 0, 0, 3, 30);

    assertThat(second.plus(halfAMinute).rate()).isCloseTo(200, within(1e-9));
    assertThat(second.then(halfAMinute).rate()).isCloseTo(100, within(1e-9));
    assertThat(Sample.NONE.plus(second)).isEqualTo(second);
  }

  @Test
  void isDelayedBy_fourSamplesAllAlike_notCertainYet() {
    Sample four = new Sample(4, 0.04, 0.0004, 0.04, 0, 0, 1, 1);
    Sample five = new Sample(5, 0.05, 0.0005, 0.05, 0, 0, 1, 1);

    assertThat(four.isDelayedBy(0.009)).isFalse();
    assertThat(four.isBelow(0.011)).isFalse();
    assertThat(five.isDelayedBy(0.009)).isTrue();
    assertThat(five.isBelow(0.011)).isTrue();
  }

  @Test
  void isDelayedBy_fewNoisySamplesOrMany_onlyManySay() {
    assertThat(noisy(4).isDelayedBy(0.005)).isFalse();
    assertThat(noisy(400).isDelayedBy(0.005)).isTrue();
    assertThat(noisy(4).isBelow(0.015)).isFalse();
    assertThat(noisy(400).isBelow(0.015)).isTrue();
  }

  /** Delays of 0 and 20 ms in turn: 10 on the mean. */
  private static Sample noisy(int completions) {
    Meter meter = new Meter(0);
    for (int i = 0; i < completions; i++) {
      meter.completed(0.010 + (i % 2 == 0 ? 0 : 0.020), 0.010, 0);
    }
    return meter.take(0, 1_000_000_000);
  }
}
