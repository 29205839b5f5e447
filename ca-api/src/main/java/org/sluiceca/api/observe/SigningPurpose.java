package org.sluiceca.api.observe;

import org.sluiceca.hsm.Lane;
import org.sluiceca.hsm.SignObservation;

/** What a token signs, as metrics tell it apart. */
enum SigningPurpose {
  CERTIFICATE,
  /** Complete and delta CRLs. */
  CRL,
  OCSP,
  /** Checkpoints of the audit trail. */
  CHECKPOINT,
  /** A proof that an issuer's key is here. */
  OTHER;

  /** Returns what this was signed for: by the requester that the CA's own parts sign under. */
  static SigningPurpose of(SignObservation signing) {
    if (signing.flow().isEmpty()) {
      return OTHER;
    }
    if (signing.lane() != Lane.STATUS) {
      return CERTIFICATE;
    }
    return switch (signing.flow()) {
      case "sluice.crl" -> CRL;
      case "sluice.ocsp" -> OCSP;
      case "sluice.audit" -> CHECKPOINT;
      default -> OTHER;
    };
  }
}
