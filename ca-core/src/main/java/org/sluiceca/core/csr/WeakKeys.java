package org.sluiceca.core.csr;

import java.math.BigInteger;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.x509.SubjectPublicKey;

/** Refuses keys that nobody should certify, whatever the profile. Each rule has its source. */
final class WeakKeys {

  /** NIST SP 800-131A rev. 2, table 2: below 2048 bits is disallowed. */
  private static final int RSA_BITS_MIN = 2048;

  /** An 8192-bit verification costs 16 times a 2048-bit one; larger keys only cost. */
  private static final int RSA_BITS_MAX = 8192;

  /** FIPS 186-5 A.1.1 (b): 2^16 < e < 2^256, odd. */
  private static final BigInteger EXPONENT_MIN = BigInteger.valueOf(65537);

  private static final int EXPONENT_BITS_MAX = 256;

  /** The primes below 752, as NIST SP 800-89 5.3.3 checks them. */
  private static final BigInteger SMALL_PRIMES = smallPrimes(752);

  private WeakKeys() {}

  static void check(SubjectPublicKey key) throws RejectedException {
    switch (key) {
      case SubjectPublicKey.Rsa rsa -> checkRsa(rsa);
      case SubjectPublicKey.Ec ec -> checkEc(ec);
      case SubjectPublicKey.EdDsa edDsa -> {}
    }
  }

  private static void checkRsa(SubjectPublicKey.Rsa key) throws RejectedException {
    int bits = key.modulus().bitLength();
    if (key.modulus().signum() <= 0 || bits < RSA_BITS_MIN || bits > RSA_BITS_MAX) {
      throw weak(
          "RSA modulus of %d bits, allowed %d to %d".formatted(bits, RSA_BITS_MIN, RSA_BITS_MAX));
    }
    BigInteger e = key.publicExponent();
    if (e.compareTo(EXPONENT_MIN) < 0 || e.bitLength() > EXPONENT_BITS_MAX || !e.testBit(0)) {
      throw weak("RSA exponent not odd and between 65537 and 2^256");
    }
    if (!key.modulus().gcd(SMALL_PRIMES).equals(BigInteger.ONE)) {
      throw weak("RSA modulus with a small prime factor");
    }
  }

  /** NIST SP 800-56A rev. 3, 5.6.2.3.3: coordinates in range and the point on its curve. */
  private static void checkEc(SubjectPublicKey.Ec key) throws RejectedException {
    NistCurve curve = NistCurve.of(key.algorithm());
    if (!curve.contains(key.x(), key.y())) {
      throw weak("EC point not on the curve " + key.algorithm());
    }
  }

  private static BigInteger smallPrimes(int below) {
    BigInteger product = BigInteger.ONE;
    for (int i = 2; i < below; i++) {
      BigInteger candidate = BigInteger.valueOf(i);
      if (candidate.gcd(product).equals(BigInteger.ONE)) {
        product = product.multiply(candidate);
      }
    }
    return product;
  }

  private static RejectedException weak(String detail) {
    return new RejectedException(Reason.WEAK_KEY, detail);
  }
}
