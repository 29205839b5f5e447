package org.sluiceca.api.issuer.service;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.api.issuer.store.RegisteredIssuer.State;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.ChainConstraints;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerConstraints;
import org.sluiceca.core.x509.OctetString;

/** What speaks against a good chain. Pure; each answer is one line, or empty. */
public final class IssuerRules {

  private IssuerRules() {}

  /**
   * Why this chain must not become another issuer over the network: only the ceremony brings in a
   * trust anchor, and relying parties must be able to tell issuers apart.
   *
   * @param registered all there are
   */
  static Optional<String> ofAnother(IssuerChain chain, Collection<RegisteredIssuer> registered) {
    if (registered.stream().noneMatch(r -> r.state() == State.ACTIVE && endsAlike(r, chain))) {
      return Optional.of(
          "its trust anchor is not that of an active issuer: a new one comes by the ceremony");
    }
    for (RegisteredIssuer other : registered) {
      if (other.subjectPublicKeyInfo().equals(chain.publicKey())) {
        return Optional.of("issuer " + other.name() + " has this key");
      }
      if (read(other).subject().equals(chain.own().subject())) {
        return Optional.of("issuer " + other.name() + " has this subject");
      }
    }
    return Optional.empty();
  }

  private static boolean endsAlike(RegisteredIssuer registered, IssuerChain chain) {
    return registered.certificates().getLast().equals(chain.anchor());
  }

  /**
   * Why certificates that were issued under the present certificate would not be good under this
   * one, or new ones worse than those, at a renewal.
   */
  public static Optional<String> ofRenewal(RegisteredIssuer present, IssuerChain fresh) {
    if (present.chain().isEmpty()) {
      return Optional.of("the present one is a root's, which no other CA certifies");
    }
    TbsCertificate old = read(present);
    TbsCertificate own = fresh.own();
    if (!present.subjectPublicKeyInfo().equals(fresh.publicKey())) {
      return Optional.of("it is for another key");
    }
    if (!old.subject().equals(own.subject())) {
      return Optional.of("it is for another subject");
    }
    OctetString identifier = IssuerChain.keyIdentifier(own);
    if (!IssuerChain.keyIdentifier(old).equals(identifier)) {
      return Optional.of(
          "its subjectKeyIdentifier is another, which issued certificates do not name");
    }
    if (own.validity().notAfter().isBefore(old.validity().notAfter())) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "it ends %s, before the present one (%s)",
              own.validity().notAfter(),
              old.validity().notAfter()));
    }
    return Optional.empty();
  }

  /**
   * Why this renewal is not one for the network: another CA above, or other constraints, would be
   * another's decision about what this issuer may. That no CA above ends before what was issued may
   * needs no rule here: none ends before the issuer's own certificate ({@link IssuerChain#of}), and
   * that not before the present one ({@link #ofRenewal}).
   *
   * @param fresh nothing speaks against it by {@link #ofRenewal}
   */
  static Optional<String> ofRenewalOverTheNetwork(RegisteredIssuer present, IssuerChain fresh) {
    if (present.certificate().equals(fresh.certificates().getFirst())) {
      return Optional.of(
          "the certificate itself is the present one: others above it come by the ceremony");
    }
    if (!present.certificates().getLast().equals(fresh.anchor())) {
      return Optional.of("it has another trust anchor: that comes by the ceremony");
    }
    TbsCertificate above = read(present.chain().getFirst());
    if (!above.subject().equals(fresh.above().subject())
        || !above.subjectPublicKeyInfo().equals(fresh.above().subjectPublicKeyInfo())) {
      return Optional.of("it is by another CA: that comes by the ceremony");
    }
    if (!constraints(present.certificates()).equals(constraints(fresh.certificates()))) {
      return Optional.of(
          "its path length or name constraints, or those above it, are others: that comes by the ceremony");
    }
    return Optional.empty();
  }

  private static IssuerConstraints constraints(List<CertificateDer> chain) {
    try {
      return ChainConstraints.of(chain);
    } catch (DerException e) {
      throw new IllegalStateException("a registered certificate is bad: " + e.fault(), e);
    }
  }

  private static TbsCertificate read(RegisteredIssuer issuer) {
    return read(issuer.certificate());
  }

  private static TbsCertificate read(CertificateDer certificate) {
    try {
      return CertificateReader.read(certificate).fields();
    } catch (DerException e) {
      throw new IllegalStateException("a registered certificate is bad: " + e.fault(), e);
    }
  }
}
