package org.sluiceca.core.csr;

import java.math.BigInteger;
import org.sluiceca.core.x509.PublicKeyAlgorithm;

/**
 * The equation of a curve, y² = x³ - 3x + b mod p (NIST SP 800-186 3.2.1); the point at infinity
 * has no coordinates and never reaches this.
 */
enum NistCurve {
  P256(
      "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff",
      "5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b"),
  P384(
      "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe"
          + "ffffffff0000000000000000ffffffff",
      "b3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875a"
          + "c656398d8a2ed19d2a85c8edd3ec2aef"),
  P521(
      "01ff" + "ff".repeat(64),
      "0051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0"
          + "bd3bb1bf073573df883d2c34f1ef451fd46b503f00");

  private static final BigInteger THREE = BigInteger.valueOf(3);

  private final BigInteger p;
  private final BigInteger b;

  NistCurve(String p, String b) {
    this.p = new BigInteger(p, 16);
    this.b = new BigInteger(b, 16);
  }

  static NistCurve of(PublicKeyAlgorithm algorithm) {
    return switch (algorithm) {
      case EC_P256 -> P256;
      case EC_P384 -> P384;
      case EC_P521 -> P521;
      case RSA, ED25519, ED448 -> throw new IllegalArgumentException("no NIST curve: " + algorithm);
    };
  }

  boolean contains(BigInteger x, BigInteger y) {
    if (x.compareTo(p) >= 0 || y.compareTo(p) >= 0) {
      return false;
    }
    BigInteger right = x.multiply(x).subtract(THREE).multiply(x).add(b).mod(p);
    return y.multiply(y).mod(p).equals(right);
  }
}
