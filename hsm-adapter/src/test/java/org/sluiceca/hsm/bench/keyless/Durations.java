package org.sluiceca.hsm.bench.keyless;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long signatures took, counted in buckets: exact below 64 ns, then 64 buckets for each power
 * of two, so that a value is known within 1.6 %. Thread-safe; {@code bare_token.c} counts alike.
 */
final class Durations {
  private static final int SUB_BITS = 6;
  private static final int SUBS = 1 << SUB_BITS;

  /** All that a long can say. */
  static final int BUCKETS = 64 << SUB_BITS;

  /** With fewer values beyond it a percentile is chance. */
  private static final double BEYOND_MIN = 10;

  private final AtomicLongArray buckets = new AtomicLongArray(BUCKETS);
  private final AtomicLong count = new AtomicLong();
  private final AtomicLong sumNanos = new AtomicLong();
  private final AtomicLong maxNanos = new AtomicLong();

  /** Counts one; below 0 is 0. */
  void add(long nanos) {
    long value = Math.max(0, nanos);
    buckets.incrementAndGet(bucket(value));
    count.incrementAndGet();
    sumNanos.addAndGet(value);
    maxNanos.accumulateAndGet(value, Math::max);
  }

  /** Counts {@code times} of a bucket that another program counted; sum and maximum stay. */
  void addBucket(int bucket, long times) {
    buckets.addAndGet(bucket, times);
    count.addAndGet(times);
  }

  /** Takes over what another program added up next to the buckets. */
  void addTotals(long sum, long max) {
    sumNanos.addAndGet(sum);
    maxNanos.accumulateAndGet(max, Math::max);
  }

  /** Counts all of another. */
  void addAll(Durations other) {
    for (int i = 0; i < BUCKETS; i++) {
      long times = other.buckets.get(i);
      if (times > 0) {
        addBucket(i, times);
      }
    }
    addTotals(other.sumNanos.get(), other.maxNanos.get());
  }

  long count() {
    return count.get();
  }

  long sumNanos() {
    return sumNanos.get();
  }

  /** Returns the longest; NaN if there is none. */
  double maxNanos() {
    return count() == 0 ? Double.NaN : maxNanos.get();
  }

  /** Returns the mean; NaN if there is none. */
  double meanNanos() {
    return count() == 0 ? Double.NaN : (double) sumNanos.get() / count();
  }

  /**
   * Returns the least bucket's upper end that this share does not exceed.
   *
   * @param share above 0, below 1
   * @return NaN where fewer than ten lie beyond: that would be chance
   */
  double percentileNanos(double share) {
    long all = count();
    // 1 - 0.99 is a little less than 0.01.
    if (all * (1 - share) + 1e-6 < BEYOND_MIN) {
      return Double.NaN;
    }
    long rank = (long) Math.ceil(share * all);
    long below = 0;
    for (int i = 0; i < BUCKETS; i++) {
      below += buckets.get(i);
      if (below >= rank) {
        return Math.min(upperEnd(i), (double) maxNanos.get());
      }
    }
    return maxNanos.get();
  }

  static int bucket(long nanos) {
    if (nanos < SUBS) {
      return (int) nanos;
    }
    int shift = 63 - SUB_BITS - Long.numberOfLeadingZeros(nanos);
    return ((shift + 1) << SUB_BITS) + (int) ((nanos >> shift) & (SUBS - 1));
  }

  static double upperEnd(int bucket) {
    if (bucket < SUBS) {
      return bucket;
    }
    int shift = (bucket >> SUB_BITS) - 1;
    long least = (long) (SUBS + (bucket & (SUBS - 1))) << shift;
    return least + (double) ((1L << shift) - 1);
  }
}
