package org.sluiceca.core.profile;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.x509.Validity;

/**
 * How long a certificate is valid.
 *
 * @param duration the whole period, both ends included; 1 hour to 50 years
 * @param backdate how far notBefore lies before the request: covers the wait for the signer and
 *     clocks that run late; less than the duration
 * @param clampToIssuer whether a period that would outlast the issuer ends with it, instead of
 *     being refused
 */
public record ValidityPolicy(Duration duration, Duration backdate, boolean clampToIssuer) {

  private static final Duration DURATION_MIN = Duration.ofHours(1);
  private static final Duration DURATION_MAX = Duration.ofDays(50 * 366L);

  public ValidityPolicy {
    // RFC 5280 4.1.2.5: certificates have no fraction of a second.
    if (duration.toNanosPart() != 0 || backdate.toNanosPart() != 0) {
      throw new IllegalArgumentException("validity with a fraction of a second");
    }
    if (duration.compareTo(DURATION_MIN) < 0 || duration.compareTo(DURATION_MAX) > 0) {
      throw new IllegalArgumentException("validity duration " + duration + " out of range");
    }
    if (backdate.isNegative() || backdate.compareTo(duration) >= 0) {
      throw new IllegalArgumentException("backdate " + backdate + " out of range");
    }
  }

  /**
   * Returns the period of a certificate asked for at {@code now} under an issuer that is valid for
   * {@code issuer}. RFC 5280 4.1.2.5: both ends are included, hence the second less.
   */
  public Validity periodAt(Instant now, Validity issuer) throws RejectedException {
    Instant notBefore = now.truncatedTo(ChronoUnit.SECONDS).minus(backdate);
    Instant notAfter = notBefore.plus(duration).minusSeconds(1);
    if (notBefore.isBefore(issuer.notBefore())) {
      throw refused("notBefore %s is before the issuer's %s", notBefore, issuer.notBefore());
    }
    if (notAfter.isAfter(issuer.notAfter())) {
      if (!clampToIssuer || !now.isBefore(issuer.notAfter())) {
        throw refused("notAfter %s is beyond the issuer's %s", notAfter, issuer.notAfter());
      }
      notAfter = issuer.notAfter();
    }
    return new Validity(notBefore, notAfter);
  }

  private static RejectedException refused(String format, Instant ours, Instant issuers) {
    return new RejectedException(Reason.PROFILE_VIOLATION, format.formatted(ours, issuers));
  }
}
