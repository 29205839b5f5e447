package org.sluiceca.core.throughput;

/**
 * An exponentially decaying rate of recent work, or of recent events if each counts 1. Not
 * thread-safe.
 */
public final class DecayingRate {

  private final long fadingNanos;
  private double count;
  private double newest;
  private long until;

  /**
   * Counts nothing yet.
   *
   * @param fadingNanos after which an event counts 1/e
   */
  public DecayingRate(long fadingNanos, long nowNanos) {
    this.fadingNanos = fadingNanos;
    this.until = nowNanos;
  }

  /** Counts one event of so much work. */
  public void add(long nowNanos, double work) {
    fade(nowNanos);
    count += work;
    newest = work;
  }

  /** Returns work a second: what a steady stream would have to be to count as much. */
  public double perSecond(long nowNanos) {
    fade(nowNanos);
    return count * 1e9 / fadingNanos;
  }

  /** Returns work a second without the newest event: one that came alone is no stream. */
  public double perSecondBesidesOne(long nowNanos) {
    fade(nowNanos);
    return Math.max(0, count - newest) * 1e9 / fadingNanos;
  }

  private void fade(long nowNanos) {
    long passed = nowNanos - until;
    // Not below: two threads may take the lock in another order than they read the clock.
    if (passed > 0) {
      count *= Math.exp(-passed / (double) fadingNanos);
      until = nowNanos;
    }
  }
}
