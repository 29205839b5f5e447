package org.sluiceca.api.http.publish;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.sluiceca.core.x509.OctetString;

/** Entity-tags (RFC 9110 8.8.3) of octets that have no number of their own. */
public final class EntityTags {

  private static final int OCTETS = 16;

  private EntityTags() {}

  /** Returns a strong tag, with its quotes: the first half of the SHA-256 hash. */
  public static String of(OctetString octets) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(octets.octets());
      return "\"" + HexFormat.of().formatHex(hash, 0, OCTETS) + "\"";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
