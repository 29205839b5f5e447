package org.sluiceca.core.der;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.sluiceca.core.testkit.RawDer.hex;
import static org.sluiceca.core.testkit.RawDer.sequence;
import static org.sluiceca.core.testkit.RawDer.tlv;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.NameAttribute.StringType;
import org.sluiceca.core.x509.NameDer;

class NameCodecTest {

  private static final byte[] CN = hex("0603550403");

  @Test
  void write_everyAttribute_readsBackInOrder() throws Exception {
    List<Attribute> attributes = new ArrayList<>();
    for (NameAttribute type : NameAttribute.values()) {
      attributes.add(
          new Attribute(type, type.stringType() == StringType.UTF8 ? "Zürich 𝄞" : "CH-1"));
    }
    DistinguishedName name = new DistinguishedName(attributes);

    assertThat(NameCodec.read(NameCodec.write(name))).isEqualTo(name);
  }

  @Test
  void write_empty_isAnEmptySequence() throws Exception {
    NameDer name = NameCodec.write(DistinguishedName.EMPTY);

    assertThat(name.encoded()).isEqualTo(hex("3000"));
    assertThat(NameCodec.read(name).isEmpty()).isTrue();
  }

  @Test
  void read_multiValuedEmptyOrUnknown_fault() {
    byte[] a = sequence(CN, tlv(0x0C, hex("61")));
    byte[] b = sequence(CN, tlv(0x0C, hex("62")));

    assertFault(sequence(tlv(0x31, a, b)));
    assertFault(sequence(tlv(0x31)));
    assertFault(sequence(tlv(0x31, sequence(hex("06032a0304"), tlv(0x16, hex("61"))))));
    assertFault(sequence(tlv(0x31, sequence(CN))));
  }

  @Test
  void read_ambiguousStringTypes_fault() {
    // TeletexString, UniversalString, NumericString, OCTET STRING.
    for (int tag : new int[] {0x14, 0x1C, 0x12, 0x04}) {
      assertFault(sequence(tlv(0x31, sequence(CN, tlv(tag, hex("00000061"))))));
    }
  }

  @Test
  void read_octet127Or128InAStringOfAscii_bothSides() throws Exception {
    // DEL is ASCII; that no profile certifies it is not the codec's part.
    assertThat(NameCodec.read(NameDer.of(sequence(tlv(0x31, sequence(CN, tlv(0x13, hex("7f"))))))))
        .hasToString("CN=\u007f");
    assertFault(sequence(tlv(0x31, sequence(CN, tlv(0x13, hex("80"))))));
  }

  @Test
  void read_bmpString_ofTheBasicPlaneOnly() throws Exception {
    assertThat(NameCodec.read(NameDer.of(cn(0x1E, "005a00fc0072")))).hasToString("CN=Z\u00fcr");
    assertFault(cn(0x1E, "d834dd1e"));
    assertFault(cn(0x1E, "005a00"));
  }

  @Test
  void requested_multiValuedAndEmpty_oneRelativeNameEachAndReported() throws Exception {
    byte[] organization = hex("060355040a");
    byte[] two =
        tlv(
            0x31,
            sequence(organization, tlv(0x0C, hex("41"))),
            sequence(organization, tlv(0x0C, hex("42"))));
    byte[] empty = tlv(0x31, sequence(hex("060355040b"), tlv(0x13)));

    NameCodec.Requested requested =
        NameCodec.requested(sequence(two, empty, tlv(0x31, sequence(CN, tlv(0x0C, hex("63"))))));

    assertThat(requested.name()).hasToString("O=A, O=B, CN=c");
    assertThat(requested.restated())
        .containsExactlyInAnyOrder(NameAttribute.ORGANIZATION, NameAttribute.ORGANIZATIONAL_UNIT);
    assertThat(
            NameCodec.requested(sequence(tlv(0x31, sequence(CN, tlv(0x0C, hex("63")))))).restated())
        .isEmpty();
    // Names are copied into the certificate: the order of the set must be DER's.
    assertThatExceptionOfType(DerException.class)
        .isThrownBy(
            () ->
                NameCodec.requested(
                    sequence(
                        tlv(
                            0x31,
                            sequence(organization, tlv(0x0C, hex("42"))),
                            sequence(organization, tlv(0x0C, hex("41")))))));
  }

  private static byte[] cn(int tag, String value) {
    return sequence(tlv(0x31, sequence(CN, tlv(tag, hex(value)))));
  }

  @Test
  void read_malformedUtf8_fault() {
    for (String bytes : new String[] {"c0af", "ff", "c3", "eda080", "f4908080", "80"}) {
      assertFault(sequence(tlv(0x31, sequence(CN, tlv(0x0C, hex(bytes))))));
    }
  }

  private static void assertFault(byte[] name) {
    assertThatExceptionOfType(DerException.class)
        .isThrownBy(() -> NameCodec.read(NameDer.of(name)));
  }
}
