package org.sluiceca.core.plan.lint;

import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;
import org.sluiceca.core.x509.Validity;

/**
 * What a lint sees: the certificate as parsed back from its bytes, and what it is measured by.
 *
 * @param issuer the issuer's side of the rules
 */
public record PlannedCertificate(
    TbsCertificate tbs, CertificateProfile profile, IssuerSide issuer) {

  /** What lints need of the issuer. */
  public record IssuerSide(
      SubjectPublicKeyInfo key, OctetString keyIdentifier, Validity validity) {}
}
