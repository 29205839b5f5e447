package org.sluiceca.core.der;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.sluiceca.core.testkit.RawDer.hex;
import static org.sluiceca.core.testkit.RawDer.join;
import static org.sluiceca.core.testkit.RawDer.sequence;
import static org.sluiceca.core.testkit.RawDer.tlv;

import java.util.Arrays;
import java.util.Collections;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.x509.CsrDer;

class DerScanTest {

  private static final byte[] NULL = hex("0500");

  @ParameterizedTest
  @ValueSource(strings = {"0500", "3000", "30020500", "300405003000", "1e00", "a003020101", "de00"})
  void check_wellFormed_taken(String bytes) {
    assertThatCode(() -> DerScan.check("it", hex(bytes))).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "'', empty",
    "05, truncated",
    "30, truncated",
    "0501, truncated",
    "3001, truncated",
    "300105, truncated",
    "30030501, truncated",
    "050000, 1 trailing bytes",
    "30000500, 2 trailing bytes",
    "3080, indefinite",
    "30800000, indefinite",
    "3004 3080 0000, indefinite",
    "1f00, more than one octet",
    "3f8100, more than one octet",
    "3002 1f00, more than one octet",
    "0581 00, octets to spare",
    "0481, truncated",
    "048200, truncated",
    "04830000, truncated",
    "0484 00000000, 4 octets",
    "0488 0000000000000000, 8 octets",
    "04ff, 127 octets",
    "0483 ffffff, truncated"
  })
  void check_malformed_faultSaysWhat(String bytes, String fault) {
    assertThatExceptionOfType(DerException.class)
        .isThrownBy(() -> DerScan.check("it", hex(bytes)))
        .withMessageContaining(fault)
        .withMessageStartingWith("it ");
  }

  @Test
  void check_objectIdentifierOf64Or65Octets_bothSides() throws Exception {
    DerScan.check("it", tlv(0x06, new byte[64]));

    assertThatExceptionOfType(DerException.class)
        .isThrownBy(() -> DerScan.check("it", tlv(0x30, tlv(0x06, new byte[65]))))
        .withMessageContaining("object identifier of 65 octets");
  }

  /** X.690 10.1: the shortest form, at each length where another octet begins. */
  @Test
  void check_lengthsAtEachBoundary_shortestFormOnly() throws Exception {
    for (int length : new int[] {0, 1, 127, 128, 255, 256, 65_535, 65_536}) {
      byte[] content = new byte[length];
      DerScan.check("it", tlv(0x04, content));

      for (int octets = 1; octets <= 3; octets++) {
        byte[] header =
            hex(
                String.format(Locale.ROOT, "04%02x", 0x80 | octets)
                    + String.format(Locale.ROOT, "%06x", length).substring(6 - 2 * octets));
        byte[] encoded = join(header, content);
        if (length >= 1 << (8 * octets) || Arrays.equals(encoded, tlv(0x04, content))) {
          continue;
        }
        assertThatExceptionOfType(DerException.class)
            .as("length %d in %d octets", length, octets)
            .isThrownBy(() -> DerScan.check("it", encoded))
            .withMessageContaining("octets to spare");
      }
    }
  }

  @Test
  void check_depth16Or17_bothSides() throws Exception {
    byte[] value = NULL;
    for (int depth = 2; depth <= 16; depth++) {
      value = sequence(value);
    }
    DerScan.check("it", value);
    byte[] deeper = sequence(value);

    assertThatExceptionOfType(DerException.class)
        .isThrownBy(() -> DerScan.check("it", deeper))
        .withMessageContaining("too deeply");
  }

  @Test
  void check_2000Or2001Elements_bothSides() throws Exception {
    byte[][] nulls = Collections.nCopies(1_999, NULL).toArray(byte[][]::new);
    DerScan.check("it", sequence(nulls));
    byte[] more = sequence(join(nulls), NULL);

    assertThatExceptionOfType(DerException.class)
        .isThrownBy(() -> DerScan.check("it", more))
        .withMessageContaining("2000 elements");
  }

  @Test
  void hasMoreThan_countsNoFurther_bothSides() {
    for (int count : new int[] {0, 1, 2, 99}) {
      byte[] value = sequence(Collections.nCopies(count, NULL).toArray(byte[][]::new));

      assertThat(DerScan.hasMoreThan(count, value)).isFalse();
      assertThat(DerScan.hasMoreThan(count + 1, value)).isFalse();
      assertThat(count == 0 || DerScan.hasMoreThan(count - 1, value)).isTrue();
    }
    assertThat(DerScan.hasMoreThan(0, hex(""))).isFalse();
    assertThat(DerScan.hasMoreThan(0, hex("3080"))).isFalse();
    assertThat(DerScan.hasMoreThan(1, hex("3006 0500 0500 05"))).isFalse();
    // What comes behind the bound is left to check.
    assertThat(DerScan.hasMoreThan(1, hex("3006 0500 0500 0580"))).isTrue();
  }

  @Test
  void elements_tagsAndContents_inOrder() throws Exception {
    assertThat(DerScan.elements("it", hex("3007 8201 61 8700 0500")))
        .satisfiesExactly(
            a -> {
              assertThat(a.tag()).isEqualTo(0x82);
              assertThat(a.content()).containsExactly(0x61);
              assertThat(a.encoded()).isEqualTo(hex("8201 61"));
            },
            b -> {
              assertThat(b.tag()).isEqualTo(0x87);
              assertThat(b.content()).isEmpty();
            },
            c -> assertThat(c.tag()).isEqualTo(5));
    assertThat(DerScan.elements("it", hex("3000"))).isEmpty();
  }

  /**
   * Whatever comes: a fault or an encoding whose lengths add up; and behind it, the reader's own.
   */
  @Test
  void check_seededNoise_noOtherException() {
    byte[] real = CsrFixture.file("openssl-full").encoded();
    int taken = 0;
    for (long seed = 1; seed <= 20_000; seed++) {
      byte[] mutant = Mutations.of(real, new SplittableRandom(seed));
      DerScan.hasMoreThan(5, mutant);
      try {
        DerScan.check("it", mutant);
        DerScan.elements("it", mutant);
        taken++;
        CsrReader.read(CsrDer.of(mutant));
      } catch (DerException e) {
        assertThat(e.fault()).isNotBlank();
      }
    }
    assertThat(taken).isBetween(100, 19_900);
  }
}
