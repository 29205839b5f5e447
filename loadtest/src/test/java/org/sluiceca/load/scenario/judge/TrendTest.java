package org.sluiceca.load.scenario.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrendTest {

  private static double[] hours(int points) {
    double[] hours = new double[points];
    for (int i = 0; i < points; i++) {
      hours[i] = 1.5 * i / points;
    }
    return hours;
  }

  /** 300 MB that vary by 2 %, and grow by so much over the whole. */
  private static double[] memory(int points, double grown, long seed) {
    Random random = new Random(seed);
    double[] values = new double[points];
    for (int i = 0; i < points; i++) {
      values[i] = 300 * (1 + grown * i / points + 0.02 * random.nextGaussian());
    }
    return values;
  }

  private static double growth(double[] values) {
    Trend trend = Trend.of(hours(values.length), values).orElseThrow();
    return trend.growth() / trend.median();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void flatSeries_hasNotGrownForCertain(long seed) {
    assertThat(growth(memory(1000, 0, seed))).isLessThan(0.01);
    assertThat(growth(memory(18, 0, seed))).isLessThan(0.02);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void plantedLeak_isFound(long seed) {
    assertThat(growth(memory(1000, 0.1, seed))).isBetween(0.07, 0.12);
    assertThat(growth(memory(18, 0.15, seed))).isGreaterThan(0.05);
  }

  /** One pause of a minute is no leak, and does not hide one. */
  @Test
  void outliers_moveNothing() {
    double[] flat = memory(40, 0, 1);
    double[] leaking = memory(40, 0.2, 1);
    flat[39] = 3000;
    leaking[38] = 1;

    assertThat(growth(flat)).isLessThan(0.02);
    assertThat(growth(leaking)).isGreaterThan(0.1);
  }

  @Test
  void fallingSeries_hasNotGrown() {
    assertThat(growth(memory(100, -0.3, 1))).isNegative();
  }

  @Test
  void slope_isPerHour() {
    double[] hours = hours(30);
    double[] values = new double[30];
    for (int i = 0; i < 30; i++) {
      values[i] = 100 + 20 * hours[i];
    }

    Trend trend = Trend.of(hours, values).orElseThrow();

    assertThat(trend.perHour()).isCloseTo(20, org.assertj.core.data.Offset.offset(1e-6));
    assertThat(trend.likelyGrowth())
        .isCloseTo(20 * hours[29], org.assertj.core.data.Offset.offset(1e-6));
  }

  /**
   * Ten points, one an hour, have 45 slopes. By Gilbert C is 1.645 sqrt(10 x 9 x 25 / 18) = 18.4,
   * M1 13.3 and M2 31.7: the 13th and the 33rd slope.
   */
  @Test
  void interval_isThatOfTheLiterature() {
    double[] hours = new double[10];
    double[] values = new double[10];
    List<Double> slopes = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      hours[i] = i;
      values[i] = Math.pow(2, i);
      for (int j = 0; j < i; j++) {
        slopes.add((values[i] - values[j]) / (i - j));
      }
    }
    slopes.sort(Double::compare);

    Trend trend = Trend.of(hours, values).orElseThrow();

    assertThat(trend.lowPerHour()).isEqualTo(slopes.get(13 - 1));
    assertThat(trend.highPerHour()).isEqualTo(slopes.get(33 - 1));
    assertThat(slopes.get(13 - 2)).isLessThan(slopes.get(13 - 1));
    assertThat(slopes.get(13 - 1)).isLessThan(slopes.get(13));
  }

  /** A phase in which nothing was issued has no latency. */
  @Test
  void unknownPoint_tellsNothing() {
    double[] values = memory(30, 0, 1);
    values[7] = Double.NaN;

    assertThat(Trend.of(hours(30), values)).isEmpty();
  }

  @Test
  void fewPoints_tellNothing() {
    assertThat(Trend.of(hours(7), memory(7, 1, 1))).isEmpty();
  }
}
