package org.sluiceca.core.ocsp;

import org.sluiceca.core.sign.KeyName;
import org.sluiceca.core.sign.Signable;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;

/**
 * The ResponseData of an OCSP response (RFC 6960 4.2.1). Signable without a record of its own: what
 * it says is read from the records, and the responder's key can sign nothing that anybody takes for
 * a certificate or a CRL (its certificate has extendedKeyUsage OCSPSigning and no cA). Minted by
 * {@link ResponseIssuance} only.
 */
public final class UnsignedResponse implements Signable {

  private final Responder responder;
  private final OctetString responseData;

  UnsignedResponse(Responder responder, OctetString responseData) {
    this.responder = responder;
    this.responseData = responseData;
  }

  @Override
  public KeyName key() {
    return Responder.keyOf(responder.issuer());
  }

  @Override
  public SignatureAlgorithm signatureAlgorithm() {
    return responder.signatureAlgorithm();
  }

  @Override
  public OctetString toBeSigned() {
    return responseData;
  }
}
