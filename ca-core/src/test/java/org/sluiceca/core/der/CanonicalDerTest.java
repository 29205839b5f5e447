package org.sluiceca.core.der;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sluiceca.core.testkit.RawDer.hex;
import static org.sluiceca.core.testkit.RawDer.tlv;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.bouncycastle.asn1.ASN1Primitive;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.x509.CsrDer;

/**
 * What is taken as canonical without a comparison is what the library writes in DER: the comparison
 * that was made of everything before is the judge here.
 */
class CanonicalDerTest {

  private static final int CASES = 60_000;

  /** Of every class and form, of strings that BER may split, and of times. */
  private static final int[] TAGS = {
    0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x09, 0x0A, 0x0C, 0x0D, 0x10, 0x11, 0x12, 0x13, 0x14,
    0x16, 0x17, 0x18, 0x1A, 0x1C, 0x1E, 0x21, 0x23, 0x24, 0x28, 0x2C, 0x30, 0x30, 0x30, 0x31, 0x31,
    0x33, 0x36, 0x41, 0x61, 0x80, 0x81, 0x87, 0x9E, 0xA0, 0xA0, 0xA1, 0xA3, 0xBE, 0xC0, 0xE1
  };

  private static final List<String> TIMES =
      List.of(
          "491231235959Z",
          "4912312359Z",
          "491231235959+0100",
          "20500101000000Z",
          "20500101000000.5Z",
          "20500101000000.50Z",
          "20500101000000",
          "205001010000Z",
          "2050010100Z",
          "4912312359-9Z");

  private static final List<byte[]> REAL =
      List.of(
          CsrFixture.file("openssl-ec-p256").encoded(), CsrFixture.file("openssl-full").encoded());

  @Test
  void check_seededValues_sureOnlyIfTheLibraryWritesTheSame() {
    int sure = 0;
    int other = 0;
    for (long seed = 1; seed <= CASES; seed++) {
      byte[] value = value(new SplittableRandom(seed), 1);
      Boolean isSame = isWrittenTheSame(value);
      if (isSame != null && isSure(value)) {
        assertThat(isSame).as("seed %d", seed).isTrue();
        sure++;
      } else if (isSame != null && !isSame) {
        other++;
      }
    }
    assertThat(sure).isGreaterThan(CASES / 10);
    assertThat(other).isGreaterThan(CASES / 100);
  }

