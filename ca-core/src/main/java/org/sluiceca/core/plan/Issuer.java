package org.sluiceca.core.plan;

import java.util.List;
import java.util.Optional;
import org.sluiceca.core.plan.lint.IssuerSide;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerConstraints;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.NameDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;
import org.sluiceca.core.x509.Validity;

/**
 * The public side of an issuer: what its certificates name it by and how they are verified.
 *
 * @param keyIdentifier the issuer's subjectKeyIdentifier (RFC 5280 4.2.1.1)
 * @param chain the issuer's own certificate first, then those above it, trust anchor last; empty
 *     for a root that is about to issue its own
 * @param publications where relying parties find its certificate and CRL; empty for a root
 * @param constraints what the chain allows below it
 */
public record Issuer(
    IssuerName name,
    NameDer subject,
    SubjectPublicKeyInfo subjectPublicKeyInfo,
    OctetString keyIdentifier,
    Validity validity,
    List<CertificateDer> chain,
    Optional<Publications> publications,
    IssuerConstraints constraints) {

  public Issuer {
    chain = List.copyOf(chain);
  }

  /** The URIs that stand in certificates (RFC 5280 4.2.2.1 caIssuers, 4.2.1.13). */
  public record Publications(String caIssuersUri, String crlUri) {}

  /** Returns what lints need to know of this issuer. */
  IssuerSide side() {
    return new IssuerSide(subject, subjectPublicKeyInfo, keyIdentifier, validity, constraints);
  }

  /** Returns the algorithm with which this issuer signs. */
  public SignatureAlgorithm signatureAlgorithm() {
    return SignatureAlgorithm.ofIssuer(subjectPublicKeyInfo.key());
  }
}
