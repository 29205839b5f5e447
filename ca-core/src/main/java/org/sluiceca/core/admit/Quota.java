package org.sluiceca.core.admit;

import java.time.Duration;
import org.sluiceca.core.admit.AdmissionDecision.Limit;

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

  boolean isUsedUp(Share share, long nowNanos) {
    return secondsToNext(share, nowNanos) > 0;
  }

  /** Returns the seconds until one more is allowed; not above 0 if it is now. */
  double secondsToNext(Share share, long nowNanos) {
    return (share.quotaWholeAt - nowNanos + costNanos() - window.toNanos()) / 1e9;
  }

  void use(Share share, long nowNanos) {
    long whole = share.quotaWholeAt - nowNanos > 0 ? share.quotaWholeAt : nowNanos;
    share.quotaWholeAt = whole + costNanos();
  }

  double perSecond() {
    return requests * 1e9 / window.toNanos();
  }

  Limit limit() {
    return new Limit(requests, window);
  }

  private long costNanos() {
    return window.toNanos() / requests;
  }
}
