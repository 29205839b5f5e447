package org.sluiceca.core.admit;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The virtual waiting room: each refused client gets a later turn than the one before, at the drain
 * rate, so that they do not all come back at once. Not thread-safe: {@link Admission} guards it.
 *
 * <p>{@code V <- max(0, V - mu dt) + 1; ceil((Q - 0.7 Qcap + V) / mu)}, ± 15 %, 1 s to 300 s. V
 * holds no more than drains in those 300 s: nobody was told to come later, so nobody waits then.
 */
final class RetryAfter {

  private static final long SECONDS_MAX = 300;
  private static final double REFILL = 0.7;
  private static final double JITTER = 0.15;

  /** Used while the drain rate is unknown, as when the token hangs from the start. */
  private static final double UNKNOWN_SECONDS = 5;

  /** Signer lost: each step is told until the loss has lasted as long as the step. */
  private static final int[] LOST_SECONDS = {5, 10, 20, 40, 60};

  private final RandomGenerator random;
  private double waiting;
  private long lastNanos;

  RetryAfter(RandomGenerator random) {
    this.random = random;
  }

  /** Returns the wait for a refused client when {@code inFlight} of {@code capacity} are taken. */
  Duration refused(long nowNanos, int inFlight, int capacity, DrainRate rate) {
    double perSecond = rate.perSecond();
    double elapsedSeconds = Math.max(0, nowNanos - lastNanos) / 1e9;
    lastNanos = nowNanos;
    if (perSecond == 0) {
      return jittered(UNKNOWN_SECONDS);
    }
    waiting =
        Math.min(Math.max(0, waiting - perSecond * elapsedSeconds) + 1, perSecond * SECONDS_MAX);
    return jittered((inFlight - REFILL * capacity + waiting) / perSecond);
  }

  /** Returns the wait while no token can sign and has been so for {@code lostSeconds}. */
  Duration signerLost(double lostSeconds) {
    for (int seconds : LOST_SECONDS) {
      if (lostSeconds < seconds) {
        return jittered(seconds);
      }
    }
    return jittered(LOST_SECONDS[LOST_SECONDS.length - 1]);
  }

  private Duration jittered(double seconds) {
    double spread = 1 + JITTER * (2 * random.nextDouble() - 1);
    return Duration.ofSeconds(Math.clamp((long) Math.ceil(seconds * spread), 1, SECONDS_MAX));
  }
}
