package org.sluiceca.hsm.queue;

/**
 * Distinguishes a standing queue from one that a burst left: whether the oldest job has waited for
 * too long, each time it was looked at over an interval (the idea of CoDel, RFC 8289 3).
 *
 * <p>Too long is half of the time for which it is awaited. A queue that all get through in time
 * needs no other order than the fair one, however long it stands.
 */
final class StandingQueue {

  private static final int PATIENCE_SHARE = 2;

  /** RFC 8289 4.2: 100 ms covers a burst. */
  private static final long INTERVAL_NANOS = 100_000_000L;

  private boolean isLate;
  private long lateSinceNanos;

  boolean isStanding(Waiting oldest, long now) {
    long patience = oldest.schedule().answerByNanos() - oldest.enqueuedNanos();
    boolean late = now - oldest.enqueuedNanos() > patience / PATIENCE_SHARE;
    if (late && !isLate) {
      lateSinceNanos = now;
    }
    isLate = late;
    return late && now - lateSinceNanos >= INTERVAL_NANOS;
  }
}
