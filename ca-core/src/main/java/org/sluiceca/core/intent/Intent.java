package org.sluiceca.core.intent;

import java.util.Optional;
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

  /** Who asked for the certificate, under which profile, of which issuer. */
  public record Origin(RequesterId requester, ProfileName profile, IssuerName issuer) {}
}
