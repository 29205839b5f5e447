package org.sluiceca.core.quota;

import java.time.Duration;

/**
 * How many requests each requester may have admitted by this node, by the generic cell rate
 * algorithm (ITU-T I.371): the whole at once, then one each time the window's part of it has
 * passed.
 *
 * @param requests 1 to 1,000,000
 * @param window 1 s to 1 day
 */
public record Quota(int requests, Duration window) {

  private static final int REQUESTS_MAX = 1_000_000;
  private static final Duration WINDOW_MAX = Duration.ofDays(1);

  public Quota {
    if (requests < 1 || requests > REQUESTS_MAX) {
      throw new IllegalArgumentException("quota of " + requests + " requests: 1 to 1000000");
    }
    if (window.compareTo(Duration.ofSeconds(1)) < 0 || window.compareTo(WINDOW_MAX) > 0) {
      throw new IllegalArgumentException("quota's window " + window + ": 1 s to 1 day");
    }
  }

  /** Returns how many requests a second that is. */
  double perSecond() {
    return requests * 1e9 / window.toNanos();
  }

  /** Returns the part of the window that one request uses up, nanoseconds. */
  long costNanos() {
    return window.toNanos() / requests;
  }
}
