package org.sluiceca.core.der;

import java.util.List;
import java.util.Optional;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.NameDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;
import org.sluiceca.core.x509.Validity;

/**
 * The fields of a TBSCertificate version 3 (RFC 5280 4.1.2).
 *
 * @param serialNumber the integer's content octets, most significant first
 * @param extensions in encoding order
 */
public record TbsCertificate(
    OctetString serialNumber,
    SignatureAlgorithm signatureAlgorithm,
    NameDer issuer,
    Validity validity,
    NameDer subject,
    SubjectPublicKeyInfo subjectPublicKeyInfo,
    List<Extension> extensions) {

  public TbsCertificate {
    extensions = List.copyOf(extensions);
  }

  /** Returns the first extension with this OID. */
  public Optional<Extension> extension(String oid) {
    for (Extension extension : extensions) {
      if (extension.oid().equals(oid)) {
        return Optional.of(extension);
      }
    }
    return Optional.empty();
  }
}
