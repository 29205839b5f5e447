package org.sluiceca.core.ocsp;

import java.time.Instant;
import java.util.Optional;
import org.sluiceca.core.der.CertStatus;

/** What can be said of one certificate. */
public sealed interface Standing {

  /**
   * Of a certificate that was issued, or of a serial number that is revoked all the same.
   *
   * @param archiveCutoff present once the certificate has ended (RFC 6960 4.4.4)
   */
  record Recorded(CertStatus status, Optional<Instant> archiveCutoff) implements Standing {}

  /**
   * Of a serial number under which the issuer has issued nothing.
   *
   * @param isPending whether it may be issued at any moment, so that the answer must not be cached
   */
  record NeverIssued(CertStatus status, boolean isPending) implements Standing {}

  /** Nothing, so that the response is unauthorized. */
  record Unanswered() implements Standing {}
}
