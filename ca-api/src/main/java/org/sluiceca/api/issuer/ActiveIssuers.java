package org.sluiceca.api.issuer;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.ChainConstraints;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.ExtensionReader;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.plan.KeyIdentifiers;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.sign.KeyName;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.Validity;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.SubjectPublicKeyInfo;

/**
 * The issuers that issue, validated once.
 *
 * @param catalog all active ones; relying parties fetch their certificates here
 * @param keys the key of each
 * @param required those that a token of this node must hold
 */
public record ActiveIssuers(
    IssuerCatalog catalog, Map<KeyName, KeyRef> keys, Set<KeyName> required) {

  public ActiveIssuers {
    keys = Map.copyOf(keys);
    required = Set.copyOf(required);
  }

  /** The keys that a token of this node must hold. */
  public Set<KeyRef> requiredKeys() {
    return keys.entrySet().stream()
        .filter(e -> required.contains(e.getKey()))
        .map(Map.Entry::getValue)
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Builds the issuers from the database's rows. A key may be in any token, under whose label it
   * was installed or another; those that the ceremony installed under the label of a token that
   * this node has, and active ones that profiles for enrollment name, must be there.
   *
   * @param tokenLabels the tokens that this node signs with
   * @param ocsp the issuers whose new certificates name an OCSP responder
   * @throws IllegalStateException if none of them holds an issuer's key, a certificate does not
   *     parse, or a profile for enrollment names an issuer that is not installed
   */
  public static ActiveIssuers of(
      List<RegisteredIssuer> registered,
      Set<String> tokenLabels,
      ProfileCatalog profiles,
      PublicSide publicSide,
      Set<IssuerName> ocsp) {
    List<Issuer> issuers = new ArrayList<>();
    Map<KeyName, KeyRef> keys = new LinkedHashMap<>();
    Set<KeyName> required = new HashSet<>();
    Set<IssuerName> retired = new HashSet<>();
    for (RegisteredIssuer row : registered) {
      if (row.state() != RegisteredIssuer.State.ACTIVE) {
        retired.add(row.name());
        continue;
      }
      Issuer installed = issuer(row, publicSide);
      Issuer issuer =
          ocsp.contains(row.name()) ? installed.withOcsp(publicSide.base() + "/ocsp") : installed;
      issuers.add(issuer);
      keys.put(KeyName.of(row.name()), key(row, issuer));
      // What came over the network keeps no node from starting, whatever became of its key.
      if (row.origin().installedBy().isEmpty() && tokenLabels.contains(row.key().tokenLabel())) {
        required.add(KeyName.of(row.name()));
      }
    }
    for (CertificateProfile profile : profiles.all()) {
      // Of a retired one the profile is refused, loudly, by the catalogue of
      // profiles.
      if (profile.use() == CertificateProfile.Use.ENROLLMENT
          && !retired.contains(profile.issuer())) {
        if (!keys.containsKey(KeyName.of(profile.issuer()))) {
          throw new IllegalStateException(
              String.format(
                  Locale.ROOT,
                  "profile %s names issuer %s, which is not installed: run the key ceremony first",
                  profile.name(),
                  profile.issuer()));
        }
        required.add(KeyName.of(profile.issuer()));
      }
    }
    if (required.isEmpty()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "no active issuer with its key in %s is installed: run the key ceremony first",
              tokenLabels));
    }
    return new ActiveIssuers(new IssuerCatalog(issuers), keys, required);
  }

  /**
   * Where relying parties look.
   *
   * @param url what the URIs in certificates begin with
   * @param crlShards over how many CRLs the certificates of an issuer are spread
   */
  public record PublicSide(String url, int crlShards) {

    String base() {
      return url.replaceAll("/+$", "");
    }

    /** One CRL an issuer. */
    public static PublicSide at(String url) {
      return new PublicSide(url, 1);
    }
  }

  static KeyRef key(RegisteredIssuer row, Issuer issuer) {
    return new KeyRef(
        CkaId.of(row.key().ckaId().octets()),
        SubjectPublicKeyInfo.of(issuer.subjectPublicKeyInfo().encoded()));
  }

  /** Builds one issuer's public side. */
  public static Issuer issuer(RegisteredIssuer row, PublicSide publicSide) {
    return issuer(row.name(), row.certificates(), row.origin().first(), publicSide);
  }

  /** Builds an issuer's public side from its own certificate and those above it. */
  public static Issuer issuer(IssuerName name, List<CertificateDer> chain, PublicSide publicSide) {
    return issuer(name, chain, chain.getFirst(), publicSide);
  }

  private static Issuer issuer(
      IssuerName name, List<CertificateDer> chain, CertificateDer first, PublicSide publicSide) {
    try {
      TbsCertificate certificate = CertificateReader.read(chain.getFirst()).fields();
      Instant since = CertificateReader.read(first).fields().validity().notBefore();
      return new Issuer(
          name,
          certificate.subject(),
          certificate.subjectPublicKeyInfo(),
          keyIdentifier(certificate),
          since(certificate.validity(), since),
          chain,
          Optional.of(publications(name, publicSide)),
          ChainConstraints.of(chain));
    } catch (DerException e) {
      throw new IllegalStateException(
          "the certificate of issuer " + name + " is bad: " + e.fault(), e);
    }
  }

  /**
   * What was planned under its first certificate is issued under a later one, too: path validation
   * asks of each certificate whether it is valid now, not whether its period lies within the
   * issuer's (RFC 5280 6.1.3).
   */
  private static Validity since(Validity newest, Instant first) {
    return first.isBefore(newest.notBefore()) ? new Validity(first, newest.notAfter()) : newest;
  }

  /** Returns where relying parties find what an issuer publishes. */
  public static Issuer.Publications publications(IssuerName name, PublicSide publicSide) {
    String base = publicSide.base();
    return new Issuer.Publications(
        base + "/issuers/" + name + ".cer",
        base + "/crl/" + name + ".crl",
        publicSide.crlShards(),
        Optional.empty());
  }

  /** RFC 5280 4.2.1.1: what stands in the issuer's own certificate, also if another CA made it. */
  private static OctetString keyIdentifier(TbsCertificate certificate) throws DerException {
    return certificate.extension(ExtensionOids.SUBJECT_KEY_IDENTIFIER).isPresent()
        ? ExtensionReader.subjectKeyIdentifier(
            certificate.extension(ExtensionOids.SUBJECT_KEY_IDENTIFIER).get())
        : KeyIdentifiers.of(certificate.subjectPublicKeyInfo());
  }
}
