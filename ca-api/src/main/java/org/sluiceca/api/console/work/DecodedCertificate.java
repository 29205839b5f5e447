package org.sluiceca.api.console.work;

import java.util.List;
import java.util.Locale;
import org.sluiceca.api.console.ConsoleTime;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.CertifiedNames;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.KeyFingerprint;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.NameDer;
import org.sluiceca.core.x509.PublicKeyAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKey;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;
import org.sluiceca.core.x509.TbsCertificateDer;

/**
 * A certificate's fields as text for people.
 *
 * @param title its first name, or its subject
 * @param names of its subjectAltName, each with its form
 * @param keySha256 of its SubjectPublicKeyInfo
 */
record DecodedCertificate(
    String title,
    String subject,
    List<String> names,
    String issuer,
    String notBefore,
    String notAfter,
    String key,
    String keySha256,
    String signature,
    List<ExtensionText> extensions) {

  private static final String NONE = "(none)";

  DecodedCertificate {
    names = List.copyOf(names);
    extensions = List.copyOf(extensions);
  }

  /** Decodes what this CA has written or is about to. */
  static DecodedCertificate of(TbsCertificateDer tbs) {
    try {
      TbsCertificate fields = CertificateReader.read(tbs);
      CertifiedNames certified = CertificateReader.names(tbs);
      List<String> names = certified.subjectAltNames().stream().map(ExtensionText::name).toList();
      String subject = certified.subject().isEmpty() ? NONE : certified.subject().toString();
      return new DecodedCertificate(
          names.isEmpty() ? subject : names.getFirst().substring(names.getFirst().indexOf(':') + 1),
          subject,
          names,
          name(fields.issuer()),
          ConsoleTime.text(fields.validity().notBefore()),
          ConsoleTime.text(fields.validity().notAfter()),
          key(fields.subjectPublicKeyInfo()),
          KeyFingerprint.of(fields.subjectPublicKeyInfo()).toString(),
          fields.signatureAlgorithm().name(),
          extensions(fields.extensions()));
    } catch (DerException e) {
      throw new IllegalStateException("the ledger's own TBSCertificate does not parse", e);
    }
  }

  static List<ExtensionText> extensions(List<Extension> extensions) {
    return extensions.stream().map(ExtensionText::of).toList();
  }

  /** The key's algorithm and size. */
  static String key(SubjectPublicKeyInfo key) {
    return switch (key.key()) {
      case SubjectPublicKey.Rsa rsa -> String.format(Locale.ROOT, "RSA, %d bits", rsa.bits());
      case SubjectPublicKey.Ec ec -> "EC, " + curve(ec.algorithm());
      case SubjectPublicKey.EdDsa ed -> curve(ed.algorithm());
    };
  }

  private static String curve(PublicKeyAlgorithm algorithm) {
    return switch (algorithm) {
      case EC_P256 -> "P-256";
      case EC_P384 -> "P-384";
      case EC_P521 -> "P-521";
      case ED25519 -> "Ed25519";
      case ED448 -> "Ed448";
      case RSA -> "RSA";
    };
  }

  /** A root from elsewhere may have attributes that no profile can allow. */
  private static String name(NameDer name) {
    try {
      return NameCodec.read(name).toString();
    } catch (DerException e) {
      return "(" + e.fault() + ")";
    }
  }
}
