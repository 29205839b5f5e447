package org.sluiceca.core.plan.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.sluiceca.core.testkit.RawDer.hex;
import static org.sluiceca.core.testkit.RawDer.join;
import static org.sluiceca.core.testkit.RawDer.tlv;

import java.util.Arrays;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The lints' own reader at the limits of X.690: no other check would notice what it lets pass. */
class DerElementTest {

  @ParameterizedTest
  @CsvSource({
    "0400, 0",
    "0401, 1",
    "047f, 127",
    "048180, 128",
    "0481ff, 255",
    "04820100, 256",
    "0482ffff, 65535",
    "0483010000, 65536"
  })
  void of_lengthInTheFewestOctets_read(String header, int length) throws Exception {
    byte[] contents = new byte[length];
    Arrays.fill(contents, (byte) 0xA5);

    DerElement element = DerElement.of(join(hex(header), contents));

    assertThat(element.is(DerElement.OCTET_STRING)).isTrue();
    assertThat(element.length()).isEqualTo(length);
    assertThat(element.contents()).isEqualTo(contents);
  }

  /** X.690 10.1. */
  @ParameterizedTest
  @CsvSource({
    "048100, 0",
    "048101, 1",
    "04817f, 127",
    "0482007f, 127",
    "04820080, 128",
    "048200ff, 255",
    "048300ffff, 65535"
  })
  void of_lengthInMoreOctetsThanNeeded_malformed(String header, int length) {
    assertMalformed(
        "a length in more octets than needed",
        () -> DerElement.of(join(hex(header), new byte[length])));
  }

