package org.sluiceca.core.crl;

import java.time.Duration;
import java.util.Locale;

/**
 * When delta CRLs come and how long they hold.
 *
 * @param interval from one delta to the next, at least 10 seconds
 * @param lifetime from thisUpdate to nextUpdate, longer than the interval
 */
public record DeltaTerms(Duration interval, Duration lifetime) {

  /** A signature for each scope: more often would be OCSP's work. */
  private static final Duration INTERVAL_MIN = Duration.ofSeconds(10);

  public DeltaTerms {
    if (interval.compareTo(INTERVAL_MIN) < 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a delta CRL's interval must be at least %s: %s",
              INTERVAL_MIN,
              interval));
    }
    if (lifetime.compareTo(interval) <= 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a delta CRL's lifetime must be longer than its interval of %s: %s",
              interval,
              lifetime));
    }
  }
}
