package org.sluiceca.api.cli.ceremony.files;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.der.TbsCertificateWriter;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.NameDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.Validity;

/** Issuers whose keys are at hand, as a database registers them. */
final class IssuerFiles {

  static final SignatureAlgorithm ALGORITHM = SignatureAlgorithm.ECDSA_SHA256;

  static final SoftwareKey KEY = SoftwareKey.named("issuer-ec-p256");

  static final NameDer NAME =
      NameCodec.write(
          new DistinguishedName(
              List.of(new DistinguishedName.Attribute(NameAttribute.COMMON_NAME, "An issuer"))));

  private IssuerFiles() {}

  /** One of each algorithm: a request to the wrong one must be refused, and no more. */
  static List<RegisteredIssuer> all() {
    return List.of(
        issuer("second", SoftwareKey.named("issuer-rsa-2048")),
        issuer("third", SoftwareKey.named("issuer-ed25519")),
        issuer("issuing", KEY));
  }

  private static RegisteredIssuer issuer(String name, SoftwareKey key) {
    CertificateDer certificate = certificate(KEY, key, new byte[] {1});
    return new RegisteredIssuer(
        new IssuerName(name),
        OctetString.copyOf(key.publicKey().encoded()),
        certificate,
        List.of(),
        new RegisteredIssuer.Key(OctetString.copyOf(new byte[] {1}), "any", "here"),
        RegisteredIssuer.State.ACTIVE,
        new RegisteredIssuer.Origin(Optional.empty(), certificate, 0, Fixtures.NOW));
  }

  /** A certificate of {@code subject}'s key, signed by {@code signer}. */
  static CertificateDer certificate(SoftwareKey signer, SoftwareKey subject, byte[] serialNumber) {
    var tbs =
        TbsCertificateWriter.write(
            new TbsCertificate(
                OctetString.copyOf(serialNumber),
                ALGORITHM,
                NAME,
                new Validity(Fixtures.NOW, Fixtures.NOW.plus(Duration.ofDays(9))),
                NAME,
                subject.publicKey(),
                List.of(Extensions.subjectKeyIdentifier(new byte[20]))));
    return TbsCertificateWriter.assemble(
        tbs, ALGORITHM, signer.sign(ALGORITHM, OctetString.copyOf(tbs.encoded())));
  }
}
