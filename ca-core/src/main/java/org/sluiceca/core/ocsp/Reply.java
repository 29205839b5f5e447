package org.sluiceca.core.ocsp;

import java.time.Duration;
import java.time.Instant;
import org.sluiceca.core.der.OcspResponseStatus;
import org.sluiceca.core.x509.OctetString;

/** The responder's answer. */
public sealed interface Reply {

  /** What metrics call a signed response about one certificate, or about several. */
  enum Kind {
    GOOD,
    REVOKED,
    UNKNOWN,
    SEVERAL
  }

  /**
   * A signed response.
   *
   * @param response the whole OCSPResponse
   * @param freshUntil before {@code nextUpdate}: from then on a newer one is asked for
   * @param isReusable whether it is an answer to everybody who asks for this certificate
   * @param isNeverIssued whether it speaks of a serial number under which nothing was issued
   */
  record Signed(
      OctetString response,
      Kind kind,
      Instant thisUpdate,
      Instant nextUpdate,
      Instant freshUntil,
      boolean isReusable,
      boolean isNeverIssued)
      implements Reply {

    boolean isFresh(Instant now) {
      return now.isBefore(freshUntil);
    }

    boolean isValid(Instant now) {
      return now.isBefore(nextUpdate);
    }

    /**
     * How long others may keep it: while it is fresh, and to its very end if it is not any more.
     */
    public Duration maxAge(Instant now) {
      Duration left = Duration.between(now, isFresh(now) ? freshUntil : nextUpdate);
      return left.isNegative() ? Duration.ZERO : left;
    }
  }

  /** A response without content or signature. */
  record Refused(OcspResponseStatus status) implements Reply {}
}
