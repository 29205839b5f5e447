package org.sluiceca.core.x509;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A serialNumber of this CA: 19 octets = one layout octet (01), two octets of expiry week, 128
 * random bits.
 *
 * <p>RFC 5280 4.1.2.2: positive, at most 20 octets. The layout octet keeps the first bit 0 and the
 * first octet non-zero, so the DER is always the same 19 octets; the week lets a look-up by serial
 * go to one partition; 128 bits from a CSPRNG need no coordination between nodes.
 */
public final class SerialNumber {

  /** The length in octets. */
  public static final int OCTETS = 19;

  /** The number of random octets at the end. */
  public static final int RANDOM_OCTETS = 16;

  private static final byte LAYOUT = 0x01;

  /** Twice as many characters as a serial number with colons has. */
  private static final int TEXT_MAX = 114;

  private static final Pattern PAIRS = Pattern.compile("[0-9A-Fa-f]{1,2}(?::[0-9A-Fa-f]{2})+");
  private static final Pattern HEXADECIMAL = Pattern.compile("[0-9A-Fa-f]+");

  /** 2^144 to 2^145 - 1: the first octet is 01. */
  private static final int DECIMAL_DIGITS = 44;

  private static final Pattern DECIMAL = Pattern.compile("[1-4][0-9]*");

  private final byte[] octets;

  private SerialNumber(byte[] octets) {
    this.octets = octets;
  }

  /** Composes a serial number; {@code random} must be {@link #RANDOM_OCTETS} from a CSPRNG. */
  public static SerialNumber compose(ExpiryWeek week, byte[] random) {
    if (random.length != RANDOM_OCTETS) {
      throw new IllegalArgumentException("random part of " + random.length + " octets");
    }
    byte[] octets = new byte[OCTETS];
    octets[0] = LAYOUT;
    octets[1] = (byte) (week.number() >>> 8);
    octets[2] = (byte) week.number();
    System.arraycopy(random, 0, octets, 3, RANDOM_OCTETS);
    return new SerialNumber(octets);
  }

  /** Returns whether these octets are a serial number of this CA's layout. */
  public static boolean isOfThisLayout(byte[] octets) {
    return octets.length == OCTETS && octets[0] == LAYOUT;
  }

  /**
   * Reads a serial number from its octets.
   *
   * @throws IllegalArgumentException if they are not of this CA's layout
   */
  public static SerialNumber of(byte[] octets) {
    if (!isOfThisLayout(octets)) {
      throw new IllegalArgumentException("not a serial number of this CA");
    }
    return new SerialNumber(octets.clone());
  }

  /**
   * Reads a serial number from hexadecimal digits of either case, without separators.
   *
   * @throws IllegalArgumentException if it is not a serial number of this CA
   */
  public static SerialNumber parse(String hex) {
    if (hex.length() != 2 * OCTETS) {
      throw new IllegalArgumentException("not a serial number of this CA");
    }
    return of(HexFormat.of().parseHex(hex.toLowerCase(Locale.ROOT)));
  }

  /**
   * Reads a serial number as people and programs write it: hexadecimal digits of either case, with
   * or without leading zeros, with {@code 0x} before them or colons between the octets; or, where
   * that cannot be hexadecimal, decimal digits, as OpenSSL and Java print large numbers.
   *
   * <p>Every serial number of this CA has 38 hexadecimal digits of which the first is 0, and 44
   * decimal ones of which the first is not; so no text has two readings.
   *
   * @throws IllegalArgumentException if it is not a serial number of this CA; it says what one is
   */
  public static SerialNumber ofText(String text) {
    if (text.length() > TEXT_MAX) {
      throw notSerial(String.format(Locale.ROOT, "%d characters", text.length()));
    }
    String digits = text;
    if (digits.startsWith("0x") || digits.startsWith("0X")) {
      digits = digits.substring(2);
    }
    if (PAIRS.matcher(digits).matches()) {
      digits = digits.replace(":", "");
    }
    if (!HEXADECIMAL.matcher(digits).matches()) {
      throw notSerial("other characters");
    }
    boolean isDecimal = text.length() == DECIMAL_DIGITS && DECIMAL.matcher(text).matches();
    BigInteger number = new BigInteger(digits, isDecimal ? 10 : 16);
    byte[] octets = number.toByteArray();
    if (octets.length != OCTETS || octets[0] != LAYOUT) {
      throw notSerial(
          String.format(
              Locale.ROOT, "%s digits", isDecimal ? "decimal" : Integer.toString(digits.length())));
    }
    return new SerialNumber(octets);
  }

  private static IllegalArgumentException notSerial(String found) {
    return new IllegalArgumentException(
        "a serial number of this CA has 38 hexadecimal digits, of which the first two are 01"
            + " (colons, 0x and missing leading zeros are accepted); found "
            + found);
  }

  /** Returns a copy of the octets, most significant first. */
  public byte[] octets() {
    return octets.clone();
  }

  /** Returns the week in which the certificate expires, as its serial number says. */
  public ExpiryWeek expiryWeek() {
    return new ExpiryWeek((octets[1] & 0xFF) << 8 | (octets[2] & 0xFF));
  }

  /** Returns the 38 lower-case hexadecimal digits by which URLs and logs name the certificate. */
  public String hex() {
    return HexFormat.of().formatHex(octets);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SerialNumber that && Arrays.equals(octets, that.octets);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(octets);
  }

  @Override
  public String toString() {
    return hex();
  }
}
