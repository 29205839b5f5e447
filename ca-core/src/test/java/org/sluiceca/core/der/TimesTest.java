package org.sluiceca.core.der;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.SplittableRandom;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.x509.Time;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.testkit.RawDer;

class TimesTest {

  @Test
  void write_bothSidesOf2050_theFormOfRfc5280() {
    assertThat(text("1950-01-01T00:00:00Z")).isEqualTo("500101000000Z");
    assertThat(text("1999-12-31T23:59:59Z")).isEqualTo("991231235959Z");
    assertThat(text("2049-12-31T23:59:59.9Z")).isEqualTo("491231235959Z");
    assertThat(text("2050-01-01T00:00:00Z")).isEqualTo("20500101000000Z");
    assertThat(text("9999-12-31T23:59:59Z")).isEqualTo("99991231235959Z");
  }

  @Test
  void write_yearsThatTimeHasNot_refused() {
    for (String instant : List.of("1949-12-31T23:59:59Z", "+10000-01-01T00:00:00Z")) {
      assertThatExceptionOfType(IllegalArgumentException.class)
          .isThrownBy(() -> Times.encode(Instant.parse(instant)));
    }
  }

  @Test
  void writeThenRead_seededInstants_asTheLibraryDoes() throws Exception {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 2_000; i++) {
      Instant instant = Instant.ofEpochSecond(random.nextLong(-631_152_000L, 253_402_300_800L));

      byte[] written = Times.encode(instant);

      assertThat(written).isEqualTo(new Time(Date.from(instant)).getEncoded(ASN1Encoding.DER));
      assertThat(Times.read(written)).isEqualTo(instant);
    }
  }

  @Test
  void read_otherForms_refused() {
    for (String utc :
        List.of(
            "491231235959+0100",
            "4912312359Z",
            "491331235959Z",
            "490230000000Z",
            "4912312359:9Z",
            "/91231235959Z")) {
      assertRefused(0x17, utc);
    }
    for (String generalized :
        List.of("20500101000000.5Z", "20500101000000", "205001010000Z", "20501301000000Z")) {
      assertRefused(0x18, generalized);
    }
  }

  private static void assertRefused(int tag, String text) {
    assertThatExceptionOfType(DerException.class)
        .as(text)
        .isThrownBy(
            () ->
                StrictDer.read(
                    "time",
                    RawDer.join(
                        new byte[] {(byte) tag, (byte) text.length()},
                        text.getBytes(StandardCharsets.US_ASCII)),
                    p -> Times.read(p.getEncoded())));
  }

  private static String text(String instant) {
    byte[] der = Times.encode(Instant.parse(instant));
    return new String(der, 2, der.length - 2, StandardCharsets.US_ASCII);
  }
}
