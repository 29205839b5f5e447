package org.sluiceca.core.ocsp;

import java.time.Instant;
import java.util.Optional;
import org.sluiceca.core.der.CertStatus;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.revoke.Revocation;
import org.sluiceca.core.revoke.RevocationStatus;
import org.sluiceca.core.x509.RevocationReason;

/**
 * Determines the status of a serial number of an issuer. Only a certificate that this very issuer
 * has issued, whose outcome is recorded, and that has not been revoked is good; anything that is
 * not known is not good. Pure.
 */
public final class StatusRule {

  /** What is said of serial numbers under which nothing was issued. */
  public enum NeverIssued {
    /** RFC 6960 2.2: unknown. Costs a signature. */
    UNKNOWN,
    /** RFC 6960 2.2: revoked, on hold since 1970, with the extension that says what it means. */
    REVOKED,
    /** RFC 5019 2.2.3: nothing. Costs none. */
    UNAUTHORIZED
  }

  private final NeverIssued neverIssued;

  public StatusRule(NeverIssued neverIssued) {
    this.neverIssued = neverIssued;
  }

  /** Returns whether responses must say what revoked may mean (RFC 6960 4.4.8). */
  public boolean isExtendedRevoke() {
    return neverIssued == NeverIssued.REVOKED;
  }

  /** Returns what is said of a serial number of which nothing is recorded. */
  public Standing neverIssued() {
    return neverIssued(false);
  }

  private Standing neverIssued(boolean isPending) {
    return switch (neverIssued) {
      case UNKNOWN -> new Standing.NeverIssued(new CertStatus.Unknown(), isPending);
      case REVOKED ->
          new Standing.NeverIssued(
              new CertStatus.Revoked(Instant.EPOCH, Optional.of(RevocationReason.CERTIFICATE_HOLD)),
              isPending);
      case UNAUTHORIZED -> new Standing.Unanswered();
    };
  }

  /**
   * Judges what is recorded of a serial number.
   *
   * @param issuer whom the request names
   * @param revocation read after {@code entry}, so that neither is older than the other says
   */
  public Standing of(Issuer issuer, LedgerEntry entry, RevocationStatus revocation, Instant now) {
    Intent intent = entry.intent();
    if (!intent.origin().issuer().equals(issuer.name())) {
      return neverIssued();
    }
    boolean isIssued = entry.outcome().orElse(null) instanceof Outcome.Issued;
    // Given up, but perhaps signed, it stands on the CRL: both must say the same.
    if (!isIssued && revocation.revocation().isEmpty()) {
      return neverIssued(entry.outcome().isEmpty());
    }
    // RFC 9608: its certificate says that no revocation information will ever be available; good
    // would imply that there is some.
    if (CrlScope.of(issuer.name(), intent.tbsCertificate()).isEmpty()) {
      return new Standing.Unanswered();
    }
    return new Standing.Recorded(
        revocation.revocation().map(StatusRule::revoked).orElseGet(CertStatus.Good::new),
        now.isAfter(notAfter(intent))
            ? Optional.of(issuer.validity().notBefore())
            : Optional.empty());
  }

  /** RFC 5280 5.3.1: unspecified SHOULD be said by saying nothing. */
  private static CertStatus revoked(Revocation revocation) {
    return new CertStatus.Revoked(
        revocation.revokedAt(),
        Optional.of(revocation.reason()).filter(r -> r != RevocationReason.UNSPECIFIED));
  }

  private static Instant notAfter(Intent intent) {
    try {
      return CertificateReader.validity(intent.tbsCertificate()).notAfter();
    } catch (DerException e) {
      throw new IllegalStateException("a recorded certificate does not parse: " + e.fault(), e);
    }
  }
}
