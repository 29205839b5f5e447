package org.sluiceca.core.crl;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * When CRLs come and how long they hold.
 *
 * @param period from one scheduled CRL to the next, 1 minute to ten years
 * @param lifetime from the time of issue to nextUpdate, longer than the period, at most ten years
 * @param deltas of delta CRLs, if there are any: more often than the period, and holding no longer
 *     than a complete CRL
 */
public record CrlTerms(Duration period, Duration lifetime, Optional<DeltaTerms> deltas) {

  private static final Duration PERIOD_MIN = Duration.ofMinutes(1);
  private static final Duration PERIOD_MAX = Duration.ofDays(3660);
  private static final Duration LIFETIME_MAX = Duration.ofDays(3660);

  public CrlTerms {
    if (period.compareTo(PERIOD_MIN) < 0 || period.compareTo(PERIOD_MAX) > 0) {
      throw new IllegalArgumentException("a CRL's period must be 1 minute to 10 years: " + period);
    }
    if (lifetime.compareTo(period) <= 0 || lifetime.compareTo(LIFETIME_MAX) > 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a CRL's lifetime must be longer than its period of %s, at most 10 years: %s",
              period,
              lifetime));
    }
    if (deltas.isPresent() && deltas.get().interval().compareTo(period) >= 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "delta CRLs must come more often than every %s: %s",
              period,
              deltas.get().interval()));
    }
    if (deltas.isPresent() && deltas.get().lifetime().compareTo(lifetime) > 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a delta CRL must not hold longer than the %s of a complete one: %s",
              lifetime,
              deltas.get().lifetime()));
    }
  }

  /** Complete CRLs alone. */
  public CrlTerms(Duration period, Duration lifetime) {
    this(period, lifetime, Optional.empty());
  }
}
