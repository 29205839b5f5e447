package org.sluiceca.hsm;

import java.util.Arrays;
import java.util.HexFormat;

/** The CKA_ID under which a key pair is found in its token (PKCS#11 v3.1 section 4.8). */
public final class CkaId {
  /** Far above the 20 octets of a SHA-1 key identifier, the longest in common use. */
  static final int BYTES_MAX = 64;

  private final byte[] bytes;

  private CkaId(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * An identifier of 1 to 64 bytes; the array is copied.
   *
   * @throws IllegalArgumentException when it is empty or longer
   */
  public static CkaId of(byte[] bytes) {
    if (bytes.length == 0 || bytes.length > BYTES_MAX) {
      throw new IllegalArgumentException(
          "a CKA_ID has 1 to " + BYTES_MAX + " bytes, not " + bytes.length);
    }
    return new CkaId(bytes.clone());
  }

  /**
   * An identifier from its hexadecimal form, as {@link #toString} writes it.
   *
   * @throws IllegalArgumentException when the text is not hexadecimal or the length is out of range
   */
  public static CkaId parse(String hexadecimal) {
    return of(HexFormat.of().parseHex(hexadecimal));
  }

  /** A copy of the bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CkaId that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Lower-case hexadecimal. */
  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}
