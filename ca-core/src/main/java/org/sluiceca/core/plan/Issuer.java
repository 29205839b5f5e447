package org.sluiceca.core.plan;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.sluiceca.core.plan.lint.IssuerSide;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerConstraints;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.NameDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;
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

  /**
   * Where relying parties look.
   *
   * @param caIssuersUri stands in certificates (RFC 5280 4.2.2.1 caIssuers)
   * @param crlUri of shard 0, ends in {@code .crl}
   * @param crlShards over how many CRLs new certificates are spread, 1 for shard 0 alone
   * @param ocspUri stands in certificates (4.2.2.1 ocsp); empty if no responder answers for this
   *     issuer
   */
  public record Publications(
      String caIssuersUri, String crlUri, int crlShards, Optional<String> ocspUri) {

    private static final String SUFFIX = ".crl";

    public Publications {
      if (!crlUri.endsWith(SUFFIX) || crlShards < 1 || crlShards > 9_999) {
        throw new IllegalArgumentException(
            String.format(Locale.ROOT, "no CRL of %d at %s", crlShards, crlUri));
      }
    }

    /** Everything on one CRL, without OCSP. */
    public Publications(String caIssuersUri, String crlUri) {
      this(caIssuersUri, crlUri, 1, Optional.empty());
    }

    /** Returns the URI of the CRL of a shard: what stands in certificates (4.2.1.13). */
    public String crlUri(int shard) {
      return shard == 0
          ? crlUri
          : crlUri.substring(0, crlUri.length() - SUFFIX.length()) + "/" + shard + SUFFIX;
    }

    /** Returns the URI of the delta CRL of a shard: what stands in its complete CRL (5.2.6). */
    public String deltaUri(int shard) {
      // Below the issuer: "a-delta" may be an issuer's own name.
      return crlUri.substring(0, crlUri.length() - SUFFIX.length())
          + (shard == 0 ? "/delta" : "/" + shard + "-delta")
          + SUFFIX;
    }

    /** Returns the URI of the CRL that a new certificate will be on, if it is revoked. */
    String crlUri(SerialNumber serialNumber) {
      return crlUri(crlShards == 1 ? 0 : 1 + Math.floorMod(serialNumber.hashCode(), crlShards));
    }
  }

  /** Returns the same issuer, whose new certificates name this OCSP responder. */
  public Issuer withOcsp(String uri) {
    return new Issuer(
        name,
        subject,
        subjectPublicKeyInfo,
        keyIdentifier,
        validity,
        chain,
        publications.map(
            p -> new Publications(p.caIssuersUri(), p.crlUri(), p.crlShards(), Optional.of(uri))),
        constraints);
  }

  /** Returns what lints need to know of this issuer. */
  IssuerSide side() {
    return new IssuerSide(subject, subjectPublicKeyInfo, keyIdentifier, validity, constraints);
  }

  /** Returns the algorithm with which this issuer signs. */
  public SignatureAlgorithm signatureAlgorithm() {
    return SignatureAlgorithm.ofIssuer(subjectPublicKeyInfo.key());
  }
}
