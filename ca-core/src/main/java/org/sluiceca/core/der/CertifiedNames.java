package org.sluiceca.core.der;

import java.util.List;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.GeneralName;

/**
 * Whom a certificate names (RFC 5280 4.1.2.6, 4.2.1.6).
 *
 * @param subject may be empty
 * @param subjectAltNames in encoding order; empty without the extension
 */
public record CertifiedNames(DistinguishedName subject, List<GeneralName> subjectAltNames) {

  public CertifiedNames {
    subjectAltNames = List.copyOf(subjectAltNames);
  }
}
