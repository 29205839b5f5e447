package org.sluiceca.core.syntax;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.IDN;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdnaLabelTest {

  /** RFC 3492 7.1, and labels in use. */
  @ParameterizedTest
  @CsvSource({
    "egbpdaj6bu4bxfgehfvwxn,"
        + " \u0644\u064a\u0647\u0645\u0627\u0628\u062a\u0643\u0644\u0645\u0648\u0634\u0639\u0631\u0628\u064a\u061f",
    "ihqwcrb4cv8a8dqg056pqjye, \u4ed6\u4eec\u4e3a\u4ec0\u4e48\u4e0d\u8bf4\u4e2d\u6587",
    "bcher-kva, b\u00fccher",
    "mnchen-3ya, m\u00fcnchen",
    "strae-oqa, stra\u00dfe",
    "'', ''",
    "abc-, abc",
    "ls8h, \ud83d\udca9"
  })
  void decode_punycode_asRfc3492(String punycode, String text) {
    assertThat(IdnaLabel.decode(punycode)).contains(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a-b\u00fc", // no digit of the alphabet
        "bcher-kv", // ends within a number
        "99999999", // beyond the last code point
        "zzzzzzzzzzzzzzzzzzzzzzzz", // a weight beyond an int
        "a-_",
        "A"
      })
  void decode_noPunycode_empty(String text) {
    assertThat(IdnaLabel.decode(text)).isEmpty();
  }

  /** The JDK's IDN of 2003 is another implementation, where both allow a label. */
  @Test
  void decode_seededWords_whatTheJdkEncoded() {
    Random random = new Random(5);
    for (int i = 0; i < 2_000; i++) {
      StringBuilder word = new StringBuilder();
      int length = 1 + random.nextInt(12);
      for (int c = 0; c < length; c++) {
        word.appendCodePoint(
            switch (random.nextInt(4)) {
              case 0 -> 'a' + random.nextInt(26);
              case 1 -> 0xE0 + random.nextInt(0x17);
              case 2 -> 0x3041 + random.nextInt(0x50);
              default -> 0x4E00 + random.nextInt(0x5000);
            });
      }
      word.append('\u00fc');
      String encoded = IDN.toASCII(word.toString(), IDN.ALLOW_UNASSIGNED);

      assertThat(IdnaLabel.decode(encoded.substring(4))).contains(word.toString());
      assertThat(IdnaLabel.isALabel(encoded)).as(encoded).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "xn--bcher-kva",
        "XN--BCHER-KVA",
        "xn--strae-oqa",
        "xn--fiqs8s",
        "xn--p1ai",
        "xn--mgbaam7a8h",
        "xn--wgv71a119e",
        "xn--ll-0ea"
      })
  void isALabel_labelInUse_true(String label) {
    assertThat(IdnaLabel.isALabel(label)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"xn--", "xn--abc-", "xn--a", "xn--ls8h", "xn--9999999999", "xn--\u00fc"})
  void isALabel_notDecodableOrOnlyAscii_false(String label) {
    assertThat(IdnaLabel.isALabel(label)).as(label).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "b\u00dc", // upper case
        "u\u0308", // not in NFC
        "\uff41", // full width
        "a\u200db", // joiner
        "a\u202eb", // right-to-left override
        "\u0301a", // begins with a mark
        "ab--\u00fc", // hyphens in third and fourth place
        "-\u00fc",
        "\u00fc-",
        "a\u00fc b",
        "a.\u00fc",
        "a\u00b7b", // contexts: middle dot, Greek, Hebrew and Katakana signs
        "\u00b7",
        "l\u00b7a",
        "\u03b1\u0375",
        "\u0375a",
        "a\u05f3",
        "\u05f4\u05d0",
        "a\u30fbb",
        "\u0661\u06f2", // Arabic-Indic digits of both kinds
        "a\u1c80", // unstable under case folding
        "a\uab70",
        "a\u13f8",
        "a\u0345",
        "\u1100", // Hangul that is no syllable
        "\ua960",
        "\ud7b0",
        "a\u20d0", // ignorable blocks
        "a\ud834\udd65",
        "a\ud834\ude42",
        "a\u2800"
      })
  void isALabel_ofTextThatIdnaForbids_false(String text) {
    String punycode = Punycode.encode(text);

    assertThat(IdnaLabel.decode(punycode).orElse(text)).isEqualTo(text);
    assertThat(IdnaLabel.isALabel("xn--" + punycode)).as(text).isFalse();
  }

  /** RFC 5892 A.3 to A.8. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "l\u00b7l",
        "\u0375\u03b1",
        "\u05d0\u05f3",
        "\u05d0\u05f4\u05d1",
        "\u30a2\u30fb\u30a4",
        "a\u30fb\u4e00",
        "\u0661\u0662",
        "\u06f1\u06f2"
      })
  void isALabel_signInItsContext_true(String text) {
    assertThat(IdnaLabel.isALabel("xn--" + Punycode.encode(text))).as(text).isTrue();
  }

  @Test
  void isALabel_singleCharacters_theRulesOfRfc5892() {
    for (int c :
        new int[] {0xDF, 0xE4, 0xFF, 0x131, 0x3C2, 0x430, 0x660, 0x5D0, 0x3007, 0x4E00, 0x20000}) {
      assertThat(isAllowedBesideA(c)).as("%x", c).isTrue();
    }
    for (int c :
        new int[] {
          0x80,
          0xA0,
          0xAA,
          0xC4,
          0xD7,
          0x149,
          0x17F,
          0x1C4,
          0x410,
          0x640,
          0x115F,
          0x200B,
          0x200D,
          0x202E,
          0x2044,
          0x2126,
          0x3000,
          0x3031,
          0x302E,
          0xAC00 - 1,
          0xE000,
          0xFB01,
          0xFE00,
          0xFF41,
          0xFFFE,
          0x1F4A9,
          0xE0100
        }) {
      assertThat(isAllowedBesideA(c)).as("%x", c).isFalse();
    }
  }

  private static boolean isAllowedBesideA(int c) {
    return IdnaLabel.isALabel("xn--" + Punycode.encode("a" + Character.toString(c)));
  }
}
