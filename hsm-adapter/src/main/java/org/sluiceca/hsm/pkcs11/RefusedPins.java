package org.sluiceca.hsm.pkcs11;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.Pin;

/**
 * The PINs that a token has refused, as salted digests: after three to ten wrong ones a token locks
 * for good, and it counts those of the whole process. Hence static, and never forgotten.
 */
final class RefusedPins {
  private static final byte[] SALT = new byte[32];
  private static final Set<String> REFUSED = ConcurrentHashMap.newKeySet();

  static {
    new SecureRandom().nextBytes(SALT);
  }

  private RefusedPins() {}

  /** Throws if this token has refused this PIN before. */
  static void check(String module, String label, Pin pin) {
    if (REFUSED.contains(digest(module, label, pin))) {
      throw new HsmException.PinRefused(
          "token \"" + label + "\" has refused this PIN before; it is not tried again");
    }
  }

  static void remember(String module, String label, Pin pin) {
    REFUSED.add(digest(module, label, pin));
  }

  private static String digest(String module, String label, Pin pin) {
    CharBuffer characters = CharBuffer.wrap(pin.characters());
    ByteBuffer encoded = ByteBuffer.allocate(3 * characters.length());
    StandardCharsets.UTF_8.newEncoder().encode(characters, encoded, true);
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      sha256.update(SALT);
      sha256.update((module + '\0' + label + '\0').getBytes(StandardCharsets.UTF_8));
      sha256.update(encoded.flip());
      return HexFormat.of().formatHex(sha256.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    } finally {
      Arrays.fill(encoded.array(), (byte) 0);
    }
  }
}
