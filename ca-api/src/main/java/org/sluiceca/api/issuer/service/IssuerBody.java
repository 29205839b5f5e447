package org.sluiceca.api.issuer.service;

import java.util.Locale;
import org.sluiceca.api.issuer.service.IssuerStates.Standing;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.Pem;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.SignatureAlgorithm;

/**
 * An issuer in JSON.
 *
 * @param certificate by which this node issues, else the newest; PEM
 * @param chain where that and those above it are
 * @param state active or retired
 * @param inService whether it is active, and this node has had it since its start
 * @param restartNeeded whether what is stored counts here from this node's next start on
 */
public record IssuerBody(
    String name,
    String subject,
    String notBefore,
    String notAfter,
    String keyAlgorithm,
    String signatureAlgorithm,
    String certificate,
    String chain,
    String state,
    boolean inService,
    boolean restartNeeded) {

  static final String PATH = "/v1/issuers";

  /** Shows the state of an issuer. */
  public static IssuerBody of(Standing standing) {
    CertificateDer own = standing.certificates().getFirst();
    TbsCertificate read = read(own);
    return new IssuerBody(
        standing.name().value(),
        // Empty: an external root may use attribute types that this CA does not certify.
        IssuerChain.subject(read),
        read.validity().notBefore().toString(),
        read.validity().notAfter().toString(),
        read.subjectPublicKeyInfo().key().algorithm().name(),
        SignatureAlgorithm.ofIssuer(read.subjectPublicKeyInfo().key()).name(),
        Pem.write(Pem.CERTIFICATE, own.encoded()),
        PATH + "/" + standing.name() + "/chain.pem",
        standing.state().name().toLowerCase(Locale.ROOT),
        standing.isInService(),
        standing.isRestartNeeded());
  }

  private static TbsCertificate read(CertificateDer certificate) {
    try {
      return CertificateReader.read(certificate).fields();
    } catch (DerException e) {
      throw new IllegalStateException("a registered certificate is bad: " + e.fault(), e);
    }
  }
}
