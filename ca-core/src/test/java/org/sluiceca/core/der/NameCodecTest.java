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
import org.sluiceca.core.x509.NameDer;

class NameCodecTest {

  private static final byte[] CN = hex("0603550403");

  @Test
  void write_everyAttribute_readsBackInOrder() throws Exception {
    List<Attribute> attributes = new ArrayList<>();
    for (NameAttribute type : NameAttribute.values()) {
      attributes.add(new Attribute(type, type == NameAttribute.COUNTRY ? "CH" : "Zürich 𝄞"));
    }
    attributes.set(1, new Attribute(NameAttribute.SERIAL_NUMBER, "A-1"));
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
    assertFault(sequence(tlv(0x31, sequence(hex("06092a864886f70d010901"), tlv(0x16, hex("61"))))));
    assertFault(sequence(tlv(0x31, sequence(CN))));
  }

  @Test
  void read_ambiguousStringTypes_fault() {
    // TeletexString, BMPString, UniversalString, NumericString, OCTET STRING.
    for (int tag : new int[] {0x14, 0x1E, 0x1C, 0x12, 0x04}) {
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
