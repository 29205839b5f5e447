package org.sluiceca.blackbox;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.cert.CRLException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertStore;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CRL;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;

/**
 * Who trusts a trial's root, fetches CRLs from its first node, and asks foreign validators.
 *
 * @param chain the file in the trial's folder of data that has the issuer's certificate first
 */
record RelyingParty(Trial trial, String chain) {

  /** Who knows the first issuer. */
  RelyingParty(Trial trial) {
    this(trial, "chain.pem");
  }

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
    return openssl(List.of("-crl_check_all"), certificate, crls);
  }

  /** The same with other options than that all of the chain is checked. */
  Program.Ended openssl(List<String> options, X509Certificate certificate, List<X509CRL> crls) {
    StringBuilder pem = new StringBuilder();
    crls.forEach(crl -> pem.append(pem(crl)));
    List<Object> words = new ArrayList<>(List.of("openssl", "verify", "-x509_strict"));
    words.addAll(options);
    words.addAll(
        List.of(
            "-CAfile",
            trial.data().resolve("root.pem"),
            "-untrusted",
            trial.data().resolve(chain),
            "-CRLfile",
            Csr.write(trial.folder(), pem.toString()),
            Csr.write(trial.folder(), pem(certificate))));
    return Program.of(words.toArray()).run();
  }

  /** What the JDK's validator says with revocation on: good, or why not. */
  String pkix(X509Certificate certificate, List<X509CRL> crls) {
    try {
      X509CertSelector selector = new X509CertSelector();
      selector.setCertificate(certificate);
      X509Certificate root = Answer.certificate(Csr.read(trial.data().resolve("root.pem")));
      PKIXBuilderParameters parameters =
          new PKIXBuilderParameters(Set.of(new TrustAnchor(root, null)), selector);
      List<Object> known = new ArrayList<>(crls);
      known.add(certificate);
      known.add(Answer.certificate(Csr.read(trial.data().resolve(chain))));
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

  static String pem(X509CRL crl) {
    return pem("X509 CRL", encoded(crl));
  }

  static String pem(X509Certificate certificate) {
    return pem("CERTIFICATE", encoded(certificate));
  }

  private static String pem(String label, byte[] der) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(label, Base64.getMimeEncoder().encodeToString(der), label);
  }

  static byte[] encoded(X509CRL crl) {
    try {
      return crl.getEncoded();
    } catch (CRLException e) {
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
}
