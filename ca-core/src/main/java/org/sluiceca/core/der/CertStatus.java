package org.sluiceca.core.der;

import java.time.Instant;
import java.util.Optional;
import org.sluiceca.core.x509.RevocationReason;

/** What an OCSP response says of one certificate (RFC 6960 2.2, 4.2.1). */
public sealed interface CertStatus {

  /** Issued and not revoked. */
  record Good() implements CertStatus {}

  /**
   * Revoked.
   *
   * @param reason empty if nothing is to be said of it
   */
  record Revoked(Instant revocationTime, Optional<RevocationReason> reason) implements CertStatus {}

  /** Not one that the responder knows. */
  record Unknown() implements CertStatus {}
}
