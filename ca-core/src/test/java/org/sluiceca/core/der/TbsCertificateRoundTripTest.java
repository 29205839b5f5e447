package org.sluiceca.core.der;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.sluiceca.core.testkit.RawDer.join;
import static org.sluiceca.core.testkit.RawDer.tlv;

import java.net.InetAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.KeyUsage;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.TbsCertificateDer;
import org.sluiceca.core.x509.Validity;

/** What is written is what is read: fields to bytes to the same fields. */
class TbsCertificateRoundTripTest {

  private static final List<SignatureAlgorithm> ALGORITHMS = List.of(SignatureAlgorithm.values());
  private static final List<GeneralName> NAMES = everyForm();

  @Test
  void write_seededFields_readBackEqual() throws Exception {
    for (long seed = 1; seed <= 500; seed++) {
      TbsCertificate fields = fields(new SplittableRandom(seed));

      TbsCertificateDer der = TbsCertificateWriter.write(fields);

      assertThat(CertificateReader.read(der)).as("seed %d", seed).isEqualTo(fields);
      assertThat(CertificateReader.validity(der)).isEqualTo(fields.validity());
      assertThat(CertificateReader.names(der))
          .isEqualTo(new CertifiedNames(NameCodec.read(fields.subject()), NAMES));
      assertThat(TbsCertificateWriter.write(fields)).isEqualTo(der);
    }
  }

  @Test
  void assemble_everyAlgorithm_splitsIntoTheSameParts() throws Exception {
    for (SignatureAlgorithm algorithm : SignatureAlgorithm.values()) {
      TbsCertificateDer tbs = TbsCertificateWriter.write(fields(new SplittableRandom(7)));
      OctetString signature = OctetString.copyOf(new byte[] {1, 2, 3});

      SignedCertificate parts =
          CertificateReader.read(TbsCertificateWriter.assemble(tbs, algorithm, signature));

      assertThat(parts.tbs()).isEqualTo(tbs);
      assertThat(parts.signatureAlgorithm()).isEqualTo(algorithm);
      assertThat(parts.signature()).isEqualTo(signature);
    }
  }

  @Test
  void assemble_bodyOf127To70000Octets_lengthsAreShortest() {
    for (int size : new int[] {1, 90, 100, 110, 120, 127, 128, 200, 255, 256, 65_000, 70_000}) {
      TbsCertificateDer tbs = TbsCertificateDer.of(tlv(0x30, new byte[size]));
      byte[] algorithm = tlv(0x30, new byte[] {6, 3, 0x2b, 0x65, 0x70});

      assertThat(
              TbsCertificateWriter.assemble(
                      tbs, SignatureAlgorithm.ED25519, OctetString.copyOf(new byte[0]))
                  .encoded())
          .isEqualTo(tlv(0x30, tbs.encoded(), algorithm, new byte[] {3, 1, 0}));
    }
  }

  @Test
  void read_trailingByteOrVersion1OrRepeatedExtension_fault() {
    TbsCertificate fields = fields(new SplittableRandom(3));
    byte[] der = TbsCertificateWriter.write(fields).encoded();
    byte[] version1 = der.clone();
    // Right behind the SEQUENCE's four octets of tag and length: a0 03 02 01 02.
    version1[8] = 0;

    assertFault(join(der, new byte[1]));
    assertFault(version1);
  }

  @Test
  void read_seededMutations_neverAnUncheckedException() {
    TbsCertificateDer tbs = TbsCertificateWriter.write(fields(new SplittableRandom(5)));
    OctetString signature = OctetString.copyOf(new byte[64]);
    byte[] whole =
        TbsCertificateWriter.assemble(tbs, SignatureAlgorithm.ED25519, signature).encoded();
    for (long seed = 1; seed <= 3_000; seed++) {
      byte[] mutant = Mutations.of(whole, new SplittableRandom(seed));
      assertReadsOrFault(seed, () -> CertificateReader.read(CertificateDer.of(mutant)));
      TbsCertificateDer body =
          TbsCertificateDer.of(Mutations.of(tbs.encoded(), new SplittableRandom(seed)));
      assertReadsOrFault(seed, () -> CertificateReader.validity(body));
      assertReadsOrFault(seed, () -> CertificateReader.names(body));
    }
  }

  /** What a mutant may break. */
  private interface Reading {
    void read() throws DerException;
  }

  private static void assertReadsOrFault(long seed, Reading reading) {
    try {
      reading.read();
    } catch (DerException e) {
      assertThat(e.fault()).isNotBlank();
    } catch (RuntimeException e) {
      throw new AssertionError("seed " + seed, e);
    }
  }

  private static void assertFault(byte[] tbs) {
    assertThatExceptionOfType(DerException.class)
        .isThrownBy(() -> CertificateReader.read(TbsCertificateDer.of(tbs)));
  }

  private static TbsCertificate fields(SplittableRandom random) {
    byte[] serial = new byte[random.nextInt(1, 20)];
    random.nextBytes(serial);
    serial[0] = (byte) random.nextInt(1, 0x80);
    Instant start = Instant.ofEpochSecond(random.nextLong(4_000_000_000L));
    List<Extension> extensions = new ArrayList<>();
    extensions.add(Extensions.basicConstraints(random.nextBoolean(), OptionalInt.of(3)));
    extensions.add(Extensions.keyUsage(some(Set.of(KeyUsage.values()), random)));
    extensions.add(Extensions.extendedKeyUsage(some(Set.copyOf(ExtendedKeyUsage.known()), random)));
    extensions.add(Extensions.subjectAltName(NAMES, random.nextBoolean()));
    extensions.add(Extensions.noRevocationAvailable());
    return new TbsCertificate(
        OctetString.copyOf(serial),
        ALGORITHMS.get(random.nextInt(ALGORITHMS.size())),
        NameCodec.write(name(random)),
        new Validity(start, start.plusSeconds(random.nextLong(1, 4_000_000_000L))),
        NameCodec.write(name(random)),
        SoftwareKey.named(SoftwareKey.NAMES.get(random.nextInt(SoftwareKey.NAMES.size())))
            .publicKey(),
        extensions);
  }

  private static DistinguishedName name(SplittableRandom random) {
    List<Attribute> attributes = new ArrayList<>();
    for (NameAttribute type : NameAttribute.values()) {
      if (type == NameAttribute.COMMON_NAME || random.nextBoolean()) {
        attributes.add(new Attribute(type, "X" + random.nextInt(10)));
      }
    }
    return new DistinguishedName(attributes);
  }

  private static <T> Set<T> some(Set<T> all, SplittableRandom random) {
    Set<T> some = new java.util.HashSet<>(all);
    some.removeIf(e -> random.nextBoolean());
    return some;
  }

  private static List<GeneralName> everyForm() {
    return List.of(
        new GeneralName.Dns("host.example.test"),
        new GeneralName.Ip(InetAddress.ofLiteral("192.0.2.1")),
        new GeneralName.Ip(InetAddress.ofLiteral("2001:db8::1")),
        new GeneralName.Email("a@example.test"),
        new GeneralName.Uri("urn:example:1"));
  }
}
