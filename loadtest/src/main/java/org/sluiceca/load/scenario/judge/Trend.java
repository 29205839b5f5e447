package org.sluiceca.load.scenario.judge;

import java.util.Arrays;
import java.util.Optional;
import org.sluiceca.load.judge.Percentiles;

/**
 * Whether a series rises: the median of the slopes between all pairs of its points, which single
 * bad points do not move, and the interval in which it lies nine times in ten, so that its lower
 * end is exceeded with 95 % certainty. H. Theil, A rank-invariant method of linear and polynomial
 * regression analysis (1950); P. K. Sen, Estimates of the regression coefficient based on Kendall's
 * tau (1968).
 *
 * @param perHour the slope
 * @param lowPerHour the interval's lower end
 * @param highPerHour its upper end
 * @param hours from the first point to the last
 * @param median of the values
 */
public record Trend(
    double perHour, double lowPerHour, double highPerHour, double hours, double median) {

  /** Of the normal distribution, so that 5 % lie on either side. */
  private static final double Z = 1.645;

  /** With fewer points chance makes any slope. */
  private static final int POINTS_MIN = 8;

  /** Some 20,000 slopes; longer series are thinned. */
  private static final int POINTS_MAX = 200;

  /**
   * Of points in the order of time.
   *
   * @return empty if they are too few to tell, or one of them is not known
   */
  public static Optional<Trend> of(double[] hours, double[] values) {
    if (values.length > POINTS_MAX) {
      return of(thinned(hours), thinned(values));
    }
    int points = values.length;
    if (points < POINTS_MIN || Arrays.stream(values).anyMatch(Double::isNaN)) {
      return Optional.empty();
    }
    double[] slopes = new double[points * (points - 1) / 2];
    int found = 0;
    for (int i = 0; i < points; i++) {
      for (int j = i + 1; j < points; j++) {
        slopes[found++] = (values[j] - values[i]) / (hours[j] - hours[i]);
      }
    }
    Arrays.sort(slopes);
    double spread = Z * Math.sqrt(points * (points - 1.0) * (2.0 * points + 5) / 18);
    // Counted from 1 the (found - spread) / 2-th: as many slopes lie below it as above the other
    // end (R. O. Gilbert, Statistical Methods for Environmental Pollution Monitoring, 1987, 16.5).
    int low = (int) Math.floor((found - spread) / 2) - 1;
    int high = (int) Math.ceil((found + spread) / 2);
    return Optional.of(
        new Trend(
            middle(slopes),
            slopes[Math.clamp(low, 0, found - 1)],
            slopes[Math.clamp(high, 0, found - 1)],
            hours[points - 1] - hours[0],
            lowerMedian(values)));
  }

  /** Returns how much the series grew for certain; negative if it may have fallen. */
  public double growth() {
    return lowPerHour * hours;
  }

  /** Returns how much it grew by the best guess. */
  public double likelyGrowth() {
    return perHour * hours;
  }

  /** One of the values. */
  private static double lowerMedian(double[] values) {
    return new Percentiles(Arrays.stream(values)).at(0.5);
  }

  private static double middle(double[] sorted) {
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  /** The medians of as many stretches as points are wanted. */
  private static double[] thinned(double[] series) {
    double[] thin = new double[POINTS_MAX];
    for (int i = 0; i < POINTS_MAX; i++) {
      int from = (int) ((long) i * series.length / POINTS_MAX);
      int until = (int) ((i + 1L) * series.length / POINTS_MAX);
      thin[i] = lowerMedian(Arrays.copyOfRange(series, from, until));
    }
    return thin;
  }
}
