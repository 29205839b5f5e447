package org.sluiceca.api.issuer.service;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.ChainConstraints;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.ExtensionReader;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.der.Pem;
import org.sluiceca.core.der.SignedCertificate;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.plan.KeyIdentifiers;
import org.sluiceca.core.verify.SignatureVerifier;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.KeyUsage;
import org.sluiceca.core.x509.OctetString;

/**
 * The chain of a CA below a root, good in itself: the CA's own certificate, those above it, a trust
 * anchor that signs itself. Says nothing of whose keys these are.
 */
public final class IssuerChain {

  /** The issuer's own, and as many above it as the database keeps. */
  private static final int CERTIFICATES_MAX = 9;

  private final List<CertificateDer> certificates;
  private final List<SignedCertificate> read;

  private IssuerChain(List<CertificateDer> certificates, List<SignedCertificate> read) {
    this.certificates = List.copyOf(certificates);
    this.read = List.copyOf(read);
  }

  /**
   * Reads PEM, one certificate after the other (RFC 7468); other blocks are left out.
   *
   * @throws IllegalArgumentException with one line that names the fault
   */
  public static List<CertificateDer> parse(String pem) {
    try {
      return Pem.readAll(Pem.CERTIFICATE, pem).stream().map(CertificateDer::of).toList();
    } catch (DerException e) {
      throw new IllegalArgumentException("the certificates are not PEM: " + e.fault(), e);
    }
  }

