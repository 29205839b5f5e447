package org.sluiceca.hsm;

import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.NamedParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.List;

/** A public key as the DER of its SubjectPublicKeyInfo (RFC 5280 4.1.2.7), equal by content. */
public final class SubjectPublicKeyInfo {
  /** An RSA-16384 key takes 2.1 KB; nothing that this module signs with comes near. */
  static final int BYTES_MAX = 8192;

  private static final List<String> ALGORITHMS = List.of("EC", "RSA", "EdDSA");
  private static final int ED25519_BITS = 255;
  private static final int ED448_BITS = 448;
  private static final int UNKNOWN = -1;

  private final byte[] der;

  /** Found on first use by the first thread that needs it; every other would find the same. */
  private volatile int bits = UNKNOWN;

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

  /**
   * The size of the modulus (RSA) or of the curve's field; 0 for bytes that are no key of a kind
   * that this module signs with: the token will say so.
   */
  public int bits() {
    if (bits == UNKNOWN) {
      bits = bitsOf(der);
    }
    return bits;
  }

  private static int bitsOf(byte[] der) {
    for (String algorithm : ALGORITHMS) {
      try {
        return bitsOf(
            KeyFactory.getInstance(algorithm).generatePublic(new X509EncodedKeySpec(der)));
      } catch (InvalidKeySpecException e) {
        // A key of another kind: the next may read it.
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every JDK has " + algorithm, e);
      }
    }
    return 0;
  }

  private static int bitsOf(PublicKey key) {
    return switch (key) {
      case ECPublicKey ec -> ec.getParams().getCurve().getField().getFieldSize();
      case RSAPublicKey rsa -> rsa.getModulus().bitLength();
      case EdECPublicKey ed ->
          ed.getParams().getName().equals(NamedParameterSpec.ED25519.getName())
              ? ED25519_BITS
              : ED448_BITS;
      default -> 0;
    };
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