  /** X.690 8.1.3.5, 8.1.3.6: 80 is indefinite, which DER does not have, and no long form. */
  @ParameterizedTest
  @CsvSource({"0480, 0", "0480, 128", "048401000000, 0", "0481, 0", "048201, 0", "04830100, 0"})
  void of_lengthIndefiniteTooLongOrCutShort_malformed(String header, int length) {
    assertMalformed(
        "a length that is indefinite, too long or cut short",
        () -> DerElement.of(join(hex(header), new byte[length])));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "04", "0401", "040200", "048180", "04818000", "0482010000"})
  void of_cutShort_malformed(String octets) {
    assertMalformed("a value is cut short", () -> DerElement.of(hex(octets)));
  }

  @Test
  void of_octetsBehind_malformed() {
    assertMalformed("octets behind the value", () -> DerElement.of(hex("040000")));
    assertMalformed("octets behind the value", () -> DerElement.of(hex("04010000")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1f0100", "3f0100", "9f0100", "bf0100", "ff0100"})
  void of_tagOfMoreThanOneOctet_malformed(String octets) {
    assertMalformed("a tag of more than one octet", () -> DerElement.of(hex(octets)));
  }

  @ParameterizedTest
  @CsvSource({"0x1e", "0x9e", "0xa3", "0xbe", "0xfe"})
  void of_tagOfOneOctet_read(int tag) throws Exception {
    assertThat(DerElement.of(tlv(tag)).tag()).isEqualTo(tag);
  }

  /** What lies behind the outer value's end is not the inner one's, even if it is there. */
  @ParameterizedTest
  @ValueSource(
      strings = {"300104", "3003040200", "300404000401", "30053001040500", "30073003040201 0500"})
  void children_oneCutShort_malformed(String octets) {
    assertMalformed("a value is cut short", () -> walk(DerElement.of(hex(octets))));
  }

  @Test
  void children_severalOrNone_read() throws Exception {
    byte[] first = tlv(DerElement.OCTET_STRING, new byte[200]);
    byte[] second = hex("0500");

    assertThat(DerElement.of(hex("3000")).children()).isEmpty();
    assertThat(DerElement.of(tlv(DerElement.SEQUENCE, first, second)).children())
        .extracting(DerElement::tag, DerElement::length)
        .containsExactly(tuple(DerElement.OCTET_STRING, 200), tuple(DerElement.NULL, 0));
  }

  @ParameterizedTest
  @CsvSource({"00, 0x00", "7f, 0x7f", "612062, a b", "'', ''"})
  void ascii_octetsBelow80_read(String octets, String expected) throws Exception {
    String text = DerElement.of(tlv(DerElement.IA5_STRING, hex(octets))).ascii("x");

    assertThat(text)
        .isEqualTo(
            expected.startsWith("0x") ? Character.toString(Integer.decode(expected)) : expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"80", "ff", "8061", "6180", "617f80"})
  void ascii_octetFrom80_malformed(String octets) throws Exception {
    DerElement element = DerElement.of(tlv(DerElement.IA5_STRING, hex(octets)));

    assertMalformed("x with an octet that is not ASCII", () -> element.ascii("x"));
  }

  @Test
  void utf8_octetsOfNoCharacter_malformed() throws Exception {
    DerElement cut = DerElement.of(tlv(DerElement.UTF8_STRING, hex("61c3")));
    DerElement surrogate = DerElement.of(tlv(DerElement.UTF8_STRING, hex("eda080")));
    DerElement whole = DerElement.of(tlv(DerElement.UTF8_STRING, hex("61c3bc")));

    assertMalformed("x is not UTF-8", () -> cut.utf8("x"));
    assertMalformed("x is not UTF-8", () -> surrogate.utf8("x"));
    assertThat(whole.utf8("x")).isEqualTo("aü");
  }

  /** X.690 8.19.4: the first two arcs in one, of which the second ends at 39 below 0 and 1. */
  @ParameterizedTest
  @CsvSource({
    "00, 0.0",
    "27, 0.39",
    "28, 1.0",
    "4f, 1.39",
    "50, 2.0",
    "77, 2.39",
    "78, 2.40",
    "7f, 2.47",
    "8100, 2.48",
    "8837, 2.999",
    "2a00, 1.2.0",
    "2a0001, 1.2.0.1",
    "2a7f, 1.2.127",
    "2a8100, 1.2.128",
    "2aff7f, 1.2.16383",
    "551d11, 2.5.29.17",
    "2b060105050703 01, 1.3.6.1.5.5.7.3.1"
  })
  void oid_arcs_asDotted(String contents, String expected) throws Exception {
    assertThat(oid(contents)).isEqualTo(expected);
  }

  /**
   * Nine octets, 62 bits: what a long holds with room for the test. UUIDs below 2.25 do not fit.
   */
  @Test
  void oid_arcAtTheLimit_read() throws Exception {
    assertThat(oid("2a bf ff ff ff ff ff ff ff 7f")).isEqualTo("1.2." + ((1L << 62) - 1));
    assertThat(oid("2a bf ff ff ff ff ff ff ff 7f 01")).isEqualTo("1.2." + ((1L << 62) - 1) + ".1");
    assertMalformed(
        "an object identifier with a huge arc", () -> oid("2a c0 80 80 80 80 80 80 80 00"));
    assertMalformed(
        "an object identifier with a huge arc", () -> oid("2a ff ff ff ff ff ff ff ff ff 7f"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "81", "2a81", "2a0181"})
  void oid_emptyOrCutShort_malformed(String contents) {
    assertMalformed("an object identifier that is empty or cut short", () -> oid(contents));
  }

  /** X.690 8.19.2: an arc in the fewest octets, or two encodings were one identifier. */
  @ParameterizedTest
  @ValueSource(strings = {"802a", "2a8001", "2a8000", "2a808001", "551d8011", "2a80"})
  void oid_arcInMoreOctetsThanNeeded_malformed(String contents) {
    assertMalformed("an object identifier's arc in more octets than needed", () -> oid(contents));
  }

  @Test
  void oid_anotherTag_malformed() throws Exception {
    DerElement element = DerElement.of(hex("0d012a"));

    assertMalformed("an object identifier has tag 0d", element::oid);
  }

  @Test
  void oneOrMore_noneOrNoSequence_malformed() throws Exception {
    DerElement empty = DerElement.of(hex("3000"));
    DerElement set = DerElement.of(hex("31020500"));

    assertMalformed("x without a value", () -> empty.oneOrMore("x"));
    assertMalformed("x has tag 31", () -> set.oneOrMore("x"));
    assertThat(DerElement.of(hex("30020500")).oneOrMore("x")).hasSize(1);
  }

  @Test
  void only_noneOrTwoOrAnother_malformed() throws Exception {
    DerElement none = DerElement.of(hex("3000"));
    DerElement two = DerElement.of(hex("300405000500"));
    DerElement one = DerElement.of(hex("30020500"));

    assertMalformed("x is not one value", () -> none.only(DerElement.NULL, "x"));
    assertMalformed("x is not one value", () -> two.only(DerElement.NULL, "x"));
    assertMalformed("x has tag 05", () -> one.only(DerElement.BOOLEAN, "x"));
    assertThat(one.only(DerElement.NULL, "x").length()).isZero();
  }

  private static String oid(String contents) throws MalformedException {
    return DerElement.of(tlv(DerElement.OID, hex(contents))).oid();
  }

  /** Looks at every value inside. */
  private static void walk(DerElement element) throws MalformedException {
    if (element.is(DerElement.SEQUENCE)) {
      for (DerElement child : element.children()) {
        walk(child);
      }
    }
  }

  private static void assertMalformed(String fault, ThrowingCallable reading) {
    assertThatExceptionOfType(MalformedException.class)
        .isThrownBy(reading)
        .satisfies(e -> assertThat(e.fault()).isEqualTo(fault));
  }
}
