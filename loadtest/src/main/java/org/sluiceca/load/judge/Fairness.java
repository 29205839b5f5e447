package org.sluiceca.load.judge;

import java.util.Arrays;
import java.util.stream.IntStream;

/** How evenly something was given out. */
public final class Fairness {

  private Fairness() {}

  /**
   * Jain's index: 1 if all got alike, 1/n if one got all. R. Jain, D. Chiu, W. Hawe, A Quantitative
   * Measure of Fairness and Discrimination (DEC-TR-301, 1984).
   *
   * @param shares none negative
   * @return NaN if there are no shares or all are 0
   */
  public static double jain(double... shares) {
    double sum = Arrays.stream(shares).sum();
    double squares = Arrays.stream(shares).map(share -> share * share).sum();
    return sum * sum / (shares.length * squares);
  }

  /**
   * The most by the least: 1 if all got alike.
   *
   * @param shares none negative
   * @return infinite if one share is 0 and another is not, NaN if there are none or all are 0
   */
  static double spread(double... shares) {
    return Arrays.stream(shares).max().orElse(Double.NaN)
        / Arrays.stream(shares).min().orElse(Double.NaN);
  }

  /**
   * The max-min fair shares: no requester gets more than it asks for, and none could get more
   * except at the cost of one that has no more.
   *
   * @return a share for each demand; together {@code capacity}, or all demands if they are less
   */
  static double[] maxMin(double[] demands, double capacity) {
    double[] shares = new double[demands.length];
    int[] rising =
        IntStream.range(0, demands.length)
            .boxed()
            .sorted((a, b) -> Double.compare(demands[a], demands[b]))
            .mapToInt(Integer::intValue)
            .toArray();
    double left = capacity;
    for (int i = 0; i < rising.length; i++) {
      shares[rising[i]] = Math.min(demands[rising[i]], left / (rising.length - i));
      left -= shares[rising[i]];
    }
    return shares;
  }

  /** Jain's index over what each got, divided by what it was entitled to. */
  static double ofEntitlements(double[] got, double[] demands, double capacity) {
    double[] entitled = maxMin(demands, capacity);
    return jain(
        IntStream.range(0, got.length)
            .mapToDouble(i -> entitled[i] == 0 ? 0 : got[i] / entitled[i])
            .toArray());
  }
}
