package org.sluiceca.core.revoke;

import java.time.Instant;
import java.util.Optional;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;

/**
 * A decision about one certificate, to be recorded.
 *
 * @param number 1 for the first of the certificate
 * @param by who decided
 */
public record RevocationEvent(
    SerialNumber serialNumber,
    int number,
    CrlScope scope,
    RequesterId by,
    Instant notAfter,
    Change change) {

  /** What it changes. */
  public sealed interface Change {

    /**
     * The certificate is revoked, or its revocation has another reason now.
     *
     * @param since the revocationDate that stands; empty for the time of the record
     */
    record Revoked(
        RevocationReason reason, Optional<Instant> invalidityDate, Optional<Instant> since)
        implements Change {}

    /** The hold is over: the certificate is valid again. */
    record Released() implements Change {}
  }
}
