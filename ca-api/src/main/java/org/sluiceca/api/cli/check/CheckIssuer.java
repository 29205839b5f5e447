package org.sluiceca.api.cli.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.sluiceca.api.issuer.ActiveIssuers;
import org.sluiceca.api.issuer.ActiveIssuers.PublicSide;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.der.Pem;
import org.sluiceca.core.der.PublicKeyReader;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.KeyIdentifiers;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.IssuerConstraints;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;
import org.sluiceca.core.x509.Validity;

/**
 * The issuer that a check plans for.
 *
 * @param description where it comes from, for people
 * @param isStandIn whether it is none of this CA's: its name, end and constraints mean nothing
 */
record CheckIssuer(Issuer issuer, String description, boolean isStandIn) {

  /** The ceremony's name of the trust anchor, the last certificate of a chain. */
  private static final String ROOT = "root";

  /** Wider than any profile's validity, so that the profile alone decides. */
  private static final Duration PAST = Duration.ofDays(51 * 366L);

  private static final Duration FUTURE = Duration.ofDays(80 * 366L);

  static CheckIssuer of(IssuerName name, Optional<Path> chain, String publicUrl)
      throws IOException, DerException {
    if (chain.isEmpty()) {
      return standIn(name, publicUrl);
    }
    List<CertificateDer> certificates =
        Pem.readAll(Pem.CERTIFICATE, Files.readString(chain.get())).stream()
            .map(CertificateDer::of)
            .toList();
    if (certificates.isEmpty()) {
      throw new IOException("no certificate in " + chain.get());
    }
    int first = name.value().equals(ROOT) ? certificates.size() - 1 : 0;
    Issuer issuer =
        ActiveIssuers.issuer(
            name, certificates.subList(first, certificates.size()), PublicSide.at(publicUrl));
    return new CheckIssuer(issuer, NameText.of(issuer.subject()) + " (" + chain.get() + ")", false);
  }

  private static CheckIssuer standIn(IssuerName name, String publicUrl) throws DerException {
    SubjectPublicKeyInfo key = PublicKeyReader.read(freshKey());
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    return new CheckIssuer(
        new Issuer(
            name,
            NameCodec.write(
                new DistinguishedName(
                    List.of(new Attribute(NameAttribute.COMMON_NAME, "Stand-in for " + name)))),
            key,
            KeyIdentifiers.of(key),
            new Validity(now.minus(PAST), now.plus(FUTURE)),
            List.of(),
            Optional.of(ActiveIssuers.publications(name, PublicSide.at(publicUrl))),
            IssuerConstraints.NONE),
        "a stand-in for " + name + ": the real one's end and constraints are not considered",
        true);
  }

  private static byte[] freshKey() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair().getPublic().getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has P-256", e);
    }
  }
}
