package org.sluiceca.core.admit;

/**
 * How fast the line drains: an exponentially weighted mean of the time between completions while
 * work was waiting. Not thread-safe: {@link Admission} guards it.
 *
 * <p>A slower rate is believed of a busy line only. A faster one is believed always, for whatever
 * the load, the signer did make two signatures in that time: else a rate learnt while the token
 * hung would shed so much that the line would never be busy again, and never be corrected. It may
 * thus be taken for faster than it is; a busy line corrects that within some 20 completions.
 */
final class DrainRate {

  /**
   * Completions teach a slower rate only while this many are in flight; below it their spacing
   * shows how fast requests come, not how fast the signer is.
   */
  static final int BUSY_IN_FLIGHT = 8;

  /** Weight of the newest interval: about the last 20 completions count. */
  private static final double WEIGHT = 0.05;

  private double intervalNanos;
  private long lastCompletionNanos;
  private boolean busy;

  /** Notes a completion at {@code nowNanos} that leaves {@code inFlight} requests on the line. */
  void completed(long nowNanos, int inFlight) {
    // At least 1: two threads may take the lock in another order than they read the clock.
    double interval = Math.max(1, nowNanos - lastCompletionNanos);
    if (busy || interval < intervalNanos) {
      intervalNanos =
          intervalNanos == 0 ? interval : intervalNanos + WEIGHT * (interval - intervalNanos);
    }
    lastCompletionNanos = nowNanos;
    busy = inFlight >= BUSY_IN_FLIGHT;
  }

  /** Returns the nanoseconds to drain {@code count} requests; 0 while nothing was learnt. */
  long nanosFor(double count) {
    return (long) (count * intervalNanos);
  }

  /** Returns completions a second; 0 while nothing was learnt. */
  double perSecond() {
    return intervalNanos == 0 ? 0 : 1e9 / intervalNanos;
  }
}
