package org.sluiceca.load.gatling;

import java.util.concurrent.TimeUnit;

/** When the time of the run began, by {@link System#nanoTime}. Thread-safe. */
final class Clock {

  private volatile long beginningNanos;

  void begin(long nanos) {
    beginningNanos = nanos;
  }

  long beginningNanos() {
    return beginningNanos;
  }

  /** Returns the moment so long after the beginning. */
  long at(long afterNanos) {
    return beginningNanos + afterNanos;
  }

  /**
   * Returns how long it is until a moment, in whole milliseconds and none too few; 0 if it is over.
   */
  static long millisUntil(long nanos) {
    long left = nanos - System.nanoTime();
    return left <= 0 ? 0 : Math.ceilDiv(left, TimeUnit.MILLISECONDS.toNanos(1));
  }
}
