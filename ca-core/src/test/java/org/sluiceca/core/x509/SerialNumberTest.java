package org.sluiceca.core.x509;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class SerialNumberTest {

  private static final byte[] RANDOM = filled(16, 0xFF);
  private static final SerialNumber SERIAL = SerialNumber.compose(new ExpiryWeek(0x0BCD), RANDOM);

  @Test
  void compose_layout_isOneWeekRandom() {
    assertThat(SERIAL.hex()).isEqualTo("010bcd" + "ff".repeat(16));
    assertThat(SERIAL.octets()).hasSize(19);
    assertThat(SERIAL.expiryWeek()).isEqualTo(new ExpiryWeek(0x0BCD));
  }

  @Test
  void compose_anyRandom_isPositiveAndOf19OctetsInDer() {
    for (int fill : new int[] {0, 0x7F, 0x80, 0xFF}) {
      for (int week : new int[] {0, 0xFF, 0x8000, 0xFFFF}) {
        byte[] octets = SerialNumber.compose(new ExpiryWeek(week), filled(16, fill)).octets();

        BigInteger value = new BigInteger(octets);

        assertThat(value.signum()).isEqualTo(1);
        assertThat(value.toByteArray()).hasSize(19);
      }
    }
  }

  @Test
  void compose_randomOf15Or17Octets_refused() {
    ExpiryWeek week = new ExpiryWeek(1);

    assertThatIllegalArgumentException().isThrownBy(() -> SerialNumber.compose(week, new byte[15]));
    assertThatIllegalArgumentException().isThrownBy(() -> SerialNumber.compose(week, new byte[17]));
  }

  @Test
  void parse_eitherCase_isTheSameNumber() {
    assertThat(SerialNumber.parse(SERIAL.hex())).isEqualTo(SERIAL);
    assertThat(SerialNumber.parse(SERIAL.hex().toUpperCase(Locale.ROOT))).isEqualTo(SERIAL);
  }

  @Test
  void parse_otherText_refused() {
    String hex = SERIAL.hex();

    for (String text :
        new String[] {
          "",
          hex.substring(1),
          hex + "0",
          "02" + hex.substring(2),
          "g" + hex.substring(1),
          hex.replace("01", "0x"),
          " " + hex.substring(1),
          "İ".repeat(38),
          "٠١" + hex.substring(2)
        }) {
      assertThatIllegalArgumentException().as(text).isThrownBy(() -> SerialNumber.parse(text));
    }
  }

  @Test
  void ofText_everyWayToWriteIt_isTheSameNumber() {
    SerialNumber serial =
        SerialNumber.compose(
            new ExpiryWeek(0x0BCD),
            new byte[] {0x12, -1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0});
    String hex = serial.hex();
    String colons = hex.replaceAll("..(?!$)", "$0:");
    String decimal = new BigInteger(hex, 16).toString();

    for (String text :
        new String[] {
          hex,
          hex.toUpperCase(Locale.ROOT),
          hex.substring(1),
          "00" + hex,
          "0x" + hex.substring(1),
          "0X" + hex,
          colons,
          colons.toUpperCase(Locale.ROOT),
          colons.substring(1),
          "00:" + colons,
          decimal
        }) {
      assertThat(SerialNumber.ofText(text)).as(text).isEqualTo(serial);
    }
    assertThat(decimal).hasSize(44);
    assertThat(SerialNumber.ofText("01" + "0".repeat(36)).expiryWeek())
        .as("digits alone, which are hexadecimal")
        .isEqualTo(new ExpiryWeek(0));
  }

  /** The least and the largest number of this CA have 44 decimal digits. */
  @Test
  void ofText_decimalAtTheBounds_bothSides() {
    BigInteger least = BigInteger.ONE.shiftLeft(144);
    BigInteger beyond = BigInteger.ONE.shiftLeft(145);

    assertThat(SerialNumber.ofText(least.toString()).hex()).isEqualTo("01" + "0".repeat(36));
    assertThat(SerialNumber.ofText(beyond.subtract(BigInteger.ONE).toString()).hex())
        .isEqualTo("01" + "f".repeat(36));
    assertThatIllegalArgumentException().isThrownBy(() -> SerialNumber.ofText(beyond.toString()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SerialNumber.ofText(least.subtract(BigInteger.ONE).toString()));
  }

  @Test
  void ofText_notASerialNumberOfThisCa_refusedInWordsThatSayWhatOneIs() {
    String hex = SERIAL.hex();
    for (String text :
        new String[] {
          "",
          "0x",
          "x",
          hex.substring(2),
          hex.substring(0, 36),
          hex + "00",
          "02" + hex.substring(2),
          "g" + hex.substring(1),
          "-" + hex,
          " " + hex,
          "01:" + hex.substring(2),
          hex + ":",
          "0".repeat(200) + hex,
          "\u0660\u0661" + hex.substring(2)
        }) {
      assertThatIllegalArgumentException()
          .as(text)
          .isThrownBy(() -> SerialNumber.ofText(text))
          .withMessageContaining("38 hexadecimal digits");
    }
  }

  @Test
  void of_18Or20OctetsOrOtherLayout_refused() {
    for (byte[] octets :
        new byte[][] {new byte[18], Arrays.copyOf(SERIAL.octets(), 20), new byte[19], {}}) {
      assertThatIllegalArgumentException().isThrownBy(() -> SerialNumber.of(octets));
    }
  }

  @Test
  void octets_changedByCaller_numberUnchanged() {
    byte[] mine = SERIAL.octets();
    SerialNumber read = SerialNumber.of(mine);

    mine[18] = 0;
    read.octets()[17] = 0;

    assertThat(read).isEqualTo(SERIAL).hasSameHashCodeAs(SERIAL).hasToString(SERIAL.hex());
  }

  private static byte[] filled(int length, int value) {
    byte[] octets = new byte[length];
    Arrays.fill(octets, (byte) value);
    return octets;
  }
}
