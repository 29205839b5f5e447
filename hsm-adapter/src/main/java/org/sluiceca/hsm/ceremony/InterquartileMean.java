package org.sluiceca.hsm.ceremony;

import java.util.Arrays;

/**
 * The mean of the middle half. Outliers do not reach it, and unlike a low percentile it is a mean:
 * the 20th percentile of exponential times is a fifth of theirs (docs/adr/0016).
 */
final class InterquartileMean {

  private InterquartileMean() {}

  /** Of at least one value. */
  static double of(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int cut = sorted.length / 4;
    return Arrays.stream(sorted, cut, sorted.length - cut).average().orElseThrow();
  }
}
