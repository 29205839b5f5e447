package org.sluiceca.core.renewal;

import org.sluiceca.core.x509.RevocationReason;

/** How urgently certificates have to be replaced; the most urgent first. */
public enum Urgency {
  /** Revoked because others may hold a private key: they can act for the subject. */
  COMPROMISED,

  /** Revoked for another reason: relying parties refuse the certificate. */
  REVOKED,

  /** Not revoked yet: the certificate works until its issuer is replaced. */
  STILL_VALID;

  /** Returns the urgency of a certificate that was revoked for {@code reason}. */
  public static Urgency of(RevocationReason reason) {
    return reason.isCompromise() ? COMPROMISED : REVOKED;
  }
}
