package org.sluiceca.core.throughput;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Converts the seconds that a refused client should wait into its Retry-After: whole seconds,
 * spread so that the waits from several nodes do not end together. Not thread-safe.
 */
public final class RetryAfter {

  private static final double JITTER = 0.15;

  /** Used while the drain rate is unknown, as when the token hangs from the start. */
  private static final double UNKNOWN_SECONDS = 5;

  /** Signer lost: each step is used until the loss has lasted as long as the step. */
  private static final int[] LOST_SECONDS = {5, 10, 20, 40};

  private static final int LOST_SECONDS_MAX = 60;

  private final RandomGenerator random;

  /** Spreads by {@code random}. */
  public RetryAfter(RandomGenerator random) {
    this.random = random;
  }

  /** Returns the wait of {@code seconds}, ± 15 %, 1 s to 300 s. */
  public Duration after(double seconds) {
    // The spread comes after the limit, and downwards: else all beyond it came back at once.
    double shown =
        seconds * (1 + JITTER) >= RetryScheduler.SECONDS_MAX
            ? RetryScheduler.SECONDS_MAX * (1 - 2 * JITTER * random.nextDouble())
            : seconds * (1 + JITTER * (2 * random.nextDouble() - 1));
    return Duration.ofSeconds(
        Math.clamp((long) Math.ceil(shown), 1, (long) RetryScheduler.SECONDS_MAX));
  }

  /**
   * Returns the wait of {@code seconds} to 15 % more, 1 s to 300 s: for a time that is certain,
   * before which there is nothing to be had. Beyond 300 s the client has to ask again, and receives
   * a new wait.
   */
  public Duration notBefore(double seconds) {
    double shown = seconds * (1 + JITTER * random.nextDouble());
    return shown >= RetryScheduler.SECONDS_MAX
        ? after(Math.max(seconds, RetryScheduler.SECONDS_MAX))
        : Duration.ofSeconds(Math.max(1, (long) Math.ceil(shown)));
  }

  /** Returns the wait while nothing is known of the signer's rate. */
  public Duration unknown() {
    return after(UNKNOWN_SECONDS);
  }

  /**
   * Returns the wait while no token can sign and has been so for {@code lostSeconds}: 60 s at most.
   */
  public Duration signerLost(double lostSeconds) {
    for (int seconds : LOST_SECONDS) {
      if (lostSeconds < seconds) {
        return after(seconds);
      }
    }
    return Duration.ofSeconds(
        (long) Math.ceil(LOST_SECONDS_MAX * (1 - 2 * JITTER * random.nextDouble())));
  }
}
