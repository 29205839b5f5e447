package org.sluiceca.core.plan.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sluiceca.core.testkit.RawDer.tlv;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.SoftwareKey;

/** RFC 5280 4.1.2.5.1 and 4.1.2.5.2: the forms of a time, and the years that each is for. */
class ValidityEncodingLintTest {

  private static final int UTC = 0x17;
  private static final int GENERALIZED = 0x18;
  private static final Instant NOW = Fixtures.NOW;
  private static final Instant LATE = Instant.parse("3000-01-01T00:00:00Z");
  private static final byte[] LATE_DER = time(GENERALIZED, "30000101000000Z");

  @ParameterizedTest
  @CsvSource({
    "0x17, 500101000000Z, 1950-01-01T00:00:00Z",
    "0x17, 991231235959Z, 1999-12-31T23:59:59Z",
    "0x17, 000229000000Z, 2000-02-29T00:00:00Z",
    "0x17, 261121120000Z, 2026-11-21T12:00:00Z",
    "0x17, 491231235959Z, 2049-12-31T23:59:59Z",
    "0x18, 20500101000000Z, 2050-01-01T00:00:00Z",
    "0x18, 20511203040506Z, 2051-12-03T04:05:06Z"
  })
  void fault_formOfItsYear_none(int tag, String text, Instant expected) throws Exception {
    assertThat(fault(time(tag, text), expected)).isEmpty();
  }

  @Test
  void fault_generalizedTimeBefore2050_found() throws Exception {
    assertThat(fault(time(GENERALIZED, "20491231235959Z"), Instant.parse("2049-12-31T23:59:59Z")))
        .contains("GeneralizedTime before 2050");
    assertThat(fault(time(GENERALIZED, "20261121120000Z"), NOW))
        .contains("GeneralizedTime before 2050");
  }

  @ParameterizedTest
  @CsvSource({
    "0x16, 261121120000Z, a time of tag 16",
    "0x16, 20500101000000Z, a time of tag 16",
    "0x04, 261121120000Z, a time of tag 04",
    "0x19, '', a time of tag 19"
  })
  void fault_noTime_found(int tag, String text, String expected) throws Exception {
    assertThat(fault(time(tag, text), NOW)).contains(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "0x17, ''",
    "0x17, Z",
    "0x17, 2611211200Z",
    "0x17, 261121120000",
    "0x17, 2611211200000",
    "0x17, 261121120000z",
    "0x17, 261121120000+0000",
    "0x17, 261121120000.0Z",
    "0x17, 20261121120000Z",
    "0x18, 500101000000Z",
    "0x18, 20500101000000",
    "0x18, 20500101000000.5Z",
    "0x18, 20500101000000-0000"
  })
  void fault_anythingButWholeSecondsOfZulu_found(int tag, String text) throws Exception {
    assertThat(fault(time(tag, text), NOW)).contains("a time that is not whole seconds of Zulu");
  }

  /** Also the neighbours of the digits in ASCII. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "26112112000/Z",
        "26112112000:Z",
        "/61121120000Z",
        ":61121120000Z",
        "2611211200-1Z",
        "2611211200+1Z",
        "26112112000 Z",
        "26112112000ZZ"
      })
  void fault_noDigit_found(String text) throws Exception {
    assertThat(fault(time(UTC, text), NOW)).contains("a time with a sign, a fraction or a letter");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "260021120000Z",
        "261321120000Z",
        "261100120000Z",
        "261131120000Z",
        "260229120000Z",
        "261121240000Z",
        "261121126000Z",
        "261121120060Z"
      })
  void fault_noTimeOfTheCalendar_found(String text) throws Exception {
    assertThat(fault(time(UTC, text), NOW)).contains("a malformed time");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "251121120000Z",
        "261221120000Z",
        "261122120000Z",
        "261121130000Z",
        "261121120100Z",
        "261121120001Z"
      })
  void fault_anotherTimeThanTheOtherReaders_found(String text) throws Exception {
    assertThat(fault(time(UTC, text), NOW))
        .hasValueSatisfying(
            f -> assertThat(f).startsWith("two readers see 202").endsWith(" and " + NOW));
  }

  @Test
  void fault_notAfter_isLookedAtToo() throws Exception {
    byte[] notBefore = time(UTC, "261121120000Z");

    assertThat(fault(notBefore, NOW, LATE_DER)).isEmpty();
    assertThat(fault(notBefore, NOW, time(GENERALIZED, "30000101000001Z")))
        .contains("two readers see 3000-01-01T00:00:01Z and " + LATE);
    assertThat(fault(notBefore, NOW, time(0x16, "30000101000000Z"))).contains("a time of tag 16");
  }

  private static byte[] time(int tag, String text) {
    return tlv(tag, text.getBytes(StandardCharsets.US_ASCII));
  }

  private static Optional<String> fault(byte[] notBefore, Instant expected) throws Exception {
    return fault(notBefore, expected, LATE_DER);
  }

  private static Optional<String> fault(byte[] notBefore, Instant expected, byte[] notAfter)
      throws Exception {
    PlannedCertificate planned =
        new PlannedChange(
                Fixtures.tlsServer(), Fixtures.issuing(SoftwareKey.named("issuer-ec-p256")))
            .fields(tbs -> tbs.validity(expected, LATE))
            .raw(tbs -> tbs.at(4).replace(0, notBefore).replace(1, notAfter))
            .done();
    return new ValidityEncodingLint().fault(planned);
  }
}
