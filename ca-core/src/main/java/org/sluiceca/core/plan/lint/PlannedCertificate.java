package org.sluiceca.core.plan.lint;

import java.time.Instant;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.x509.NameDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;
import org.sluiceca.core.x509.Validity;

/**
 * What a lint sees: the certificate as parsed back from its bytes, and what it is measured by.
 *
 * @param issuer the issuer's side of the rules
 * @param now when it is judged, which is about to be signed
 */
public record PlannedCertificate(
    TbsCertificate tbs, CertificateProfile profile, IssuerSide issuer, Instant now) {

  /** What lints need of the issuer; {@code subject} is its own name. */
  public record IssuerSide(
      NameDer subject, SubjectPublicKeyInfo key, OctetString keyIdentifier, Validity validity) {}
}
