package org.sluiceca.core.renewal;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;

/** How many renewals fall into each of equal intervals. */
final class Arrivals {

  private static final int HOURS_PER_DAY = 24;

  private final long[] counts;

  /** Counts {@code times} in intervals of {@code width} from {@code origin} on. */
  Arrivals(Instant origin, Duration width, List<Instant> times) {
    Instant last = Collections.max(times);
    counts = new long[index(origin, width, last) + 1];
    times.forEach(time -> counts[index(origin, width, time)]++);
  }

  private static int index(Instant origin, Duration width, Instant time) {
    return Math.toIntExact(
        Math.floorDiv(Duration.between(origin, time).toMillis(), width.toMillis()));
  }

  /** Returns the most in one interval. */
  long max() {
    long max = 0;
    for (long count : counts) {
      max = Math.max(max, count);
    }
    return max;
  }

  /** Returns how many intervals have any. */
  long intervals() {
    long used = 0;
    for (long count : counts) {
      used += count > 0 ? 1 : 0;
    }
    return used;
  }

  /**
   * Returns, for counts by hour, the busiest hour of all in means of the busiest 24 hours: the
   * renewal day. 1 is level; 24 is everything in one hour.
   */
  double busiestHour() {
    long day = 0;
    long busiestDay = 0;
    for (int i = 0; i < counts.length; i++) {
      day += counts[i] - (i >= HOURS_PER_DAY ? counts[i - HOURS_PER_DAY] : 0);
      busiestDay = Math.max(busiestDay, day);
    }
    return max() / ((double) busiestDay / HOURS_PER_DAY);
  }
}
