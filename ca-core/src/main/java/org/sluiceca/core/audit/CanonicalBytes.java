package org.sluiceca.core.audit;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import org.sluiceca.core.x509.OctetString;

/**
 * The one encoding of a list of fields that are hashed or signed: every text and octet string has
 * its length before it and every number a fixed width, so no two lists have the same bytes. The
 * first field is the domain, so bytes of one kind are never those of another.
 */
final class CanonicalBytes {

  /** SHA-256. */
  static final int HASH_OCTETS = 32;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** Begins with the name and version of what is encoded. */
  CanonicalBytes(String domain) {
    text(domain);
  }

  CanonicalBytes text(String value) {
    return octets(value.getBytes(StandardCharsets.UTF_8));
  }

  CanonicalBytes octets(byte[] value) {
    bytes.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(value.length).array());
    bytes.writeBytes(value);
    return this;
  }

  CanonicalBytes number(long value) {
    bytes.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
    return this;
  }

  /** Seconds and nanoseconds apart: whatever a database holds has an encoding. */
  CanonicalBytes instant(Instant value) {
    return number(value.getEpochSecond()).number(value.getNano());
  }

  byte[] bytes() {
    return bytes.toByteArray();
  }

  OctetString hash() {
    return sha256(bytes.toByteArray());
  }

  static OctetString sha256(byte[] octets) {
    try {
      return OctetString.copyOf(MessageDigest.getInstance("SHA-256").digest(octets));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