  @Test
  void check_seededMutationsOfRequests_sureOnlyIfTheLibraryWritesTheSame() {
    int sure = 0;
    for (byte[] real : REAL) {
      for (long seed = 1; seed <= CASES / 2; seed++) {
        byte[] mutant = Mutations.of(real, new SplittableRandom(seed));
        if (isSure(mutant)) {
          assertThat(isWrittenTheSame(mutant)).as("seed %d", seed).isNotEqualTo(false);
          sure++;
        }
      }
    }
    assertThat(sure).isGreaterThan(CASES / 100);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "010101",
        "0203000001",
        "0202ffff",
        "03020101",
        "0300",
        "170b3439313233313233 35395a",
        "3106020102020101",
        "31060201010201 01",
        "3003010101",
        "a003010101",
        "2403040100",
        "2c030c0141",
        "0a0101",
        "6100",
        "c000"
      })
  void check_otherForms_notSure(String bytes) throws Exception {
    assertThat(DerScan.check("it", hex(bytes))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "010100",
        "0101ff",
        "020100",
        "02020080",
        "0202ff7f",
        "03020001",
        "0500",
        "3100",
        "3103020101",
        "30060101ff020102",
        "a003020101",
        "8000",
        "170d3439313233313233353935395a"
      })
  void check_onlyForms_sure(String bytes) throws Exception {
    assertThat(DerScan.check("it", hex(bytes))).isTrue();
    assertThat(isWrittenTheSame(hex(bytes))).isTrue();
  }

  /**
   * Elements doubled, added, dropped or exchanged at any depth, with lengths that are right. What
   * is certified is taken only in the encoding that the library writes, and exactly those octets
   * that came are signed; of other parts none is more than the standard has.
   */
  @Test
  void readRequest_seededStructures_certifiedPartsAreAsTheLibraryWritesThem() throws Exception {
    int taken = 0;
    int superfluous = 0;
    for (byte[] real : REAL) {
      for (long seed = 1; seed <= CASES / 2; seed++) {
        byte[] mutant = restructured(real, new SplittableRandom(seed));
        List<DerScan.Element> parts = DerScan.elements("it", mutant);
        try {
          var read = CsrReader.read(CsrDer.of(mutant));

          List<DerScan.Element> fields = parts.getFirst().elements("it");
          assertThat(parts).as("seed %d", seed).hasSize(3);
          assertThat(fields).as("seed %d", seed).hasSizeBetween(3, 4);
          assertThat(read.signed().octets()).isEqualTo(parts.getFirst().encoded());
          assertThat(isWrittenTheSame(fields.get(1).encoded())).as("seed %d", seed).isTrue();
          assertThat(isWrittenTheSame(fields.get(2).encoded())).as("seed %d", seed).isTrue();
          assertThat(read.subjectPublicKeyInfo().encoded()).isEqualTo(fields.get(2).encoded());
          taken++;
        } catch (DerException e) {
          if (e.fault().startsWith("certification request with superfluous")) {
            assertThat(parts.size() > 3 || parts.getFirst().elements("it").size() > 4)
                .as("seed %d", seed)
                .isTrue();
            superfluous++;
          }
        }
      }
    }
    assertThat(taken).isGreaterThan(100);
    assertThat(superfluous).isGreaterThan(100);
  }

  private static boolean isSure(byte[] bytes) {
    try {
      return DerScan.check("it", bytes);
    } catch (DerException e) {
      return false;
    }
  }

  /** Null if the library does not read it. */
  private static @Nullable Boolean isWrittenTheSame(byte[] bytes) {
    try {
      return StrictDer.isEncodedAs(ASN1Primitive.fromByteArray(bytes), bytes);
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  private static byte[] value(SplittableRandom random, int depth) {
    int tag = TAGS[random.nextInt(TAGS.length)];
    if ((tag & 0x20) == 0 || depth > 4) {
      return tlv(tag, content(tag, random));
    }
    byte[][] elements = new byte[random.nextInt(4)][];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = value(random, depth + 1);
    }
    return tlv(tag, elements);
  }

  private static byte[] content(int tag, SplittableRandom random) {
    if (tag == 0x17 || tag == 0x18) {
      return TIMES.get(random.nextInt(TIMES.size())).getBytes(StandardCharsets.US_ASCII);
    }
    byte[] content = new byte[random.nextInt(4)];
    for (int i = 0; i < content.length; i++) {
      int[] telling = {0, 1, 4, 0x41, 0x7F, 0x80, 0xFF, random.nextInt(256)};
      content[i] = (byte) telling[random.nextInt(telling.length)];
    }
    return content;
  }

  private static byte[] restructured(byte[] der, SplittableRandom random) throws DerException {
    List<byte[]> parts = new ArrayList<>();
    for (DerScan.Element element : DerScan.elements("it", der)) {
      parts.add(element.encoded());
    }
    int at = random.nextInt(parts.size() + 1);
    boolean isDeeper =
        at < parts.size()
            && (parts.get(at)[0] & 0x20) != 0
            && parts.get(at)[1] != 0
            && random.nextInt(8) != 0;
    if (isDeeper) {
      parts.set(at, restructured(parts.get(at), random));
    } else if (at == parts.size()) {
      parts.add(value(random, 3));
    } else {
      switch (random.nextInt(5)) {
        case 0 -> parts.add(at, parts.get(at));
        case 1 -> parts.remove(at);
        case 2 -> parts.set(at, value(random, 3));
        case 3 -> Collections.swap(parts, at, random.nextInt(parts.size()));
        default -> parts.get(at)[0] ^= (byte) (1 << random.nextInt(3));
      }
    }
    return tlv(der[0] & 0xFF, parts.toArray(byte[][]::new));
  }
}
