package org.sluiceca.core.time;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * By how much the clocks of relying parties and clients may differ from this CA's: the one
 * allowance for notBefore of certificates, thisUpdate of CRLs and OCSP responses, and
 * invalidityDate of revocations. Immutable.
 *
 * @param allowance 0 to 1 hour, whole seconds
 */
public record ClockSkew(Duration allowance) {

  private static final Duration ALLOWANCE_MAX = Duration.ofHours(1);

  /** What most clocks without a time service keep within; the default. */
  public static final ClockSkew STANDARD = new ClockSkew(Duration.ofMinutes(5));

  /** No allowance at all. */
  public static final ClockSkew NONE = new ClockSkew(Duration.ZERO);

  public ClockSkew {
    if (allowance.isNegative()
        || allowance.compareTo(ALLOWANCE_MAX) > 0
        || allowance.toNanosPart() != 0) {
      throw new IllegalArgumentException(
          "the clock skew must be 0 s to 1 h, whole seconds: " + allowance);
    }
  }

  /**
   * Returns the first instant, in whole seconds, at which what is made at {@code now} holds: early
   * enough for late clocks, but not before {@code issuerNotBefore}, when no verifier accepts its
   * issuer, and never after {@code now}.
   */
  public Instant since(Instant now, Instant issuerNotBefore) {
    return backdated(now, allowance, issuerNotBefore);
  }

  /** The same with an allowance that a profile gives. */
  public static Instant backdated(Instant now, Duration by, Instant issuerNotBefore) {
    Instant made = now.truncatedTo(ChronoUnit.SECONDS);
    Instant wanted = made.minus(by);
    Instant earliest = issuerNotBefore.isAfter(made) ? made : issuerNotBefore;
    return wanted.isBefore(earliest) ? earliest : wanted;
  }

  /**
   * Reads a past instant that a client's clock gave: one that lies in the future by no more than
   * the allowance is {@code now}. Empty if it lies further.
   */
  public Optional<Instant> past(Instant claimed, Instant now) {
    if (claimed.isAfter(now.plus(allowance))) {
      return Optional.empty();
    }
    return Optional.of(claimed.isAfter(now) ? now : claimed);
  }
}
