package org.sluiceca.blackbox;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CRLException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CRL;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Who trusts a trial's root, fetches CRLs from its first node, and asks foreign validators. */
record RelyingParty(Trial trial) {

  /** Fetches a CRL by its path. */
  X509CRL crl(int node, String path) {
    return read(Api.plain(trial.plain(node)).get(path).is(200).body());
  }

  static X509CRL read(byte[] der) {
    try {
      return (X509CRL)
          CertificateFactory.getInstance("X.509").generateCRL(new ByteArrayInputStream(der));
    } catch (CRLException | CertificateException e) {
      throw new AssertionError(e);
    }
  }

  /** What {@code openssl verify} says with these CRLs and no other, for the chain. */
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
            "-crl_check_all",
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

  /** What the JDK's validator says with revocation on: good, or why not. */
  String pkix(X509Certificate certificate, List<X509CRL> crls) {
    try {
      X509CertSelector selector = new X509CertSelector();
      selector.setCertificate(certificate);
      X509Certificate root = Answer.certificate(bytes(trial.data().resolve("root.pem")));
      PKIXBuilderParameters parameters =
          new PKIXBuilderParameters(Set.of(new TrustAnchor(root, null)), selector);
      List<Object> known = new ArrayList<>(crls);
      known.add(certificate);
      known.add(Answer.certificate(bytes(trial.data().resolve("chain.pem"))));
      parameters.addCertStore(
          CertStore.getInstance("Collection", new CollectionCertStoreParameters(known)));
      parameters.setRevocationEnabled(true);
      return CertPathBuilder.getInstance("PKIX").build(parameters) == null ? "nothing" : "good";
    } catch (CertPathBuilderException e) {
      Throwable cause = e;
      while (cause != null && !(cause instanceof CertPathValidatorException)) {
        cause = cause.getCause();
      }
      return cause instanceof CertPathValidatorException refused
          ? refused.getReason().toString()
          : String.valueOf(e.getMessage());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private Path file(byte[] octets) {
    try {
      return Files.write(Files.createTempFile(trial.folder(), "party", ""), octets);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] encoded(X509CRL crl) {
    try {
      return crl.getEncoded();
    } catch (CRLException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] encoded(X509Certificate certificate) {
    try {
      return certificate.getEncoded();
    } catch (CertificateException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
