package org.sluiceca.load.bench.idle;

import java.util.List;

/**
 * The clock of an open loop at a constant rate. Request n is due n intervals after the begin,
 * whatever became of those before, and belongs to the window in which it is due.
 *
 * @param rate requests a second, 0 for none
 * @param endsNanos where each window ends, from the begin, ascending; the first begins at 0
 */
record Schedule(int rate, List<Long> endsNanos) {

  private static final long SECOND = 1_000_000_000L;

  /** Checks and copies. */
  Schedule {
    endsNanos = List.copyOf(endsNanos);
    long last = 0;
    for (long end : endsNanos) {
      if (end <= last) {
        throw new IllegalArgumentException("a window without length: " + endsNanos);
      }
      last = end;
    }
    if (rate < 0 || endsNanos.isEmpty()) {
      throw new IllegalArgumentException("rate " + rate + ", windows " + endsNanos);
    }
  }

  /** Returns when a request is due, in nanoseconds after the begin; needs a rate above 0. */
  long dueNanos(int request) {
    return request * SECOND / rate;
  }

  long lengthNanos() {
    return endsNanos.getLast();
  }

  /** Returns how many requests are due in all windows. */
  int count() {
    return dueBefore(lengthNanos());
  }

  /** Returns the first request of a window; of the number of windows, the count of all. */
  int first(int window) {
    return window == 0 ? 0 : dueBefore(endsNanos.get(window - 1));
  }

  private int dueBefore(long nanos) {
    return Math.toIntExact(Math.ceilDiv(nanos * rate, SECOND));
  }
}
