package org.sluiceca.api.issuer.service;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.der.TbsCertificateWriter;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.KeyUsage;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.NameDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.TbsCertificateDer;
import org.sluiceca.core.x509.Validity;

/**
 * A CA that signs with a software key, each detail of whose certificate a test can spoil.
 *
 * @param usages empty for no keyUsage
 * @param keyIdentifier text of the subjectKeyIdentifier
 * @param more other extensions
 */
record TestCa(
    String subject,
    SoftwareKey key,
    Validity validity,
    boolean isCa,
    OptionalInt pathLen,
    Set<KeyUsage> usages,
    String keyIdentifier,
    List<Extension> more) {

  static final Validity YEAR =
      new Validity(Fixtures.NOW.minus(Duration.ofDays(1)), Fixtures.NOW.plus(Duration.ofDays(365)));

  private static final Set<KeyUsage> BOTH = Set.of(KeyUsage.KEY_CERT_SIGN, KeyUsage.CRL_SIGN);

  static TestCa of(String subject, String key) {
    return new TestCa(
        subject, SoftwareKey.named(key), YEAR, true, OptionalInt.empty(), BOTH, subject, List.of());
  }

  TestCa named(String other) {
    return new TestCa(other, key, validity, isCa, pathLen, usages, keyIdentifier, more);
  }

  TestCa keyed(SoftwareKey other) {
    return new TestCa(subject, other, validity, isCa, pathLen, usages, keyIdentifier, more);
  }

  TestCa valid(Validity other) {
    return new TestCa(subject, key, other, isCa, pathLen, usages, keyIdentifier, more);
  }

  TestCa noCa() {
    return new TestCa(subject, key, validity, false, pathLen, usages, keyIdentifier, more);
  }

  TestCa atMost(int below) {
    return new TestCa(
        subject, key, validity, isCa, OptionalInt.of(below), usages, keyIdentifier, more);
  }

  TestCa using(Set<KeyUsage> other) {
    return new TestCa(subject, key, validity, isCa, pathLen, other, keyIdentifier, more);
  }

  TestCa identified(String other) {
    return new TestCa(subject, key, validity, isCa, pathLen, usages, other, more);
  }

  TestCa with(Extension other) {
    return new TestCa(subject, key, validity, isCa, pathLen, usages, keyIdentifier, List.of(other));
  }

  OctetString publicKey() {
    return OctetString.copyOf(key.publicKey().encoded());
  }

  CertificateDer selfSigned() {
    return by(this);
  }

  CertificateDer by(TestCa issuer) {
    List<Extension> extensions =
        new ArrayList<>(
            List.of(
                Extensions.basicConstraints(isCa, isCa ? pathLen : OptionalInt.empty()),
                Extensions.subjectKeyIdentifier(
                    keyIdentifier.getBytes(StandardCharsets.US_ASCII))));
    if (!usages.isEmpty()) {
      extensions.add(Extensions.keyUsage(usages));
    }
    extensions.addAll(more);
    SignatureAlgorithm algorithm = SignatureAlgorithm.ofIssuer(issuer.key.publicKey().key());
    TbsCertificateDer tbs =
        TbsCertificateWriter.write(
            new TbsCertificate(
                OctetString.copyOf(new byte[] {7}),
                algorithm,
                name(issuer.subject),
                validity,
                name(subject),
                key.publicKey(),
                extensions));
    return TbsCertificateWriter.assemble(
        tbs, algorithm, issuer.key.sign(algorithm, OctetString.copyOf(tbs.encoded())));
  }

  private static NameDer name(String commonName) {
    return NameCodec.write(
        new DistinguishedName(List.of(new Attribute(NameAttribute.COMMON_NAME, commonName))));
  }
}
