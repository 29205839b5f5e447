package org.sluiceca.core.der;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1Object;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERIA5String;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERPrintableString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERSet;
import org.bouncycastle.asn1.DERTaggedObject;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AccessDescription;
import org.bouncycastle.asn1.x509.AuthorityInformationAccess;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLDistPoint;
import org.bouncycastle.asn1.x509.DistributionPoint;
import org.bouncycastle.asn1.x509.DistributionPointName;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.Time;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.KeyUsage;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.NameAttribute.StringType;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.Validity;

/** What is written octet by octet is what Bouncy Castle writes of the same fields. */
class LibraryWritesTheSameTest {

  private static final List<String> TEXTS =
      List.of("", "a", "Käse 日本 🜚", "x".repeat(127), "y".repeat(128), "z".repeat(300));

  private static final List<SignatureAlgorithm> ALGORITHMS = List.of(SignatureAlgorithm.values());

  @Test
  void write_seededFields_asTheLibrary() throws Exception {
    for (long seed = 1; seed <= 2_000; seed++) {
      TbsCertificate fields = fields(new SplittableRandom(seed));

      assertThat(TbsCertificateWriter.write(fields).encoded())
          .as("seed %d", seed)
          .isEqualTo(tbsByLibrary(fields));
    }
  }

  @Test
  void assemble_everyAlgorithm_asTheLibrary() throws Exception {
    TbsCertificate fields = fields(new SplittableRandom(1));
    for (SignatureAlgorithm algorithm : SignatureAlgorithm.values()) {
      for (int length : new int[] {0, 1, 71, 127, 128, 256, 512}) {
        byte[] signature = new byte[length];
        new SplittableRandom(length).nextBytes(signature);
        ASN1EncodableVector parts = new ASN1EncodableVector();
        parts.add(org.bouncycastle.asn1.ASN1Primitive.fromByteArray(tbsByLibrary(fields)));
        parts.add(AlgorithmIdentifiers.of(algorithm));
        parts.add(new DERBitString(signature));

        assertThat(
                TbsCertificateWriter.assemble(
                        TbsCertificateWriter.write(fields),
                        algorithm,
                        OctetString.copyOf(signature))
                    .encoded())
            .isEqualTo(der(new DERSequence(parts)));
      }
    }
  }

