package org.sluiceca.load.renewals;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/**
 * How many renewals fall into each slice of time, from a beginning on.
 *
 * @param counts of each slice, at least {@link HerdTerms#SLICES}
 */
record Slices(List<Integer> counts) {

  /** Counts {@code times}, none of them before {@code from}. */
  static Slices of(List<Instant> times, Instant from, Duration slice) {
    int[] numbers =
        times.stream()
            .mapToInt(time -> (int) (Duration.between(from, time).toMillis() / slice.toMillis()))
            .toArray();
    int last = Math.max(HerdTerms.SLICES, Arrays.stream(numbers).max().orElse(0) + 1);
    Integer[] counts = new Integer[last];
    Arrays.fill(counts, 0);
    for (int number : numbers) {
      counts[number]++;
    }
    return new Slices(List.of(counts));
  }

  /** Returns the busiest 24 slices in a row. */
  List<Integer> day() {
    List<Integer> busiest = counts.subList(0, HerdTerms.SLICES);
    for (int from = 0; from + HerdTerms.SLICES <= counts.size(); from++) {
      List<Integer> day = counts.subList(from, from + HerdTerms.SLICES);
      if (sum(day) > sum(busiest)) {
        busiest = day;
      }
    }
    return busiest;
  }

  /** Returns the mean of the busiest day's slices. */
  double mean() {
    return sum(day()) / (double) HerdTerms.SLICES;
  }

  /** Returns the busiest slice of the busiest day, in means of that day; 0 of nothing. */
  double busiest() {
    int most = day().stream().mapToInt(Integer::intValue).max().orElse(0);
    return most == 0 ? 0 : most / mean();
  }

  /**
   * Returns what the busiest slice may have, in means, if the rate is 1.2 times the mean at its
   * most: that, and three standard deviations of chance (Poisson's).
   */
  double bound() {
    return 1.2 + 3 * Math.sqrt(1.2 / Math.max(1, mean()));
  }

  private static int sum(List<Integer> some) {
    return some.stream().mapToInt(Integer::intValue).sum();
  }
}
