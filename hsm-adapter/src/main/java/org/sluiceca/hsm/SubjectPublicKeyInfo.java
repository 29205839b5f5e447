package org.sluiceca.hsm;

import java.util.Arrays;

/** A public key as the DER of its SubjectPublicKeyInfo (RFC 5280 4.1.2.7), equal by content. */
public final class SubjectPublicKeyInfo {
  /** An RSA-16384 key takes 2.1 KB; nothing that this module signs with comes near. */
  static final int BYTES_MAX = 8192;

  private final byte[] der;

  private SubjectPublicKeyInfo(byte[] der) {
    this.der = der;
  }

  /**
   * The key in these bytes, which are copied and not parsed.
   *
   * @throws IllegalArgumentException when there are none or more than 8,192
   */
  public static SubjectPublicKeyInfo of(byte[] der) {
    if (der.length == 0 || der.length > BYTES_MAX) {
      throw new IllegalArgumentException(
          "a SubjectPublicKeyInfo has 1 to " + BYTES_MAX + " bytes, not " + der.length);
    }
    return new SubjectPublicKeyInfo(der.clone());
  }

  /** A copy of the DER. */
  public byte[] der() {
    return der.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SubjectPublicKeyInfo that && Arrays.equals(der, that.der);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(der);
  }

  @Override
  public String toString() {
    return "SubjectPublicKeyInfo[" + der.length + " bytes]";
  }
}
