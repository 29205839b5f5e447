package org.sluiceca.core.wire.jws;

import java.util.Base64;
import java.util.Optional;

/** The base64url of RFC 7515 section 2: no padding, no line breaks, and one text for each value. */
public final class Base64Url {

  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

  private Base64Url() {}

  /** Returns the octets; empty if {@code text} is not their only encoding. */
  public static Optional<byte[]> decode(String text) {
    if (text.indexOf('=') >= 0) {
      return Optional.empty();
    }
    try {
      byte[] octets = Base64.getUrlDecoder().decode(text);
      // Bits behind the last octet would give one value many texts.
      return ENCODER.encodeToString(octets).equals(text) ? Optional.of(octets) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Returns the text. */
  public static String encode(byte[] octets) {
    return ENCODER.encodeToString(octets);
  }

  static byte[] decode(String name, String text) throws JwsException {
    return decode(text)
        .orElseThrow(
            () -> JwsException.malformed(name + " must be base64url without padding (RFC 7515 2)"));
  }
}
