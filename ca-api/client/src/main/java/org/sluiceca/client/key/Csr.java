package org.sluiceca.client.key;

import java.io.IOException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECKey;
import java.security.interfaces.EdECKey;
import java.util.List;
import java.util.Locale;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Certificate;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequestBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.sluiceca.client.output.Failure;

/** Certificate requests (RFC 2986) for keys of this machine. */
public final class Csr {
  private static final int P256_BITS = 256;
  private static final int P384_BITS = 384;

  private Csr() {}

  /**
   * The request, signed by the key.
   *
   * @return DER
   */
  public static byte[] of(KeyPair pair, X500Name subject, List<GeneralName> names) {
    PKCS10CertificationRequestBuilder builder =
        new JcaPKCS10CertificationRequestBuilder(subject, pair.getPublic());
    try {
      if (!names.isEmpty()) {
        ExtensionsGenerator extensions = new ExtensionsGenerator();
        extensions.addExtension(
            Extension.subjectAlternativeName,
            false,
            new GeneralNames(names.toArray(GeneralName[]::new)));
        builder.addAttribute(
            PKCSObjectIdentifiers.pkcs_9_at_extensionRequest, extensions.generate());
      }
      return builder
          .build(new JcaContentSignerBuilder(signature(pair)).build(pair.getPrivate()))
          .getEncoded();
    } catch (IOException | OperatorCreationException e) {
      throw Failure.of("the request cannot be signed with this key: " + e.getMessage());
    }
  }

  /**
   * The request for another certificate with the names of {@code certificate}.
   *
   * @return DER
   */
  public static byte[] like(X509Certificate certificate, KeyPair pair) {
    try {
      Certificate old = Certificate.getInstance(certificate.getEncoded());
      GeneralNames names =
          GeneralNames.fromExtensions(
              old.getTBSCertificate().getExtensions(), Extension.subjectAlternativeName);
      return of(pair, old.getSubject(), names == null ? List.of() : List.of(names.getNames()));
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate that was read cannot be written", e);
    }
  }

  /** A request of this kind of key, in PEM. */
  public static String pem(byte[] der) {
    return PemFiles.block("CERTIFICATE REQUEST", der);
  }

  /** A private key in PKCS#8 (RFC 5958), PEM. */
  public static String pem(PrivateKey key) {
    return PemFiles.block("PRIVATE KEY", key.getEncoded());
  }

  private static String signature(KeyPair pair) {
    PublicKey key = pair.getPublic();
    return switch (key.getAlgorithm().toUpperCase(Locale.ROOT)) {
      case "RSA" -> "SHA256withRSA";
      case "EC" -> ecdsa((ECKey) key);
      case "EDDSA" -> ((EdECKey) key).getParams().getName();
      default -> key.getAlgorithm();
    };
  }

  static String ecdsa(ECKey key) {
    int bits = key.getParams().getOrder().bitLength();
    return bits <= P256_BITS
        ? "SHA256withECDSA"
        : bits <= P384_BITS ? "SHA384withECDSA" : "SHA512withECDSA";
  }
}
