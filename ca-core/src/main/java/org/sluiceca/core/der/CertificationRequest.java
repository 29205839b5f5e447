package org.sluiceca.core.der;

import java.util.List;
import java.util.OptionalInt;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/**
 * A certification request (RFC 2986 4) as it was read: well formed, nothing in it verified.
 *
 * @param restated types of subject attributes that the certificate states in another way: an
 *     attribute without a value is left out, those of a multi-valued relative name get one each
 * @param extensions those of the extensionRequest attribute (RFC 2985 5.4.2) and of Microsoft's
 *     attribute of the same meaning, in order
 * @param signed the certificationRequestInfo's bytes, over which the signature was made
 * @param pssSaltOctets the salt's length, of RSASSA-PSS alone
 */
public record CertificationRequest(
    DistinguishedName subject,
    List<NameAttribute> restated,
    SubjectPublicKeyInfo subjectPublicKeyInfo,
    List<Extension> extensions,
    OctetString signed,
    SignatureAlgorithm signatureAlgorithm,
    OptionalInt pssSaltOctets,
    OctetString signature) {

  public CertificationRequest {
    restated = List.copyOf(restated);
    extensions = List.copyOf(extensions);
  }
}
