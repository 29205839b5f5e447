package org.sluiceca.api.certificate.store;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.Validity;

/**
 * A certificate that was found.
 *
 * @param issuedAt the database's time at which it was recorded
 * @param subject for people; empty if it has none
 * @param sans in lower case, each cut at {@value NameRange#LENGTH_MAX} characters
 * @param revocation if it is revoked when it is read
 */
public record FoundCertificate(
    SerialNumber serialNumber,
    Origin origin,
    Instant issuedAt,
    Validity validity,
    String subject,
    List<String> sans,
    Optional<Revoked> revocation) {

  public FoundCertificate {
    sans = List.copyOf(sans);
  }

  /** The requester, the profile it asked for, and the issuer. */
  public record Origin(RequesterId requester, ProfileName profile, IssuerName issuer) {}

  /** That it is revoked, since when. */
  public record Revoked(RevocationReason reason, Instant since) {}
}
