package org.sluiceca.hsm.isolate;

import java.time.Duration;

/**
 * Decides when the next process may be started: at once after one that lived for a while, later and
 * later after those that did not. The caller passes the time; guarded by its owner.
 */
final class StartInterval {
  /** A process that lived so long has shown that it works. */
  static final Duration LIFE_MIN = Duration.ofSeconds(30);

  private static final Duration WAIT_MIN = Duration.ofMillis(250);

  /** A start takes 0.3 s of a processor, so that 30 nodes need two of them at most. */
  private static final Duration WAIT_MAX = Duration.ofSeconds(5);

  private long startedNanos;
  private int shortLives = -1;

  /** A process is started now. */
  void started(long now) {
    shortLives = shortLives < 0 || !isYoung(now) ? 0 : shortLives + 1;
    startedNanos = now;
  }

  /** How long to wait before the next start: 0 to 5 s. */
  Duration pause(long now) {
    if (shortLives <= 0 || !isYoung(now)) {
      return Duration.ZERO;
    }
    Duration spacing = WAIT_MIN.multipliedBy(1L << Math.min(shortLives - 1, 5));
    Duration left =
        (spacing.compareTo(WAIT_MAX) < 0 ? spacing : WAIT_MAX).minusNanos(now - startedNanos);
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** Whether the latest process was started less than 30 s ago. */
  boolean isYoung(long now) {
    return now - startedNanos < LIFE_MIN.toNanos();
  }

  /** How many processes in a row were replaced within 30 s. */
  int shortLives() {
    return Math.max(0, shortLives);
  }
}
