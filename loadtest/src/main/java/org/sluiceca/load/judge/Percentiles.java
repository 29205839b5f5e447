package org.sluiceca.load.judge;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/** Values in order, queried by rank: the least one that a given share does not exceed. */
public final class Percentiles {

  private final double[] sorted;

  /** Of these values; none is allowed. */
  public Percentiles(DoubleStream values) {
    sorted = values.toArray();
    Arrays.sort(sorted);
  }

  /**
   * Returns the percentile.
   *
   * @param share above 0, to 1 (the maximum)
   * @return NaN if there are no values
   */
  public double at(double share) {
    if (sorted.length == 0) {
      return Double.NaN;
    }
    int rank = (int) Math.ceil(share * sorted.length);
    return sorted[Math.max(0, rank - 1)];
  }
}