  /**
   * Judges a chain: each certificate a CA's that may sign certificates, the first CRLs, too; signed
   * by the next, the last by itself; valid now, and none longer than one above it, so that nothing
   * issued below outlives a CA above; within the path lengths of those above (RFC 5280 6.1.4). A
   * trust anchor need not have a keyUsage (6.1.1 d).
   *
   * @param certificates the issuer's own first, trust anchor last
   * @throws IllegalArgumentException with one line that names the fault
   */
  public static IssuerChain of(
      List<CertificateDer> certificates, SignatureVerifier verifier, Instant now) {
    if (certificates.size() < 2 || certificates.size() > CERTIFICATES_MAX) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the chain has %d certificates, allowed 2 to %d",
              certificates.size(),
              CERTIFICATES_MAX));
    }
    Set<CertificateDer> different = new HashSet<>(certificates);
    if (different.size() < certificates.size()) {
      throw new IllegalArgumentException("a certificate stands twice in the chain");
    }
    List<SignedCertificate> read = new ArrayList<>();
    for (int i = 0; i < certificates.size(); i++) {
      try {
        SignedCertificate certificate = CertificateReader.read(certificates.get(i));
        checkAlone(certificate.fields(), i, i == certificates.size() - 1, now);
        read.add(certificate);
      } catch (DerException e) {
        throw fault(i, "does not parse: " + e.fault());
      }
    }
    checkEnds(read);
    for (int i = 0; i < read.size(); i++) {
      checkSignature(read.get(i), read.get(Math.min(i + 1, read.size() - 1)), verifier, i);
    }
    checkWhatNodesRead(certificates, read.getFirst().fields());
    return new IssuerChain(certificates, read);
  }

  /** What a node makes of a chain at its start: one that fails there keeps it from starting. */
  private static void checkWhatNodesRead(List<CertificateDer> certificates, TbsCertificate own) {
    keyIdentifier(own);
    try {
      ChainConstraints.of(certificates);
    } catch (DerException e) {
      throw new IllegalArgumentException(
          "the constraints of the chain do not parse: " + e.fault(), e);
    }
  }

  private static void checkAlone(
      TbsCertificate certificate, int place, boolean isAnchor, Instant now) throws DerException {
    Optional<Extension> basic = certificate.extension(ExtensionOids.BASIC_CONSTRAINTS);
    if (basic.isEmpty() || !ExtensionReader.isCa(basic.get())) {
      throw fault(place, "is no CA's");
    }
    Optional<Extension> keyUsage = certificate.extension(ExtensionOids.KEY_USAGE);
    Set<KeyUsage> usages =
        keyUsage.isPresent() ? ExtensionReader.keyUsage(keyUsage.get()) : Set.of();
    if (!usages.contains(KeyUsage.KEY_CERT_SIGN) && !(isAnchor && keyUsage.isEmpty())) {
      throw fault(place, "may not sign certificates (keyUsage)");
    }
    if (place == 0 && !usages.contains(KeyUsage.CRL_SIGN)) {
      throw fault(place, "may not sign CRLs (keyUsage)");
    }
    if (!certificate.validity().contains(now)) {
      throw fault(
          place,
          String.format(
              Locale.ROOT,
              "is not valid now, but from %s to %s",
              certificate.validity().notBefore(),
              certificate.validity().notAfter()));
    }
    // RFC 5280 4.2.1.9: how many CAs may follow it; self-issued ones are counted here, too.
    OptionalInt pathLen = ExtensionReader.pathLen(basic.get());
    if (pathLen.isPresent() && pathLen.getAsInt() < place) {
      throw fault(
          place,
          String.format(
              Locale.ROOT, "allows %d CAs below it, and has %d", pathLen.getAsInt(), place));
    }
  }

  /** Each against the next is each against all above it. */
  private static void checkEnds(List<SignedCertificate> read) {
    for (int i = 0; i < read.size() - 1; i++) {
      Instant end = read.get(i).fields().validity().notAfter();
      Instant above = read.get(i + 1).fields().validity().notAfter();
      if (end.isAfter(above)) {
        throw fault(
            i, String.format(Locale.ROOT, "ends %s, after the one above it (%s)", end, above));
      }
    }
  }

  private static void checkSignature(
      SignedCertificate lower, SignedCertificate upper, SignatureVerifier verifier, int place) {
    if (!lower.fields().issuer().equals(upper.fields().subject())
        || !lower.signatureAlgorithm().equals(lower.fields().signatureAlgorithm())
        || !verifier.verifies(
            upper.fields().subjectPublicKeyInfo(),
            lower.signatureAlgorithm(),
            OctetString.copyOf(lower.tbs().encoded()),
            lower.signature())) {
      throw fault(
          place, lower.equals(upper) ? "does not sign itself" : "is not signed by the next");
    }
  }

  private static IllegalArgumentException fault(int place, String text) {
    return new IllegalArgumentException(
        String.format(Locale.ROOT, "certificate %d of the chain %s", place + 1, text));
  }

  /** Returns the certificates, the issuer's own first. */
  public List<CertificateDer> certificates() {
    return certificates;
  }

  /** Returns the issuer's own certificate, read. */
  public TbsCertificate own() {
    return read.getFirst().fields();
  }

  /** Returns the certificate of the CA that signed the issuer's own. */
  TbsCertificate above() {
    return read.get(1).fields();
  }

  CertificateDer anchor() {
    return certificates.getLast();
  }

  /** Returns the DER encoding of the issuer's subjectPublicKeyInfo. */
  public OctetString publicKey() {
    return OctetString.copyOf(own().subjectPublicKeyInfo().encoded());
  }

  /** RFC 5280 4.2.1.1: by what certificates name the key; as it stands in the certificate. */
  static OctetString keyIdentifier(TbsCertificate certificate) {
    try {
      Optional<Extension> stated = certificate.extension(ExtensionOids.SUBJECT_KEY_IDENTIFIER);
      return stated.isPresent()
          ? ExtensionReader.subjectKeyIdentifier(stated.get())
          : KeyIdentifiers.of(certificate.subjectPublicKeyInfo());
    } catch (DerException e) {
      throw new IllegalArgumentException(
          "the subjectKeyIdentifier does not parse: " + e.fault(), e);
    }
  }

  /** Returns the subject as text; empty if it has attributes that this CA does not certify. */
  public static String subject(TbsCertificate certificate) {
    try {
      return NameCodec.read(certificate.subject()).toString();
    } catch (DerException e) {
      return "";
    }
  }
}
