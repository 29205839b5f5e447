package org.sluiceca.load.scenario.judge;

import java.util.Arrays;

/** A value by its rank: the least one that so many do not exceed. */
final class Quantile {

  private Quantile() {}

  /**
   * Returns the quantile.
   *
   * @param share above 0, to 1 (the maximum)
   * @return NaN if there are no values
   */
  static double of(double[] values, double share) {
    if (values.length == 0) {
      return Double.NaN;
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
  }
}
