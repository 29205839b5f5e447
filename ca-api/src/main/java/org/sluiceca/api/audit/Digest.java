package org.sluiceca.api.audit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.sluiceca.core.x509.OctetString;

/** SHA-256, as rows name keys, certificates and configurations. */
public final class Digest {

  private Digest() {}

  /** Returns the digest of octets. */
  public static OctetString sha256(byte[] octets) {
    try {
      return OctetString.copyOf(MessageDigest.getInstance("SHA-256").digest(octets));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Returns the digest of a text in lower-case hexadecimal. */
  public static String ofText(String text) {
    return sha256(text.getBytes(StandardCharsets.UTF_8)).toString();
  }

  /**
   * Reads what the digest's text is.
   *
   * @throws IllegalArgumentException if it is none
   */
  static OctetString parse(String hex) {
    return OctetString.copyOf(HexFormat.of().parseHex(hex));
  }
}
