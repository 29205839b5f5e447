package org.sluiceca.blackbox;

import java.security.GeneralSecurityException;
import java.security.cert.CertPath;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertStore;
import java.security.cert.CertificateFactory;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.bouncycastle.jcajce.PKIXExtendedParameters;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/**
 * Who asks foreign validators with deltas on: openssl, and Bouncy Castle's validator of paths. The
 * JDK's does not know deltas.
 */
record DeltaJudge(Trial trial) {

  private static final BouncyCastleProvider BC = new BouncyCastleProvider();

  /**
   * What {@code openssl verify} says with these CRLs and no other: for the certificate alone, since
   * the root's CRL has no delta.
   */
  Program.Ended openssl(X509Certificate certificate, List<X509CRL> crls) {
    return new RelyingParty(trial)
        .openssl(List.of("-crl_check", "-use_deltas", "-extended_crl"), certificate, crls);
  }

  /** What Bouncy Castle says, trusting the issuing CA: good, or why not, in small letters. */
  String verdict(X509Certificate certificate, List<X509CRL> crls) {
    try {
      X509Certificate issuing = Answer.certificate(Csr.read(trial.data().resolve("chain.pem")));
      PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(issuing, null)));
      parameters.setRevocationEnabled(true);
      parameters.addCertStore(
          CertStore.getInstance("Collection", new CollectionCertStoreParameters(crls)));
      CertPath path =
          CertificateFactory.getInstance("X.509", BC)
              .generateCertPath(List.of(Answer.certificate(RelyingParty.encoded(certificate))));
      var ignored =
          CertPathValidator.getInstance("PKIX", BC)
              .validate(
                  path,
                  new PKIXExtendedParameters.Builder(parameters).setUseDeltasEnabled(true).build());
      return "good";
    } catch (CertPathValidatorException e) {
      return String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }
}
