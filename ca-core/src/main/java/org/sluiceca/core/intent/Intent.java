package org.sluiceca.core.intent;

import java.util.Optional;
import java.util.OptionalInt;
import org.sluiceca.core.request.IdempotencyKey;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.TbsCertificateDer;

/**
 * What the ledger keeps of a planned certificate before it is signed. Never changes.
 *
 * @param payloadHash SHA-256 over what the client asked, to tell a repetition from a reused key
 */
public record Intent(
    SerialNumber serialNumber,
    TbsCertificateDer tbsCertificate,
    SignatureAlgorithm signatureAlgorithm,
    Origin origin,
    Optional<IdempotencyKey> idempotencyKey,
    OctetString payloadHash) {

  /**
   * Who asked for the certificate, under which profile, of which issuer.
   *
   * @param profileVersion the version of the profile; empty if software recorded it that knew none
   */
  public record Origin(
      RequesterId requester, ProfileName profile, IssuerName issuer, OptionalInt profileVersion) {

    /** An origin whose profile's version is not known. */
    public Origin(RequesterId requester, ProfileName profile, IssuerName issuer) {
      this(requester, profile, issuer, OptionalInt.empty());
    }
  }
}
