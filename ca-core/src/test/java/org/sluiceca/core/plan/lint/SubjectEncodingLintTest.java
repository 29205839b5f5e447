package org.sluiceca.core.plan.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.sluiceca.core.testkit.RawCsr.relativeName;
import static org.sluiceca.core.testkit.RawCsr.utf8;
import static org.sluiceca.core.testkit.RawDer.hex;
import static org.sluiceca.core.testkit.RawDer.sequence;
import static org.sluiceca.core.testkit.RawDer.tlv;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.SoftwareKey;

/** RFC 5280 A.1 and X.680 41.4 at their limits, where NameCodec would read more than is allowed. */
class SubjectEncodingLintTest {

  private static final byte[] COMMON_NAME = hex("0603550403");
  private static final byte[] SERIAL_NUMBER = hex("0603550405");
  private static final byte[] COUNTRY = hex("0603550406");

  /** X.680 41.4, table 10. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        " ", "'", "(", ")", "+", ",", "-", ".", "/", ":", "=", "?", "0", "9", "A", "Z", "a", "z"
      })
  void fault_characterOfPrintableString_none(String character) throws Exception {
    assertThat(fault(relativeName(COMMON_NAME, printable(character)))).isEmpty();
    assertThat(fault(relativeName(SERIAL_NUMBER, printable("a" + character + "z")))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "!", "\"", "#", "$", "%", "&", "*", ";", "<", ">", "@", "[", "\\", "]", "^", "_", "`", "{",
        "|", "}", "~", "\u0000", "\n", "\u007f", "\u00e9", "\u0130"
      })
  void fault_characterBeyondPrintableString_found(String character) throws Exception {
    assertThat(fault(relativeName(COMMON_NAME, printable("a" + character))))
        .contains("attribute 2.5.4.3 is no PrintableString");
    assertThat(fault(relativeName(SERIAL_NUMBER, printable(character + "z"))))
        .contains("attribute 2.5.4.5 is no PrintableString");
  }

  @ParameterizedTest
  @ValueSource(strings = {"!", "*", "@", "[", "_", "`", "{", "~", "\u00a0", "\u00e9", "\u0130"})
  void fault_anyCharacterOfUtf8String_none(String character) throws Exception {
    assertThat(fault(relativeName(COMMON_NAME, utf8("a" + character)))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u0000", "\n", "\u001f", "\u007f", "\u0080", "\u009f"})
  void fault_controlCharacter_found(String character) throws Exception {
    assertThat(fault(relativeName(COMMON_NAME, utf8("a" + character))))
        .contains("attribute 2.5.4.3 with a control character");
  }

  @ParameterizedTest
  @CsvSource({
    "0603550403, 2.5.4.3, 64",
    "0603550404, 2.5.4.4, 64",
    "0603550407, 2.5.4.7, 128",
    "0603550408, 2.5.4.8, 128",
    "060355040a, 2.5.4.10, 64",
    "0603550409, 2.5.4.9, 128",
    "060355040b, 2.5.4.11, 64",
    "060355040c, 2.5.4.12, 64",
    "0603550411, 2.5.4.17, 40",
    "0603550461, 2.5.4.97, 256"
  })
  void fault_lengthOfText_upToTheBound(String type, String oid, int most) throws Exception {
    byte[] encoded = hex(type);

    assertThat(fault(relativeName(encoded, utf8("a")))).isEmpty();
    assertThat(fault(relativeName(encoded, utf8("ü".repeat(most))))).isEmpty();
    assertThat(fault(relativeName(encoded, utf8("")))).contains(length(oid, 0));
    assertThat(fault(relativeName(encoded, utf8("a".repeat(most + 1)))))
        .contains(length(oid, most + 1));
  }

  /** A mail address and a domain component are IA5Strings, whose characters end at U+007F. */
  @ParameterizedTest
  @CsvSource({
    "06092a864886f70d010901, 1.2.840.113549.1.9.1, 255",
    "060a0992268993f22c640119, 0.9.2342.19200300.100.1.25, 63"
  })
  void fault_ia5String_asciiUpToTheBound(String type, String oid, int most) throws Exception {
    byte[] encoded = hex(type);

    assertThat(fault(relativeName(encoded, ia5("a")))).isEmpty();
    assertThat(fault(relativeName(encoded, ia5("~".repeat(most))))).isEmpty();
    assertThat(fault(relativeName(encoded, ia5("")))).contains(length(oid, 0));
    assertThat(fault(relativeName(encoded, ia5("a".repeat(most + 1)))))
        .contains(length(oid, most + 1));
    assertThat(fault(relativeName(encoded, ia5("a\u007f"))))
        .contains("attribute " + oid + " with a control character");
    for (String character : List.of("\u0080", "\u00e9", "\u0130")) {
      assertThat(fault(relativeName(encoded, ia5("a" + character))))
          .contains("attribute " + oid + " is no IA5String");
    }
    assertThat(fault(relativeName(encoded, utf8("a"))))
        .contains("attribute " + oid + " of string type 0c");
    assertThat(fault(relativeName(encoded, printable("a"))))
        .contains("attribute " + oid + " of string type 13");
  }

