package org.sluiceca.core.csr;

import java.math.BigInteger;
import java.util.Locale;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.x509.SubjectPublicKey;

/**
 * Refuses keys that no CA should certify, whatever the profile. Each rule has its source; an
 * RSA-2048 key costs 41 µs, a P-256 key 1.4 (docs/SECURITY.md, "Weak keys").
 */
final class WeakKeys {

  /** NIST SP 800-131A rev. 2, table 2: below 2048 bits is disallowed. */
  private static final int RSA_BITS_MIN = 2048;

  /** An 8192-bit verification costs 16 times a 2048-bit one; larger keys only cost. */
  private static final int RSA_BITS_MAX = 8192;

  /** FIPS 186-5 A.1.1 (b): 2^16 < e < 2^256, odd. */
  private static final BigInteger EXPONENT_MIN = BigInteger.valueOf(65537);

  /**
   * FIPS would allow 256, which costs everybody who verifies ten times as much; the JDK takes no
   * longer ones for moduli above 3072 bits. Also keeps the private exponent far above what Wiener's
   * attack reaches (a quarter of the modulus's bits).
   */
  private static final int EXPONENT_BITS_MAX = 64;

  private WeakKeys() {}

  static void check(SubjectPublicKey key) throws RejectedException {
    switch (key) {
      case SubjectPublicKey.Rsa rsa -> checkRsa(rsa);
      case SubjectPublicKey.Ec ec -> checkEc(ec);
      case SubjectPublicKey.EdDsa edDsa -> checkEdDsa(edDsa);
    }
  }

  private static void checkRsa(SubjectPublicKey.Rsa key) throws RejectedException {
    int bits = key.modulus().bitLength();
    if (key.modulus().signum() <= 0 || bits < RSA_BITS_MIN || bits > RSA_BITS_MAX) {
      throw weak(
          String.format(
              Locale.ROOT,
              "RSA modulus of %d bits, allowed %d to %d",
              bits,
              RSA_BITS_MIN,
              RSA_BITS_MAX));
    }
    BigInteger e = key.publicExponent();
    if (e.compareTo(EXPONENT_MIN) < 0 || e.bitLength() > EXPONENT_BITS_MAX || !e.testBit(0)) {
      throw weak("RSA exponent not odd and between 65537 and 2^64");
    }
    switch (SmallPrimes.judge(key.modulus())) {
      case SMALL_FACTOR -> throw weak("RSA modulus with a small prime factor");
      case ROCA -> throw weak("RSA modulus of a vulnerable generator (ROCA, CVE-2017-15361)");
      case NONE -> {}
    }
    if (ClosePrimes.factor(key.modulus())) {
      throw weak("RSA modulus of two close primes (CVE-2022-26320)");
    }
  }

  /** NIST SP 800-56A rev. 3, 5.6.2.3.3: coordinates in range and the point on its curve. */
  private static void checkEc(SubjectPublicKey.Ec key) throws RejectedException {
    NistCurve curve = NistCurve.of(key.algorithm());
    if (!curve.contains(key.x(), key.y())) {
      throw weak("EC point not on the curve " + key.algorithm());
    }
  }

  /** RFC 8032 5.1.3 and 5.2.3: y is canonical; and the key binds its holder at all. */
  private static void checkEdDsa(SubjectPublicKey.EdDsa key) throws RejectedException {
    EdwardsCurve curve = EdwardsCurve.of(key.algorithm());
    byte[] point = key.point().octets();
    if (!curve.isCanonical(point)) {
      throw weak(key.algorithm() + " point not canonical");
    }
    if (curve.isOfSmallOrder(point)) {
      throw weak(key.algorithm() + " point of small order");
    }
  }

  private static RejectedException weak(String detail) {
    return new RejectedException(Reason.WEAK_KEY, detail);
  }
}
