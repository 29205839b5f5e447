package org.sluiceca.core.der;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.sluiceca.core.testkit.RawDer.hex;
import static org.sluiceca.core.testkit.RawDer.join;
import static org.sluiceca.core.testkit.RawDer.sequence;
import static org.sluiceca.core.testkit.RawDer.tlv;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.core.der.DerException.Kind;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.RawCsr;
import org.sluiceca.core.testkit.RawDer;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.KeyUsage;

/**
 * Only strict DER of exactly a certification request is read; nothing else gets out but a fault.
 */
class CsrReaderTest {

  private static final byte[] REAL = CsrFixture.file("openssl-ec-p256").encoded();
  private static final byte[] NULL = hex("05 00");

  @Test
  void read_realRequest_everyPartIsThere() throws Exception {
    CertificationRequest csr = CsrReader.read(CsrDer.of(REAL));

    assertThat(csr.subject()).hasToString("CN=host.example.test");
    assertThat(csr.extensions()).hasSize(1);
    assertThat(CsrReader.subjectAltNames(csr.extensions().getFirst()))
        .extracting(Object::toString)
        .containsExactly("Dns[name=host.example.test]", "Ip[address=/192.0.2.1]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "30",
        "3080",
        "3000",
        "0500",
        "30053003020101",
        "3003020100",
        "30800000",
        "ff",
        "308000",
        "30847fffffff",
        "3085ffffffffff",
        "a0030201ff",
        "1f8180",
        "240304010000",
        "3083ffffff00"
      })
  void read_bytesThatAreNoRequest_fault(String bytes) {
    assertFault(hex(bytes));
  }

  @Test
  void read_truncatedAtEveryLength_fault() {
    for (int length = 0; length < REAL.length; length++) {
      assertFault(Arrays.copyOf(REAL, length));
    }
  }

  @Test
  void read_withoutTheSetOfAttributes_noExtensions() throws Exception {
    // RFC 2986 4.1 wants the set even if it is empty; old clients leave it out.
    byte[] content = content(REAL);
    int infoLength = 3 + (content[2] & 0xFF);
    List<DerScan.Element> parts =
        DerScan.elements("info", Arrays.copyOf(content, infoLength)).subList(0, 3);
    byte[] info =
        sequence(
            parts.stream().map(part -> tlv(part.tag(), part.content())).toArray(byte[][]::new));

    byte[] rest = Arrays.copyOfRange(content, infoLength, content.length);
    assertThat(CsrReader.read(CsrDer.of(sequence(info, rest))).extensions()).isEmpty();
  }

  @Test
  void read_rsaKeyInBer_fault() {
    byte[] modulus = RawDer.integer(BigInteger.ONE.shiftLeft(2047).add(BigInteger.ONE));
    byte[] exponent = RawDer.integer(BigInteger.valueOf(65_537));

    assertThatKeyReads(rsaKey(sequence(modulus, exponent)));
    assertKeyFault(rsaKey(join(hex("3080"), modulus, exponent, hex("0000"))));
    assertKeyFault(rsaKey(join(sequence(modulus, exponent), NULL)));
    assertKeyFault(rsaKey(sequence(modulus, exponent, NULL)));
    // A leading zero octet that the value does not need.
    assertKeyFault(rsaKey(sequence(modulus, hex("02 04 00 01 00 01"))));
  }

  @Test
  void read_rsaKeyWithoutNullParameters_fault() {
    byte[] pkcs1 = sequence(hex("02 01 05"), hex("02 01 03"));

    assertKeyFault(
        sequence(sequence(hex("06 09 2a 86 48 86 f7 0d 01 01 01")), RawDer.bitString(pkcs1)));
  }

