package org.sluiceca.api.wiring;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.api.ledger.RegisteredIssuer;
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
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.SubjectPublicKeyInfo;

/**
 * The issuers that the ceremony installed, validated once.
 *
 * @param catalog all active ones; relying parties fetch their certificates here
 * @param keys where the key of each issuer is that this node's token holds
 */
public record ActiveIssuers(IssuerCatalog catalog, Map<IssuerName, KeyRef> keys) {

  public ActiveIssuers {
    keys = Map.copyOf(keys);
  }

  /**
   * Builds the issuers from the database's rows.
   *
   * @param tokenLabel the token that this node signs with
   * @throws IllegalStateException if it holds no issuer's key, a certificate does not parse, or a
   *     profile for enrollment names an issuer whose key is not here
   */
  public static ActiveIssuers of(
      List<RegisteredIssuer> registered,
      String tokenLabel,
      ProfileCatalog profiles,
      String publicUrl) {
    List<Issuer> issuers = new ArrayList<>();
    Map<IssuerName, KeyRef> keys = new LinkedHashMap<>();
    for (RegisteredIssuer row : registered) {
      if (row.state() != RegisteredIssuer.State.ACTIVE) {
        continue;
      }
      Issuer issuer = issuer(row, publicUrl);
      issuers.add(issuer);
      if (row.key().tokenLabel().equals(tokenLabel)) {
        keys.put(
            row.name(),
            new KeyRef(
                CkaId.of(row.key().ckaId().octets()),
                SubjectPublicKeyInfo.of(issuer.subjectPublicKeyInfo().encoded())));
      }
    }
    if (keys.isEmpty()) {
      throw new IllegalStateException(
          "no issuer with its key in token %s is installed: run the key ceremony first"
              .formatted(tokenLabel));
    }
    for (CertificateProfile profile : profiles.all()) {
      if (profile.use() == CertificateProfile.Use.ENROLLMENT
          && !keys.containsKey(profile.issuer())) {
        throw new IllegalStateException(
            "profile %s names issuer %s, whose key is not in token %s"
                .formatted(profile.name(), profile.issuer(), tokenLabel));
      }
    }
    return new ActiveIssuers(new IssuerCatalog(issuers), keys);
  }

  /** Builds one issuer's public side; its URIs are below {@code publicUrl}. */
  public static Issuer issuer(RegisteredIssuer row, String publicUrl) {
    List<CertificateDer> chain = new ArrayList<>(List.of(row.certificate()));
    chain.addAll(row.chain());
    return issuer(row.name(), chain, publicUrl);
  }

  /** Builds an issuer's public side from its own certificate and those above it. */
  public static Issuer issuer(IssuerName name, List<CertificateDer> chain, String publicUrl) {
    try {
      TbsCertificate certificate = CertificateReader.read(chain.getFirst()).fields();
      return new Issuer(
          name,
          certificate.subject(),
          certificate.subjectPublicKeyInfo(),
          keyIdentifier(certificate),
          certificate.validity(),
          chain,
          Optional.of(publications(name, publicUrl)),
          ChainConstraints.of(chain));
    } catch (DerException e) {
      throw new IllegalStateException(
          "the certificate of issuer " + name + " is bad: " + e.fault(), e);
    }
  }

  /** Returns where relying parties find what an issuer publishes, below {@code publicUrl}. */
  public static Issuer.Publications publications(IssuerName name, String publicUrl) {
    String base = publicUrl.replaceAll("/+$", "");
    return new Issuer.Publications(
        base + "/issuers/" + name + ".cer", base + "/crl/" + name + ".crl");
  }

  /** RFC 5280 4.2.1.1: what stands in the issuer's own certificate, whoever made it. */
  private static OctetString keyIdentifier(TbsCertificate certificate) throws DerException {
    return certificate.extension(ExtensionOids.SUBJECT_KEY_IDENTIFIER).isPresent()
        ? ExtensionReader.subjectKeyIdentifier(
            certificate.extension(ExtensionOids.SUBJECT_KEY_IDENTIFIER).get())
        : KeyIdentifiers.of(certificate.subjectPublicKeyInfo());
  }
}
