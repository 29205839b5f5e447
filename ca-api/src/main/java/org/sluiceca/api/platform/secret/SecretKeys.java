package org.sluiceca.api.platform.secret;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.sluiceca.core.x509.OctetString;

/**
 * The keys of a file that every node of a CA has: a line each, its number, a space and 32 octets in
 * base64url. The highest number encrypts, all decrypt, so a key is replaced by adding a line on all
 * nodes. Thread-safe.
 */
public final class SecretKeys {

  private static final int KEY_OCTETS = 32;
  private static final int IV_OCTETS = 12;
  private static final int TAG_BITS = 128;

  /** Numbers are one octet of what is encrypted. */
  private static final Pattern LINE = Pattern.compile("([0-9]{1,3}) ([A-Za-z0-9_-]{43})");

  private static final int NUMBER_MAX = 255;
  private static final int FILE_OCTETS_MAX = 64 * 1024;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final SortedMap<Integer, byte[]> keys;

  private SecretKeys(SortedMap<Integer, byte[]> keys) {
    this.keys = keys;
  }

  /**
   * Reads a file.
   *
   * @throws IllegalArgumentException with one line that names the file and the fault, never a key
   */
  public static SecretKeys read(Path file) {
    try {
      if (Files.size(file) > FILE_OCTETS_MAX) {
        throw new IllegalArgumentException(file + " is too long for a file of keys");
      }
      return parse(file.toString(), Files.readString(file, StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "cannot read " + file + " (" + e.getClass().getSimpleName() + ")", e);
    }
  }

  /** Returns a key that no file has: what it encrypts is lost with the process. */
  public static SecretKeys ofOneRun() {
    return parse("a key of one run", newFile());
  }

  static SecretKeys parse(String name, String text) {
    SortedMap<Integer, byte[]> keys = new TreeMap<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      Matcher key = LINE.matcher(line);
      if (!key.matches()
          || Integer.parseInt(key.group(1)) > NUMBER_MAX
          || keys.put(Integer.valueOf(key.group(1)), decode(key.group(2))) != null) {
        throw new IllegalArgumentException(
            name
                + ", line "
                + number
                + ": must be a number from 0 to 255 that is there once, a space, and 32 octets in"
                + " base64url (43 characters)");
      }
    }
    if (keys.isEmpty()) {
      throw new IllegalArgumentException(name + " has no key");
    }
    return new SecretKeys(keys);
  }

  /** Returns the content of a new file, with one key. */
  public static String newFile() {
    byte[] key = new byte[KEY_OCTETS];
    RANDOM.nextBytes(key);
    return "1 " + Base64.getUrlEncoder().withoutPadding().encodeToString(key) + "\n";
  }

  private static byte[] decode(String text) {
    return Base64.getUrlDecoder().decode(text);
  }

  /**
   * Encrypts a secret (AES-256-GCM) by the newest key.
   *
   * @param row what it belongs to: elsewhere it cannot be decrypted
   */
  public OctetString seal(String row, OctetString secret) {
    int number = keys.lastKey();
    byte[] iv = new byte[IV_OCTETS];
    RANDOM.nextBytes(iv);
    byte[] text = crypt(Cipher.ENCRYPT_MODE, number, row, iv, secret.octets());
    byte[] sealed = new byte[1 + IV_OCTETS + text.length];
    sealed[0] = (byte) number;
    System.arraycopy(iv, 0, sealed, 1, IV_OCTETS);
    System.arraycopy(text, 0, sealed, 1 + IV_OCTETS, text.length);
    return OctetString.copyOf(sealed);
  }

  /**
   * Decrypts what {@link #seal} made.
   *
   * @throws IllegalStateException if this node's file lacks the key, or it was made for another row
   */
  public OctetString open(String row, OctetString sealed) {
    byte[] octets = sealed.octets();
    if (octets.length < 1 + IV_OCTETS + TAG_BITS / Byte.SIZE) {
      throw new IllegalStateException("an encrypted secret of " + octets.length + " octets");
    }
    int number = octets[0] & 0xFF;
    byte[] iv = new byte[IV_OCTETS];
    System.arraycopy(octets, 1, iv, 0, IV_OCTETS);
    byte[] text = new byte[octets.length - 1 - IV_OCTETS];
    System.arraycopy(octets, 1 + IV_OCTETS, text, 0, text.length);
    return OctetString.copyOf(crypt(Cipher.DECRYPT_MODE, number, row, iv, text));
  }

  /**
   * Returns 32 octets that nodes with the same file share, for one purpose (HKDF-SHA256, RFC 5869).
   *
   * @param number of the key; one that the file lacks gives empty octets
   */
  public OctetString derive(int number, String purpose, byte[] salt) {
    byte[] key = keys.get(number);
    if (key == null) {
      return OctetString.copyOf(new byte[0]);
    }
    try {
      return OctetString.copyOf(
          KDF.getInstance("HKDF-SHA256")
              .deriveData(
                  HKDFParameterSpec.ofExtract()
                      .addIKM(new SecretKeySpec(key, "Generic"))
                      .addSalt(salt)
                      .thenExpand(purpose.getBytes(StandardCharsets.UTF_8), KEY_OCTETS)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK 25 has HKDF-SHA256", e);
    }
  }

  /** Returns the number of the newest key. */
  public int newest() {
    return keys.lastKey();
  }

  private byte[] crypt(int mode, int number, String row, byte[] iv, byte[] text) {
    byte[] octets = keys.get(number);
    if (octets == null) {
      throw new IllegalStateException(
          "a secret in the database is encrypted by key "
              + number
              + ", which this node's file of keys lacks: give all nodes the same file");
    }
    SecretKey key = new SecretKeySpec(octets, "AES");
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, iv));
      cipher.updateAAD(row.getBytes(StandardCharsets.UTF_8));
      return cipher.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(
          "a secret in the database was encrypted by another key " + number + ", or moved", e);
    }
  }
}
