package org.sluiceca.blackbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CRLException;
import java.security.cert.CertPath;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertStore;
import java.security.cert.CertificateEncodingException;
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
    StringBuilder pem = new StringBuilder();
    for (X509CRL crl : crls) {
      pem.append(
          Program.of(
                  "openssl", "crl", "-inform", "DER", "-in", file(encoded(crl)), "-outform", "PEM")
              .run()
              .ok()
              .text());
    }
    return Program.of(
            "openssl",
            "verify",
            "-crl_check",
            "-use_deltas",
            "-extended_crl",
            "-x509_strict",
            "-CAfile",
            trial.data().resolve("root.pem"),
            "-untrusted",
            trial.data().resolve("chain.pem"),
            "-CRLfile",
            Csr.write(trial.folder(), pem.toString()),
            file(encoded(certificate)))
        .run();
  }

  /** What Bouncy Castle says, trusting the issuing CA: good, or why not, in small letters. */
  String verdict(X509Certificate certificate, List<X509CRL> crls) {
    try {
      X509Certificate issuing =
          Answer.certificate(Files.readAllBytes(trial.data().resolve("chain.pem")));
      PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(issuing, null)));
      parameters.setRevocationEnabled(true);
      parameters.addCertStore(
          CertStore.getInstance("Collection", new CollectionCertStoreParameters(crls)));
      CertPath path =
          CertificateFactory.getInstance("X.509", BC)
              .generateCertPath(List.of(Answer.certificate(DeltaJudge.encoded(certificate))));
      var ignored =
          CertPathValidator.getInstance("PKIX", BC)
              .validate(
                  path,
                  new PKIXExtendedParameters.Builder(parameters).setUseDeltasEnabled(true).build());
      return "good";
    } catch (CertPathValidatorException e) {
      return String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    } catch (GeneralSecurityException | IOException e) {
      throw new AssertionError(e);
    }
  }

  static byte[] encoded(X509Certificate certificate) {
    try {
      return certificate.getEncoded();
    } catch (CertificateEncodingException e) {
      throw new AssertionError(e);
    }
  }

  static byte[] encoded(X509CRL crl) {
    try {
      return crl.getEncoded();
    } catch (CRLException e) {
      throw new AssertionError(e);
    }
  }

  Path file(byte[] octets) {
    try {
      return Files.write(Files.createTempFile(trial.folder(), "judge", ""), octets);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
