package org.sluiceca.core.renewal;

import java.util.Base64;
import java.util.Optional;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;

/**
 * The name of a certificate in the URL of its renewal information (RFC 9773 4.1): the keyIdentifier
 * of its AuthorityKeyIdentifier and its serial number, each in base64url without padding, with a
 * period between them. One certificate has exactly one text. Immutable and thread-safe.
 *
 * @param keyIdentifier the keyIdentifier's octets, {@value #KEY_IDENTIFIER_MIN} to {@value
 *     #KEY_IDENTIFIER_MAX}
 * @param serial the content octets of the serial number's DER encoding, 1 to {@value #SERIAL_MAX}:
 *     a positive INTEGER, with a leading zero octet only where the next octet is 80 or more
 */
public record CertificateId(OctetString keyIdentifier, OctetString serial) {

  /** The fewest octets of a key identifier. */
  public static final int KEY_IDENTIFIER_MIN = 1;

  /** The most octets of a key identifier: one SHA-512 hash; RFC 7093 and RFC 5280 have 20 to 64. */
  public static final int KEY_IDENTIFIER_MAX = 64;

  /** The most octets of a serial number: 20 (RFC 5280 4.1.2.2) and the zero before them. */
  public static final int SERIAL_MAX = 21;

  /** The most characters of a text: 86 and 28 of base64url, and the period. */
  public static final int TEXT_MAX = 115;

  private static final char PERIOD = '.';

  public CertificateId {
    if (keyIdentifier.length() < KEY_IDENTIFIER_MIN
        || keyIdentifier.length() > KEY_IDENTIFIER_MAX) {
      throw new IllegalArgumentException(
          "a key identifier of " + keyIdentifier.length() + " octets");
    }
    if (!isPositiveInteger(serial.octets())) {
      throw new IllegalArgumentException("the serial number is not a positive INTEGER in DER");
    }
  }

  /** Returns the identifier of a certificate of this CA. */
  public static CertificateId of(OctetString keyIdentifier, SerialNumber serial) {
    return new CertificateId(keyIdentifier, OctetString.copyOf(serial.octets()));
  }

  /**
   * Reads an identifier. Everything that {@link #text} would not write is refused: padding,
   * characters outside the alphabet, bits that no octet uses, a serial number that is not DER.
   *
   * @throws IllegalArgumentException if it is not one; the message does not repeat the text
   */
  public static CertificateId parse(String text) {
    if (text.length() > TEXT_MAX) {
      throw new IllegalArgumentException(
          "a certificate identifier of " + text.length() + " characters");
    }
    int period = text.indexOf(PERIOD);
    if (period < 0) {
      throw new IllegalArgumentException("a certificate identifier without a period");
    }
    return new CertificateId(decode(text.substring(0, period)), decode(text.substring(period + 1)));
  }

  /** Returns the text that stands in a URL, {@value #TEXT_MAX} characters at most. */
  public String text() {
    return encode(keyIdentifier) + PERIOD + encode(serial);
  }

  /** Returns the serial number, or empty if it is not of this CA's layout. */
  public Optional<SerialNumber> serialNumber() {
    byte[] octets = serial.octets();
    return SerialNumber.isOfThisLayout(octets)
        ? Optional.of(SerialNumber.of(octets))
        : Optional.empty();
  }

  private static boolean isPositiveInteger(byte[] octets) {
    if (octets.length < 1 || octets.length > SERIAL_MAX || octets[0] < 0) {
      return false;
    }
    // DER (X.690 8.3.2): a zero octet comes first only where the number would be negative
    // otherwise.
    return octets[0] > 0 || (octets.length > 1 && octets[1] < 0);
  }

  private static OctetString decode(String part) {
    OctetString octets;
    try {
      octets = OctetString.copyOf(Base64.getUrlDecoder().decode(part));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("a part of the identifier is not base64url", e);
    }
    // The JDK's decoder accepts padding and unused bits that are not zero.
    if (!encode(octets).equals(part)) {
      throw new IllegalArgumentException("a part of the identifier is not canonical base64url");
    }
    return octets;
  }

  private static String encode(OctetString octets) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(octets.octets());
  }
}