  @Test
  void write_extensionTwice_refused() {
    TbsCertificate fields = fields(new SplittableRandom(1));
    List<Extension> twice = new ArrayList<>(fields.extensions());
    twice.add(Extension.of(twice.getFirst().oid(), false, new byte[] {5, 0}));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> TbsCertificateWriter.write(withExtensions(fields, twice)));
  }

  @Test
  void keyUsage_everySet_asTheLibrary() throws Exception {
    for (int bits = 0; bits < 512; bits++) {
      Set<KeyUsage> usages = EnumSet.noneOf(KeyUsage.class);
      int mask = 0;
      for (KeyUsage usage : KeyUsage.values()) {
        if ((bits >> usage.bit() & 1) != 0) {
          usages.add(usage);
          mask |= Extensions.mask(usage);
        }
      }

      assertThat(Extensions.keyUsage(usages).value())
          .isEqualTo(der(new org.bouncycastle.asn1.x509.KeyUsage(mask)));
    }
  }

  @Test
  void extendedKeyUsage_everySet_asTheLibrary() throws Exception {
    List<ExtendedKeyUsage> all = ExtendedKeyUsage.known();
    for (int bits = 0; bits < 1 << all.size(); bits++) {
      Set<ExtendedKeyUsage> purposes = new HashSet<>();
      ASN1EncodableVector oids = new ASN1EncodableVector();
      for (ExtendedKeyUsage purpose : all) {
        if ((bits >> all.indexOf(purpose) & 1) != 0) {
          purposes.add(purpose);
          oids.add(new ASN1ObjectIdentifier(purpose.oid()));
        }
      }

      assertThat(Extensions.extendedKeyUsage(purposes).value())
          .isEqualTo(der(new DERSequence(oids)));
    }
  }

  @Test
  void otherExtensions_asTheLibrary() throws Exception {
    byte[] identifier = {1, 2, 3, 4};
    assertThat(Extensions.basicConstraints(false, OptionalInt.empty()).value())
        .isEqualTo(der(new BasicConstraints(false)));
    assertThat(Extensions.basicConstraints(true, OptionalInt.empty()).value())
        .isEqualTo(der(new BasicConstraints(true)));
    assertThat(Extensions.basicConstraints(true, OptionalInt.of(0)).value())
        .isEqualTo(der(new BasicConstraints(0)));
    assertThat(Extensions.subjectKeyIdentifier(identifier).value())
        .isEqualTo(der(new DEROctetString(identifier)));
    assertThat(Extensions.authorityKeyIdentifier(identifier).value())
        .isEqualTo(der(new AuthorityKeyIdentifier(identifier)));
    for (int length : new int[] {0, 90, 100, 120, 127, 128, 300}) {
      String uri = "http://ca.example.test/" + "u".repeat(length);
      assertThat(Extensions.crlDistributionPoint(uri).value())
          .isEqualTo(
              der(
                  new CRLDistPoint(
                      new DistributionPoint[] {
                        new DistributionPoint(
                            new DistributionPointName(
                                new org.bouncycastle.asn1.x509.GeneralNames(name(6, uri))),
                            null,
                            null)
                      })));
      assertThat(Extensions.authorityInformationAccess(uri).value())
          .isEqualTo(
              der(new AuthorityInformationAccess(AccessDescription.id_ad_caIssuers, name(6, uri))));
      assertThat(Extensions.authorityInformationAccess(uri, Optional.of(uri + "o")).value())
          .isEqualTo(
              der(
                  new AuthorityInformationAccess(
                      new AccessDescription[] {
                        new AccessDescription(AccessDescription.id_ad_ocsp, name(6, uri + "o")),
                        new AccessDescription(AccessDescription.id_ad_caIssuers, name(6, uri))
                      })));
    }
  }

  @Test
  void subjectAltName_everyForm_asTheLibrary() throws Exception {
    InetAddress six = InetAddress.ofLiteral("2001:db8::1");
    List<GeneralName> names =
        List.of(
            new GeneralName.Dns("h".repeat(200)),
            new GeneralName.Ip(six),
            new GeneralName.Email("a@example.test"),
            new GeneralName.Uri("urn:example:1"));

    assertThat(Extensions.subjectAltName(names, true).value())
        .isEqualTo(
            der(
                new org.bouncycastle.asn1.x509.GeneralNames(
                    new org.bouncycastle.asn1.x509.GeneralName[] {
                      name(2, "h".repeat(200)),
                      new org.bouncycastle.asn1.x509.GeneralName(
                          7, new DEROctetString(six.getAddress())),
                      name(1, "a@example.test"),
                      name(6, "urn:example:1")
                    })));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> Extensions.subjectAltName(List.of(new GeneralName.Dns("h\u00e4.test")), false));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Extensions.crlDistributionPoint("http://\u0141.test/a.crl"));
  }

  @Test
  void name_everyTypeAndText_asTheLibrary() throws Exception {
    for (String text : TEXTS) {
      List<Attribute> attributes = new ArrayList<>();
      ASN1EncodableVector names = new ASN1EncodableVector();
      for (NameAttribute type : NameAttribute.values()) {
        String value = type.stringType() == StringType.UTF8 ? text : "AB";
        attributes.add(new Attribute(type, value));
        ASN1EncodableVector pair = new ASN1EncodableVector();
        pair.add(new ASN1ObjectIdentifier(type.oid()));
        pair.add(
            switch (type.stringType()) {
              case PRINTABLE -> new DERPrintableString(value);
              case IA5 -> new DERIA5String(value, true);
              case UTF8 -> new DERUTF8String(value);
            });
        names.add(new DERSet(new DERSequence(pair)));
      }

      assertThat(NameCodec.write(new DistinguishedName(attributes)).encoded())
          .isEqualTo(der(new DERSequence(names)));
    }
    for (String other : List.of("a*b", "\u00e4", "a_b", "a@b")) {
      Attribute attribute = new Attribute(NameAttribute.SERIAL_NUMBER, other);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> NameCodec.write(new DistinguishedName(List.of(attribute))));
    }
  }

  private static org.bouncycastle.asn1.x509.GeneralName name(int tag, String text) {
    return new org.bouncycastle.asn1.x509.GeneralName(tag, new DERIA5String(text, true));
  }

  private static byte[] der(ASN1Object object) throws IOException {
    return object.getEncoded(ASN1Encoding.DER);
  }

  private static byte[] tbsByLibrary(TbsCertificate fields) throws IOException {
    ASN1EncodableVector tbs = new ASN1EncodableVector();
    tbs.add(new DERTaggedObject(true, 0, new ASN1Integer(2)));
    tbs.add(new ASN1Integer(new BigInteger(1, fields.serialNumber().octets())));
    tbs.add(AlgorithmIdentifiers.of(fields.signatureAlgorithm()));
    tbs.add(X500Name.getInstance(fields.issuer().encoded()));
    ASN1EncodableVector times = new ASN1EncodableVector();
    times.add(new Time(Date.from(fields.validity().notBefore())));
    times.add(new Time(Date.from(fields.validity().notAfter())));
    tbs.add(new DERSequence(times));
    tbs.add(X500Name.getInstance(fields.subject().encoded()));
    tbs.add(
        org.bouncycastle.asn1.x509.SubjectPublicKeyInfo.getInstance(
            fields.subjectPublicKeyInfo().encoded()));
    ExtensionsGenerator extensions = new ExtensionsGenerator();
    for (Extension extension : fields.extensions()) {
      extensions.addExtension(
          new org.bouncycastle.asn1.x509.Extension(
              new ASN1ObjectIdentifier(extension.oid()),
              extension.isCritical(),
              new DEROctetString(extension.value())));
    }
    tbs.add(new DERTaggedObject(true, 3, extensions.generate()));
    return der(new DERSequence(tbs));
  }

  private static TbsCertificate fields(SplittableRandom random) {
    byte[] serial = new byte[random.nextInt(0, 24)];
    random.nextBytes(serial);
    for (int i = random.nextInt(4) - 1; i >= 0 && i < serial.length; i--) {
      serial[i] = 0;
    }
    Instant start = Instant.ofEpochSecond(random.nextLong(4_000_000_000L));
    List<Extension> extensions = new ArrayList<>();
    String[] oids = {"2.5.29.19", "1.2.3.4.5", "2.25.329800735698586629295641978511506172918"};
    for (String oid : oids) {
      if (random.nextBoolean()) {
        byte[] value = new byte[random.nextInt(400)];
        random.nextBytes(value);
        extensions.add(Extension.of(oid, random.nextBoolean(), value));
      }
    }
    extensions.add(Extensions.noRevocationAvailable());
    return new TbsCertificate(
        OctetString.copyOf(serial),
        ALGORITHMS.get(random.nextInt(ALGORITHMS.size())),
        NameCodec.write(subject(random)),
        new Validity(start, start.plusSeconds(random.nextLong(1, 4_000_000_000L))),
        NameCodec.write(subject(random)),
        SoftwareKey.named(SoftwareKey.NAMES.get(random.nextInt(SoftwareKey.NAMES.size())))
            .publicKey(),
        extensions);
  }

  private static TbsCertificate withExtensions(TbsCertificate fields, List<Extension> extensions) {
    return new TbsCertificate(
        fields.serialNumber(),
        fields.signatureAlgorithm(),
        fields.issuer(),
        fields.validity(),
        fields.subject(),
        fields.subjectPublicKeyInfo(),
        extensions);
  }

  private static DistinguishedName subject(SplittableRandom random) {
    String text = TEXTS.get(random.nextInt(TEXTS.size()));
    return random.nextInt(8) == 0
        ? DistinguishedName.EMPTY
        : new DistinguishedName(List.of(new Attribute(NameAttribute.ORGANIZATION, text)));
  }
}
