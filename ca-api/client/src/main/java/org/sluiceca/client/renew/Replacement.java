package org.sluiceca.client.renew;

import java.security.GeneralSecurityException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.Certificate;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;

/** Whether a certificate may take another one's place: a good one is never lost for a bad one. */
final class Replacement {
  private static final int CHAIN_MAX = 10;

  /** How far this machine's clock may be behind the service's. */
  private static final Duration SKEW = Duration.ofMinutes(5);

  private Replacement() {}

  /** What is wrong with {@code chain} in the place of {@code old}, in words; empty if nothing. */
  static Optional<String> fault(X509Certificate old, List<X509Certificate> chain, Instant now) {
    X509Certificate fresh = chain.getFirst();
    if (chain.size() > CHAIN_MAX) {
      return Optional.of("a chain of " + chain.size() + " certificates");
    }
    for (int i = 0; i + 1 < chain.size(); i++) {
      if (!isIssuedBy(chain.get(i), chain.get(i + 1))) {
        return Optional.of("certificate " + (i + 2) + " has not issued the one before it");
      }
    }
    if (!fresh.getNotAfter().toInstant().isAfter(now)) {
      return Optional.of("it expired at " + fresh.getNotAfter().toInstant());
    }
    if (fresh.getNotBefore().toInstant().isAfter(now.plus(SKEW))) {
      return Optional.of("it is valid from " + fresh.getNotBefore().toInstant() + " on");
    }
    return named(old).equals(named(fresh))
        ? Optional.empty()
        : Optional.of("it has other names: " + fresh.getSubjectX500Principal());
  }

  private static boolean isIssuedBy(X509Certificate certificate, X509Certificate issuer) {
    try {
      certificate.verify(issuer.getPublicKey());
      return certificate.getIssuerX500Principal().equals(issuer.getSubjectX500Principal());
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /** Whom it is for: the subject, compared as RFC 5280 7.1 says, and all alternative names. */
  private record Names(X500Principal subject, Set<GeneralName> others) {}

  private static Names named(X509Certificate certificate) {
    try {
      GeneralNames names =
          GeneralNames.fromExtensions(
              Certificate.getInstance(certificate.getEncoded()).getTBSCertificate().getExtensions(),
              Extension.subjectAlternativeName);
      Set<GeneralName> others = names == null ? Set.of() : new HashSet<>(List.of(names.getNames()));
      return new Names(certificate.getSubjectX500Principal(), others);
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate that was read cannot be written", e);
    }
  }
}
