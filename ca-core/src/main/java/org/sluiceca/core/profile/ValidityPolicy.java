package org.sluiceca.core.profile;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.time.ClockSkew;
import org.sluiceca.core.x509.Validity;

/**
 * How long a certificate is valid.
 *
 * @param backdate how far notBefore lies before the request, less than the duration; empty for the
 *     allowance for late clocks that holds for all ({@link ClockSkew}), which a duration below 1
 *     hour cannot have
 * @param clampToIssuer whether a period that would outlast the issuer ends with it, instead of
 *     being refused
 */
public record ValidityPolicy(Term term, Optional<Duration> backdate, boolean clampToIssuer) {

  private static final Duration DURATION_MIN = Duration.ofMinutes(1);

  /** The most that {@link ClockSkew} can be: a shorter period would lie in the past with it. */
  private static final Duration WITHOUT_BACKDATE_MIN = Duration.ofHours(1);

  private static final Duration DURATION_MAX = Duration.ofDays(50 * 366L);

  /** Further than any algorithm of today is trusted, and well below what serial numbers hold. */
  private static final Instant NOT_AFTER_MAX = Instant.parse("2100-01-01T00:00:00Z");

  /** When it ends. */
  public sealed interface Term {

    /**
     * After a time of its own.
     *
     * @param duration the whole period, both ends included; 1 minute to 50 years
     */
    record Lasting(Duration duration) implements Term {
      public Lasting {
        // RFC 5280 4.1.2.5: certificates have no fraction of a second.
        if (duration.toNanosPart() != 0) {
          throw new IllegalArgumentException("validity with a fraction of a second");
        }
        if (duration.compareTo(DURATION_MIN) < 0 || duration.compareTo(DURATION_MAX) > 0) {
          throw new IllegalArgumentException("validity duration " + duration + " out of range");
        }
      }
    }

    /**
     * On one day for all.
     *
     * @param notAfter the last instant, which is still included
     */
    record Until(Instant notAfter) implements Term {
      public Until {
        if (!notAfter.equals(notAfter.truncatedTo(ChronoUnit.SECONDS))) {
          throw new IllegalArgumentException("validity with a fraction of a second");
        }
        if (notAfter.isAfter(NOT_AFTER_MAX)) {
          throw new IllegalArgumentException("notAfter " + notAfter + " out of range");
        }
      }
    }
  }

  public ValidityPolicy {
    backdate.ifPresent(by -> requireSound(term, by));
    if (backdate.isEmpty()
        && term instanceof Term.Lasting(Duration duration)
        && duration.compareTo(WITHOUT_BACKDATE_MIN) < 0) {
      throw new IllegalArgumentException(
          "validity duration " + duration + " needs a backdate, less than it");
    }
  }

  private static void requireSound(Term term, Duration backdate) {
    if (backdate.toNanosPart() != 0) {
      throw new IllegalArgumentException("validity with a fraction of a second");
    }
    if (backdate.isNegative()
        || (term instanceof Term.Lasting(Duration duration) && backdate.compareTo(duration) >= 0)
        || backdate.compareTo(DURATION_MAX) > 0) {
      throw new IllegalArgumentException("backdate " + backdate + " out of range");
    }
  }

  /** A policy with a backdate of its own. */
  public ValidityPolicy(Term term, Duration backdate, boolean clampToIssuer) {
    this(term, Optional.of(backdate), clampToIssuer);
  }

  /** A policy of a duration. */
  public ValidityPolicy(Duration duration, Duration backdate, boolean clampToIssuer) {
    this(new Term.Lasting(duration), backdate, clampToIssuer);
  }

  /**
   * What a certificate gets.
   *
   * @param clampedFrom the notAfter that the profile wanted, if the issuer's end came before it
   */
  public record Period(Validity validity, Optional<Instant> clampedFrom) {}

  /**
   * Returns the period of a certificate asked for at {@code now} under an issuer that is valid for
   * {@code issuer}. RFC 5280 4.1.2.5: both ends are included, hence the second less. Backdating
   * stops at the issuer's notBefore, so that a new issuer can issue at once.
   *
   * @param skew how far notBefore lies back if the profile does not say
   */
  public Period periodAt(Instant now, Validity issuer, ClockSkew skew) throws RejectedException {
    if (now.isBefore(issuer.notBefore())) {
      throw refused("the issuer is valid from %s on: it is %s", issuer.notBefore(), now);
    }
    Instant notBefore =
        ClockSkew.backdated(now, backdate.orElse(skew.allowance()), issuer.notBefore());
    Instant wanted = notAfterFor(notBefore);
    if (now.isAfter(wanted) || !notBefore.isBefore(wanted)) {
      throw refused("the profile's notAfter %s has come: it is %s", wanted, now);
    }
    if (!wanted.isAfter(issuer.notAfter())) {
      return new Period(new Validity(notBefore, wanted), Optional.empty());
    }
    if (!clampToIssuer || !now.isBefore(issuer.notAfter())) {
      throw refused("notAfter %s is beyond the issuer's %s", wanted, issuer.notAfter());
    }
    return new Period(new Validity(notBefore, issuer.notAfter()), Optional.of(wanted));
  }

  /** Returns the latest notAfter that the profile allows a certificate of this notBefore. */
  public Instant notAfterFor(Instant notBefore) {
    return switch (term) {
      case Term.Lasting(Duration duration) -> notBefore.plus(duration).minusSeconds(1);
      case Term.Until(Instant notAfter) -> notAfter;
    };
  }

  private static RejectedException refused(String format, Instant ours, Instant other) {
    return new RejectedException(
        Reason.PROFILE_VIOLATION, String.format(Locale.ROOT, format, ours, other));
  }
}