  @Test
  void read_ecPointCompressedOrShortOrAtInfinity_fault() {
    byte[] key = SoftwareKey.named("ec-p256").publicKey().encoded();
    byte[] algorithm = sequence(hex("06072a8648ce3d0201"), hex("06082a8648ce3d030107"));
    byte[] point = Arrays.copyOfRange(key, key.length - 65, key.length);

    assertThatKeyReads(sequence(algorithm, RawDer.bitString(point)));
    byte[] compressed = Arrays.copyOf(point, 33);
    compressed[0] = (byte) (2 + (point[64] & 1));
    assertKeyFault(sequence(algorithm, RawDer.bitString(compressed)), Kind.KEY_NOT_SUPPORTED);
    compressed[0] ^= 1;
    assertKeyFault(sequence(algorithm, RawDer.bitString(compressed)), Kind.KEY_NOT_SUPPORTED);
    assertKeyFault(sequence(algorithm, RawDer.bitString(Arrays.copyOf(point, 64))));
    assertKeyFault(sequence(algorithm, RawDer.bitString(join(point, new byte[1]))));
    assertKeyFault(sequence(algorithm, RawDer.bitString(new byte[1])), Kind.KEY_NOT_VALID);
    assertKeyFault(sequence(algorithm, RawDer.bitString(new byte[0])));
    assertKeyFault(sequence(algorithm, RawDer.bitString(new byte[65])), Kind.MALFORMED);
    byte[] hybrid = point.clone();
    hybrid[0] = 6;
    assertKeyFault(sequence(algorithm, RawDer.bitString(hybrid)));
    assertKeyFault(sequence(algorithm, tlv(0x03, new byte[] {1}, point)));
  }

  @Test
  void read_ed25519KeyOf31Or33OctetsOrWithParameters_fault() {
    byte[] oid = hex("06032b6570");

    assertThatKeyReads(sequence(sequence(oid), RawDer.bitString(new byte[32])));
    assertKeyFault(sequence(sequence(oid), RawDer.bitString(new byte[31])));
    assertKeyFault(sequence(sequence(oid), RawDer.bitString(new byte[33])));
    assertKeyFault(sequence(sequence(oid, NULL), RawDer.bitString(new byte[32])));
  }

  @Test
  void read_ed448KeyOf56Or58OctetsOrWithParameters_fault() {
    byte[] oid = hex("06032b6571");

    assertThatKeyReads(sequence(sequence(oid), RawDer.bitString(new byte[57])));
    assertKeyFault(sequence(sequence(oid), RawDer.bitString(new byte[56])));
    assertKeyFault(sequence(sequence(oid), RawDer.bitString(new byte[58])));
    assertKeyFault(sequence(sequence(oid, NULL), RawDer.bitString(new byte[57])));
    assertKeyFault(sequence(sequence(oid), RawDer.bitString(new byte[32])));
  }

  @Test
  void read_extensionRequestOfNothing_asIfItWereNotThere() throws Exception {
    byte[] noValue = request(tlv(0xA0, sequence(hex("06092a864886f70d01090e"), tlv(0x31))));

    assertThat(CsrReader.read(CsrDer.of(noValue)).extensions()).isEmpty();
    assertThat(CsrReader.read(CsrDer.of(attributeRequest(sequence()))).extensions()).isEmpty();
  }

  /** RFC 2986 says nothing of the certificate there, and the signature covers what came. */
  @Test
  void read_ignoredAttributes_unreadBeyondTheirTypes() throws Exception {
    byte[] password = sequence(hex("06092a864886f70d010907"), tlv(0x31, tlv(0x0C, hex("6162"))));
    byte[] odd = sequence(hex("06032a0304"), tlv(0x04), NULL, hex("010155"));
    byte[] extensionRequest =
        sequence(
            hex("06092a864886f70d01090e"),
            tlv(0x31, sequence(sequence(hex("0603551d0f"), tlv(0x04, hex("03020780"))))));

    // Out of the order of X.690 11.6, one twice, one of no form of an attribute.
    byte[] request = request(tlv(0xA0, password, odd, password, extensionRequest));

    assertThat(CsrReader.read(CsrDer.of(request)).extensions())
        .containsExactly(Extension.of("2.5.29.15", false, hex("03020780")));
  }

  @Test
  void read_twoRequestsForExtensions_joined() throws Exception {
    byte[] usage = sequence(hex("0603551d0f"), tlv(0x04, hex("03020780")));
    byte[] basic = sequence(hex("0603551d13"), tlv(0x04, hex("3000")));
    byte[] requested = sequence(hex("06092a864886f70d01090e"), tlv(0x31, sequence(usage)));
    byte[] microsofts = sequence(hex("060a2b06010401823702010e"), tlv(0x31, sequence(basic)));

    assertThat(CsrReader.read(CsrDer.of(request(tlv(0xA0, microsofts, requested)))).extensions())
        .extracting(Extension::oid)
        .containsExactly("2.5.29.19", "2.5.29.15");
    assertFault(request(tlv(0xA0, requested, requested)));
  }

