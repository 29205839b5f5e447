package org.sluiceca.core.der;

import java.util.List;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/**
 * A certification request (RFC 2986 4) as it was read: well formed, nothing in it verified.
 *
 * @param extensions those of the extensionRequest attribute (RFC 2985 5.4.2), in order
 * @param signed the certificationRequestInfo's bytes, over which the signature was made
 */
public record CertificationRequest(
    DistinguishedName subject,
    SubjectPublicKeyInfo subjectPublicKeyInfo,
    List<Extension> extensions,
    OctetString signed,
    SignatureAlgorithm signatureAlgorithm,
    OctetString signature) {

  public CertificationRequest {
    extensions = List.copyOf(extensions);
  }
}
