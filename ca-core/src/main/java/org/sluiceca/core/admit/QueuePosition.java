package org.sluiceca.core.admit;

import java.time.Duration;
import java.util.OptionalDouble;

/**
 * Where a request stands on this node's line.
 *
 * @param position requests of its lane that came before it and are not done; 0 for the first. The
 *     signer may take a later one first
 * @param etaSeconds seconds until it is done at the rate that its lane drains; empty while unknown
 */
public record QueuePosition(int position, OptionalDouble etaSeconds) {

  /** Little's law is about the mean: a client that asks a little later asks once. */
  private static final double MARGIN = 1.1;

  private static final double SECONDS_MAX = 60;

  /** While the rate is unknown. */
  private static final double UNKNOWN_SECONDS = 2;

  /** Returns when to ask again, 1 s to 60 s. */
  public Duration retryAfter() {
    double seconds = Math.ceil(MARGIN * etaSeconds.orElse(UNKNOWN_SECONDS / MARGIN));
    return Duration.ofSeconds((long) Math.clamp(seconds, 1, SECONDS_MAX));
  }
}