  @Test
  void requestedPowers_inBer_read() throws Exception {
    assertThat(
            ExtensionReader.requestedKeyUsage(
                Extension.of(ExtensionOids.KEY_USAGE, true, hex("030200a0"))))
        .containsExactlyInAnyOrder(KeyUsage.DIGITAL_SIGNATURE, KeyUsage.KEY_ENCIPHERMENT);
    assertThat(
            ExtensionReader.requestedKeyUsage(
                Extension.of(ExtensionOids.KEY_USAGE, true, hex("0303070480"))))
        .containsExactlyInAnyOrder(KeyUsage.KEY_CERT_SIGN, KeyUsage.DECIPHER_ONLY);
    assertThat(isCaRequested("3000")).isFalse();
    assertThat(isCaRequested("3003010100")).isFalse();
    assertThat(isCaRequested("30030101ff")).isTrue();
    assertThat(isCaRequested("3003010101")).isTrue();
    assertThat(isCaRequested("3003020100")).isFalse();
    assertThat(
            ExtensionReader.requestedPurposes(
                Extension.of(
                    ExtensionOids.EXTENDED_KEY_USAGE, false, hex("300a06082b06010505070302"))))
        .containsExactly("1.3.6.1.5.5.7.3.2");
    for (String bad : new String[] {"", "0300", "030208a0", "040107", "0302"}) {
      assertThatExceptionOfType(DerException.class)
          .isThrownBy(
              () ->
                  ExtensionReader.requestedKeyUsage(
                      Extension.of(ExtensionOids.KEY_USAGE, true, hex(bad))));
    }
    for (String bad : new String[] {"", "0101ff", "30020100", "30040102ff00"}) {
      assertThatExceptionOfType(DerException.class).isThrownBy(() -> isCaRequested(bad));
    }
  }

  private static boolean isCaRequested(String value) throws DerException {
    return ExtensionReader.isCaRequested(
        Extension.of(ExtensionOids.BASIC_CONSTRAINTS, true, hex(value)));
  }

  @Test
  void read_16Or17Attributes_bothSides() throws Exception {
    byte[][] attributes = new byte[17][];
    for (int i = 0; i < 17; i++) {
      attributes[i] = sequence(hex(String.format(Locale.ROOT, "06032a03%02x", i)), tlv(0x31, NULL));
    }

    assertThat(CsrReader.read(CsrDer.of(request(tlv(0xA0, Arrays.copyOf(attributes, 16))))))
        .isNotNull();
    assertFault(request(tlv(0xA0, attributes)));
  }

  @Test
  void read_1Or32Or33Extensions_bothSides() throws Exception {
    byte[][] extensions = new byte[33][];
    for (int i = 0; i < 33; i++) {
      extensions[i] = sequence(hex(String.format(Locale.ROOT, "06032a03%02x", i)), tlv(0x04, NULL));
    }

    for (int count : new int[] {1, 32}) {
      byte[] request = attributeRequest(sequence(Arrays.copyOf(extensions, count)));
      assertThat(CsrReader.read(CsrDer.of(request)).extensions()).hasSize(count);
    }
    assertFault(attributeRequest(sequence(extensions)));
  }

