package org.sluiceca.core.renewal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;

class CertificateIdTest {

  /** The example of RFC 9773 4.1. */
  private static final String EXAMPLE = "aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE";

  @Test
  void parse_exampleOfTheRfc_itsOctetsAndTheSameText() {
    CertificateId id = CertificateId.parse(EXAMPLE);

    assertThat(id.keyIdentifier()).hasToString("69885b6b87464041e1b37b847ba0ae2cde01c8d4");
    assertThat(id.serial()).hasToString("0087654321");
    assertThat(id.text()).isEqualTo(EXAMPLE);
    assertThat(id.serialNumber()).isEmpty();
  }

  @Test
  void of_certificateOfThisCa_readBack() {
    SerialNumber serial = SerialNumber.parse("01" + "0a".repeat(18));
    OctetString key = octets("00ff" + "11".repeat(18));

    CertificateId id = CertificateId.of(key, serial);

    assertThat(CertificateId.parse(id.text())).isEqualTo(id);
    assertThat(id.serialNumber()).contains(serial);
  }

  @Test
  void parse_seededIdentifiers_sameTextAgain() {
    SplittableRandom random = new SplittableRandom(4);
    for (int i = 0; i < 2_000; i++) {
      byte[] key = new byte[random.nextInt(1, CertificateId.KEY_IDENTIFIER_MAX + 1)];
      byte[] serial = new byte[random.nextInt(1, CertificateId.SERIAL_MAX + 1)];
      random.nextBytes(key);
      random.nextBytes(serial);
      serial[0] = (byte) random.nextInt(1, 0x80);
      CertificateId id = new CertificateId(OctetString.copyOf(key), OctetString.copyOf(serial));

      assertThat(id.text()).hasSizeLessThanOrEqualTo(CertificateId.TEXT_MAX);
      assertThat(CertificateId.parse(id.text())).isEqualTo(id);
    }
  }

  /** Two texts of one certificate would be two URLs and two entries of a cache. */
  @Test
  void parse_exampleWithAnotherLastCharacter_onlyCanonicalBitsAccepted() {
    String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    String start = EXAMPLE.substring(0, EXAMPLE.length() - 1);

    long accepted = alphabet.chars().filter(c -> isAccepted(start + (char) c)).count();

    // Five octets are 40 bits, seven characters 42: the last character has four bits in use.
    assertThat(accepted).isEqualTo(16);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "aYhba4dGQEHhs3uEe6CuLN4ByNQ",
        "aYhba4dGQEHhs3uEe6CuLN4ByNQ.",
        ".AIdlQyE",
        "aYhba4dGQEHhs3uEe6CuLN4ByNQ=.AIdlQyE",
        "aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE=",
        "aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE.",
        "aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdl.QyE",
        " aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE",
        "aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE\n",
        "aYhba4dGQEHhs3uEe6Cu+/4ByNQ.AIdlQyE",
        "aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQ%79E",
        "aYhba4dGQEHhs3uEe6CuLN4ByNQ.A",
        "a\u00e9hb.AIdlQyE"
      })
  void parse_otherThanTwoPartsOfBase64url_refused(String text) {
    assertThatThrownBy(() -> CertificateId.parse(text))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", // no octet
        "00", // zero is not positive (RFC 5280 4.1.2.2)
        "0000", // zero, and not the shortest form
        "007f", // a zero octet that DER does not have
        "87654321", // negative
        "ffff", // negative, and not the shortest form
        "01020304050607080910111213141516171819202122" // 22 octets
      })
  void parse_serialNotPositiveOrNotDer_refused(String serial) {
    String text = "aYhba4dGQEHhs3uEe6CuLN4ByNQ." + base64url(serial);

    assertThatThrownBy(() -> CertificateId.parse(text))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void parse_partsAtTheirLimits_acceptedAndNotBeyond() {
    String longestKey = "ab".repeat(CertificateId.KEY_IDENTIFIER_MAX);
    String longestSerial = "00" + "ff".repeat(CertificateId.SERIAL_MAX - 1);

    String longest = base64url(longestKey) + "." + base64url(longestSerial);

    assertThat(longest).hasSize(CertificateId.TEXT_MAX);
    assertThat(CertificateId.parse(longest).text()).isEqualTo(longest);
    assertThat(isAccepted(base64url(longestKey + "ab") + ".AQ")).isFalse();
    assertThat(isAccepted("qw.AQ")).isTrue();
  }

  /** A log line that repeats what a stranger sent would be the stranger's. */
  @Test
  void parse_longText_refusedWithoutRepeatingIt() {
    String text = "x".repeat(1_000_000);

    assertThatThrownBy(() -> CertificateId.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a certificate identifier of 1000000 characters");
  }

  private static boolean isAccepted(String text) {
    try {
      CertificateId.parse(text);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static OctetString octets(String hex) {
    return OctetString.copyOf(HexFormat.of().parseHex(hex));
  }

  private static String base64url(String hex) {
    byte[] octets = HexFormat.of().parseHex(hex);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(octets);
  }
}