  /** The bound counts characters: one beyond the first plane is two of Java's. */
  @Test
  void fault_lengthOfSupplementaryCharacters_countedOnce() throws Exception {
    String gothic = Character.toString(0x10330);

    assertThat(fault(relativeName(COMMON_NAME, utf8(gothic.repeat(64))))).isEmpty();
    assertThat(fault(relativeName(COMMON_NAME, utf8(gothic.repeat(65)))))
        .contains(length("2.5.4.3", 65));
  }

  @Test
  void fault_lengthOfPrintableOnly_countryIsTwo() throws Exception {
    assertThat(fault(relativeName(COUNTRY, printable("CH")))).isEmpty();
    assertThat(fault(relativeName(COUNTRY, printable("C")))).contains(length("2.5.4.6", 1));
    assertThat(fault(relativeName(COUNTRY, printable("CHE")))).contains(length("2.5.4.6", 3));
    assertThat(fault(relativeName(SERIAL_NUMBER, printable("1".repeat(64))))).isEmpty();
    assertThat(fault(relativeName(SERIAL_NUMBER, printable("1".repeat(65)))))
        .contains(length("2.5.4.5", 65));
  }

  @Test
  void fault_stringOfAnotherType_found() throws Exception {
    assertThat(fault(relativeName(COUNTRY, utf8("CH"))))
        .contains("attribute 2.5.4.6 of string type 0c");
    assertThat(fault(relativeName(SERIAL_NUMBER, utf8("1"))))
        .contains("attribute 2.5.4.5 of string type 0c");
    assertThat(fault(relativeName(COMMON_NAME, tlv(0x16, hex("61")))))
        .contains("attribute 2.5.4.3 of string type 16");
    assertThat(fault(relativeName(COMMON_NAME, tlv(0x1E, hex("0061")))))
        .contains("attribute 2.5.4.3 of string type 1e");
  }

  @Test
  void fault_attributeOfAnotherType_found() throws Exception {
    byte[] description = hex("060355040d");

    assertThat(fault(relativeName(description, utf8("a"))))
        .contains("attribute 2.5.4.13 is not one of this CA's");
  }

  @Test
  void fault_attributeOfOnePartOrThree_found() throws Exception {
    byte[] text = utf8("a");

    assertThat(fault(tlv(0x31, sequence()))).contains("an attribute of 0 parts");
    assertThat(fault(tlv(0x31, sequence(COMMON_NAME)))).contains("an attribute of 1 parts");
    assertThat(fault(tlv(0x31, sequence(COMMON_NAME, text, text))))
        .contains("an attribute of 3 parts");
  }

  @Test
  void fault_noneOrSeveralRelativeNames_eachIsLookedAt() throws Exception {
    byte[] right = relativeName(COMMON_NAME, utf8("a"));
    byte[] wrong = relativeName(COMMON_NAME, utf8(""));

    assertThat(fault()).isEmpty();
    assertThat(fault(right, right)).isEmpty();
    assertThat(fault(right, wrong)).isPresent();
    assertThat(fault(wrong, right)).isPresent();
  }

  @Test
  void fault_relativeNameOfTwoOrNoSetOrNoUtf8_malformed() {
    byte[] attribute = sequence(COMMON_NAME, utf8("a"));

    assertMalformed("a relative name is not one value", tlv(0x31, attribute, attribute));
    assertMalformed("a relative name is not one value", tlv(0x31));
    assertMalformed("a relative name has tag 30", sequence(attribute));
    assertMalformed("a relative name has tag 0c", tlv(0x31, utf8("a")));
    assertMalformed(
        "attribute 2.5.4.3 is not UTF-8", relativeName(COMMON_NAME, tlv(0x0C, hex("61c3"))));
  }

  private static void assertMalformed(String fault, byte[] relativeName) {
    assertThatExceptionOfType(MalformedException.class)
        .isThrownBy(() -> fault(relativeName))
        .satisfies(e -> assertThat(e.fault()).isEqualTo(fault));
  }

  private static String length(String oid, int characters) {
    return String.format(Locale.ROOT, "attribute %s of %d characters", oid, characters);
  }

  private static byte[] ia5(String text) {
    return tlv(0x16, text.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] printable(String text) {
    return tlv(0x13, text.getBytes(StandardCharsets.UTF_8));
  }

  private static Optional<String> fault(byte[]... relativeNames) throws MalformedException {
    PlannedCertificate planned =
        new PlannedChange(
                Fixtures.tlsServer(), Fixtures.issuing(SoftwareKey.named("issuer-ec-p256")))
            .raw(tbs -> tbs.replace(5, sequence(relativeNames)))
            .done();
    return new SubjectEncodingLint().fault(planned);
  }
}
