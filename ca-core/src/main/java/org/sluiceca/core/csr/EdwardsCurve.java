package org.sluiceca.core.csr;

import java.math.BigInteger;
import org.sluiceca.core.x509.PublicKeyAlgorithm;

/**
 * The encodings of points of an Edwards curve (RFC 8032 5.1.3, 5.2.3): y, least significant octet
 * first, with the sign of x in the highest bit.
 *
 * <p>Judged here is what makes a key worthless: an encoding that is not the canonical one, and a
 * point whose order divides the cofactor (8 or 4), under which anybody signs with S = 0. Whether y
 * belongs to a point at all is left to the verification of the signature, which has to find x; no
 * signature verifies without it. A point that is not of small order may still have a small
 * component: RFC 8032 allows it, and it does not let an attacker forge a signature.
 */
enum EdwardsCurve {
  /** y of order 8 is (-1 ± √(1 + d))/d squared: this one and its negative. */
  ED25519(
      BigInteger.ONE.shiftLeft(255).subtract(BigInteger.valueOf(19)),
      new BigInteger("7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7", 16)),
  /** The cofactor is 4: no point is of order 8, so a y of another small order stands here. */
  ED448(
      BigInteger.ONE
          .shiftLeft(448)
          .subtract(BigInteger.ONE.shiftLeft(224))
          .subtract(BigInteger.ONE),
      BigInteger.ONE);

  private final BigInteger p;
  private final BigInteger orderEight;

  EdwardsCurve(BigInteger p, BigInteger orderEight) {
    this.p = p;
    this.orderEight = orderEight;
  }

  static EdwardsCurve of(PublicKeyAlgorithm algorithm) {
    return switch (algorithm) {
      case ED25519 -> ED25519;
      case ED448 -> ED448;
      case RSA, EC_P256, EC_P384, EC_P521 ->
          throw new IllegalArgumentException("no Edwards curve: " + algorithm);
    };
  }

  /** Returns whether the y of this encoding is below the field's prime. */
  boolean isCanonical(byte[] point) {
    return y(point).compareTo(p) < 0;
  }

  /** Returns whether the point's order divides the cofactor; {@code point} is canonical. */
  boolean isOfSmallOrder(byte[] point) {
    BigInteger y = y(point);
    BigInteger negative = p.subtract(y);
    // Of orders 4, 1 and 2: (±x, 0), (0, 1), (0, -1).
    return y.signum() == 0
        || y.equals(BigInteger.ONE)
        || negative.equals(BigInteger.ONE)
        || y.equals(orderEight)
        || negative.equals(orderEight);
  }

  private static BigInteger y(byte[] point) {
    byte[] bigEndian = new byte[point.length];
    for (int i = 0; i < point.length; i++) {
      bigEndian[i] = point[point.length - 1 - i];
    }
    bigEndian[0] &= 0x7F;
    return new BigInteger(1, bigEndian);
  }
}