  @Test
  void read_100Or101SubjectAltNames_bothSides() throws Exception {
    Extension hundred = san(RawCsr.dnsNames(100));
    Extension more = san(RawCsr.dnsNames(101));

    assertThat(CsrReader.subjectAltNames(hundred)).hasSize(100);
    assertThat(
            CsrReader.read(CsrDer.of(RawCsr.sound().names(RawCsr.dnsNames(100)).bytes()))
                .extensions())
        .containsExactly(hundred);
    assertThatExceptionOfType(DerException.class)
        .isThrownBy(() -> CsrReader.subjectAltNames(more))
        .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.NAME_NOT_SUPPORTED));
    assertThatExceptionOfType(DerException.class)
        .isThrownBy(
            () -> CsrReader.read(CsrDer.of(RawCsr.sound().names(RawCsr.dnsNames(101)).bytes())))
        .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.NAME_NOT_SUPPORTED));
  }

  @Test
  void read_criticalExtension_saidSo() throws Exception {
    byte[] critical = sequence(hex("0603551d0f"), hex("0101ff"), tlv(0x04, hex("03020780")));
    byte[] one = sequence(hex("0603551d0f"), hex("010101"), tlv(0x04, hex("03020780")));
    byte[] written = sequence(hex("0603551d0f"), hex("010100"), tlv(0x04, hex("03020780")));
    byte[] twoOctets = sequence(hex("0603551d0f"), hex("01020000"), tlv(0x04, hex("03020780")));

    assertThat(CsrReader.read(CsrDer.of(attributeRequest(sequence(critical)))).extensions())
        .containsExactly(Extension.of("2.5.29.15", true, hex("03020780")));
    assertThat(CsrReader.read(CsrDer.of(attributeRequest(sequence(one)))).extensions())
        .containsExactly(Extension.of("2.5.29.15", true, hex("03020780")));
    assertThat(CsrReader.read(CsrDer.of(attributeRequest(sequence(written)))).extensions())
        .containsExactly(Extension.of("2.5.29.15", false, hex("03020780")));
    assertFault(attributeRequest(sequence(twoOctets)));
  }

  @Test
  void read_challengePassword_ignored() throws Exception {
    byte[] password = sequence(hex("06092a864886f70d010907"), tlv(0x31, tlv(0x0C, hex("6162"))));

    CertificationRequest csr = CsrReader.read(CsrDer.of(request(tlv(0xA0, password))));

    assertThat(csr.extensions()).isEmpty();
  }

  @Test
  void subjectAltNames_addressOf4Or16OctetsOnly() throws Exception {
    assertThat(CsrReader.subjectAltNames(san(tlv(0x87, new byte[4])))).hasSize(1);
    assertThat(CsrReader.subjectAltNames(san(tlv(0x87, new byte[16])))).hasSize(1);
    for (int length : new int[] {0, 3, 5, 8, 15, 17, 32}) {
      assertThatExceptionOfType(DerException.class)
          .as("%d octets", length)
          .isThrownBy(() -> CsrReader.subjectAltNames(san(tlv(0x87, new byte[length]))));
    }
  }

  @Test
  void subjectAltNames_formsWithoutPolicy_kept() throws Exception {
    byte[] directory = tlv(0xA4, sequence());
    byte[] registered = tlv(0x88, hex("2a03"));
    byte[] other = tlv(0xA0, hex("06022a03"), tlv(0xA0, NULL));

    assertThat(CsrReader.subjectAltNames(san(directory, registered, other)))
        .containsExactly(
            new GeneralName.Unsupported(4),
            new GeneralName.Unsupported(8),
            new GeneralName.Unsupported(0));
  }

  @Test
  void subjectAltNames_trailingBytes_fault() {
    Extension extension =
        Extension.of(
            ExtensionOids.SUBJECT_ALT_NAME, false, join(sequence(tlv(0x82, hex("61"))), NULL));

    assertThatExceptionOfType(DerException.class)
        .isThrownBy(() -> CsrReader.subjectAltNames(extension));
  }

  private static Extension san(byte[]... names) {
    return Extension.of(ExtensionOids.SUBJECT_ALT_NAME, false, sequence(names));
  }

  private static byte[] rsaKey(byte[] pkcs1) {
    return sequence(
        sequence(hex("06 09 2a 86 48 86 f7 0d 01 01 01"), NULL), RawDer.bitString(pkcs1));
  }

  private static byte[] attributeRequest(byte[] extensions) {
    return request(tlv(0xA0, sequence(hex("06092a864886f70d01090e"), tlv(0x31, extensions))));
  }

  /** An Ed25519 request without subject and with a signature of zeros: well formed. */
  private static byte[] request(byte[] attributes) {
    return sequence(
        sequence(
            hex("020100"),
            sequence(),
            SoftwareKey.named("ed25519").publicKey().encoded(),
            attributes),
        sequence(hex("06032b6570")),
        RawDer.bitString(new byte[64]));
  }

  private static byte[] content(byte[] der) {
    assertThat(der[1]).isEqualTo((byte) 0x82);
    return Arrays.copyOfRange(der, 4, der.length);
  }

  private static void assertFault(byte[] bytes) {
    assertThatExceptionOfType(DerException.class)
        .isThrownBy(() -> CsrReader.read(CsrDer.of(bytes)))
        .satisfies(e -> assertThat(e.fault()).isNotBlank().doesNotContain("\n"));
  }

  private static void assertKeyFault(byte[] key, Kind kind) {
    assertThatExceptionOfType(DerException.class)
        .isThrownBy(() -> PublicKeyReader.read(key))
        .satisfies(e -> assertThat(e.kind()).isEqualTo(kind));
  }

  private static void assertKeyFault(byte[] key) {
    assertThatExceptionOfType(DerException.class).isThrownBy(() -> PublicKeyReader.read(key));
  }

  private static void assertThatKeyReads(byte[] key) {
    try {
      assertThat(PublicKeyReader.read(key).encoded()).isEqualTo(key);
    } catch (DerException e) {
      throw new AssertionError("should read: " + List.of(e.fault()), e);
    }
  }
}
