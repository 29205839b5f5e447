package org.sluiceca.core.ocsp;

import org.sluiceca.core.der.CertId;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;

/**
 * To which questions an answer is the answer: same certificate, named in the same way.
 *
 * @param hashAlgorithm by which the request names the issuer, as in {@link CertId}
 */
public record AnswerKey(
    IssuerName issuer, OctetString serialNumber, String hashAlgorithm, boolean hasNull) {

  /** Returns the key of a question about {@code issuer}'s certificate. */
  public static AnswerKey of(IssuerName issuer, CertId id) {
    return new AnswerKey(issuer, id.serialNumber(), id.hashAlgorithm(), id.hasNull());
  }

  AnswerKey by(String otherHash, boolean otherNull) {
    return new AnswerKey(issuer, serialNumber, otherHash, otherNull);
  }
}
