package org.sluiceca.core.csr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.math.BigInteger;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.testkit.RawDer;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.PublicKeyAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKey;

class WeakKeysTest {

  private static final BigInteger F4 = BigInteger.valueOf(65_537);

  private static final String P256_PRIME =
      "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff";
  private static final String P256_B =
      "5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b";

  @Test
  void check_rsaBits_bothSidesOfEachBound() {
    assertWeak(rsa(2047, F4));
    assertStrong(rsa(2048, F4));
    assertStrong(rsa(8192, F4));
    assertWeak(rsa(8193, F4));
  }

  @Test
  void check_rsaExponent_bothSidesOfEachBound() {
    for (long e : new long[] {-65_537, 0, 1, 3, 17, 65_535, 65_536, 65_538}) {
      assertWeak(rsa(2048, BigInteger.valueOf(e)));
    }
    assertStrong(rsa(2048, F4));
    assertStrong(rsa(2048, BigInteger.valueOf(65_539)));
    assertStrong(rsa(2048, BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE)));
    assertWeak(rsa(2048, BigInteger.ONE.shiftLeft(64).add(BigInteger.ONE)));
  }

  @Test
  void check_rsaModulusNegativeOrZero_weak() {
    assertWeak(new SubjectPublicKey.Rsa(modulus(2048).negate(), F4));
    assertWeak(new SubjectPublicKey.Rsa(BigInteger.ZERO, F4));
  }

  @Test
  void check_rsaModulusWithSmallFactor_weakUpToTheLastPrimeTried() {
    for (int factor : new int[] {2, 3, 5, 743, 751}) {
      BigInteger f = BigInteger.valueOf(factor);
      BigInteger modulus = modulus(2048);
      assertWeak(new SubjectPublicKey.Rsa(modulus.subtract(modulus.mod(f)), F4));
    }
    BigInteger beyond = BigInteger.valueOf(757);
    BigInteger modulus = beyond.multiply(BigInteger.TWO.pow(2040).nextProbablePrime());
    assertStrong(new SubjectPublicKey.Rsa(modulus, F4));
  }

  /** x = 0 has a point; x = p is the same number in more than its field (SP 800-56A 5.6.2.3.3). */
  @Test
  void contains_coordinateOfTheFieldsPrime_isNone() {
    BigInteger p = new BigInteger(P256_PRIME, 16);
    BigInteger b = new BigInteger(P256_B, 16);
    BigInteger y = b.modPow(p.add(BigInteger.ONE).shiftRight(2), p);

    assertThat(NistCurve.P256.contains(BigInteger.ZERO, y)).isTrue();
    assertThat(NistCurve.P256.contains(p, y)).isFalse();
    assertThat(NistCurve.P256.contains(BigInteger.ZERO, y.add(p))).isFalse();
  }

  @Test
  void check_ecPoint_onAndOffItsCurve() {
    for (String name : new String[] {"ec-p256", "ec-p384", "ec-p521"}) {
      SubjectPublicKey.Ec key = ec(name);

      assertStrong(key);
      assertStrong(new SubjectPublicKey.Ec(key.algorithm(), key.x(), prime(key).subtract(key.y())));
      assertWeak(new SubjectPublicKey.Ec(key.algorithm(), key.x(), key.y().add(BigInteger.ONE)));
      assertWeak(new SubjectPublicKey.Ec(key.algorithm(), key.y(), key.x()));
      assertWeak(new SubjectPublicKey.Ec(key.algorithm(), BigInteger.ZERO, BigInteger.ZERO));
    }
  }

  @Test
  void check_ecCoordinateNotReduced_weak() {
    SubjectPublicKey.Ec key = ec("ec-p521");

    assertWeak(new SubjectPublicKey.Ec(key.algorithm(), key.x().add(prime(key)), key.y()));
    assertWeak(new SubjectPublicKey.Ec(key.algorithm(), key.x(), key.y().add(prime(key))));
  }

  @Test
  void check_edDsaPointOfSmallOrder_weakItsNeighboursNot() {
    BigInteger p25519 = BigInteger.ONE.shiftLeft(255).subtract(BigInteger.valueOf(19));
    BigInteger p448 =
        BigInteger.ONE
            .shiftLeft(448)
            .subtract(BigInteger.ONE.shiftLeft(224))
            .subtract(BigInteger.ONE);
    for (SubjectPublicKey.EdDsa key : List.of(edDsa("ed25519"), edDsa("ed448"))) {
      BigInteger p = key.algorithm() == PublicKeyAlgorithm.ED448 ? p448 : p25519;
      assertStrong(key);
      for (int sign : new int[] {0, 0x80}) {
        for (int y : new int[] {0, 1}) {
          assertWeak(point(key, BigInteger.valueOf(y), sign), "small order");
        }
        assertStrong(point(key, BigInteger.TWO, sign));
        assertStrong(point(key, p.subtract(BigInteger.TWO), sign));
        assertWeak(point(key, p.subtract(BigInteger.ONE), sign), "small order");
        assertWeak(point(key, p, sign), "not canonical");
        assertWeak(point(key, p.add(BigInteger.ONE), sign), "not canonical");
        assertWeak(point(key, p.add(BigInteger.TWO), sign), "not canonical");
      }
    }
  }

  /** The double of such a point is (±x, 0), so y² = -x², and with the curve d·y⁴ + 2y² = 1. */
  @Test
  void check_ed25519PointOfOrderEight_weak() {
    SubjectPublicKey.EdDsa key = edDsa("ed25519");
    for (String point :
        List.of(
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa")) {
      byte[] octets = RawDer.hex(point);
      BigInteger y = BigInteger.ZERO;
      for (int i = 31; i >= 0; i--) {
        y = y.shiftLeft(8).or(BigInteger.valueOf(octets[i] & (i == 31 ? 0x7F : 0xFF)));
      }
      BigInteger p = BigInteger.ONE.shiftLeft(255).subtract(BigInteger.valueOf(19));
      BigInteger d =
          BigInteger.valueOf(-121_665).multiply(BigInteger.valueOf(121_666).modInverse(p));
      Assertions.assertThat(
              d.multiply(y.pow(4)).add(y.pow(2).shiftLeft(1)).subtract(BigInteger.ONE).mod(p))
          .isEqualTo(BigInteger.ZERO);

      assertWeak(
          new SubjectPublicKey.EdDsa(key.algorithm(), OctetString.copyOf(octets)), "small order");
    }
  }

  @Test
  void check_ed448Octet57NotZero_weak() {
    SubjectPublicKey.EdDsa key = edDsa("ed448");
    for (int bit = 0; bit < 8; bit++) {
      byte[] octets = key.point().octets();
      octets[56] = (byte) ((octets[56] & 0x80) ^ (1 << bit));
      SubjectPublicKey changed =
          new SubjectPublicKey.EdDsa(key.algorithm(), OctetString.copyOf(octets));

      if (bit == 7) {
        assertStrong(changed);
      } else {
        assertWeak(changed, "not canonical");
      }
    }
  }

  @Test
  void check_pointOfAnotherCurve_weak() {
    SubjectPublicKey.Ec key = ec("ec-p256");

    assertWeak(new SubjectPublicKey.Ec(PublicKeyAlgorithm.EC_P384, key.x(), key.y()));
  }

  private static SubjectPublicKey.EdDsa edDsa(String name) {
    return (SubjectPublicKey.EdDsa) SoftwareKey.named(name).publicKey().key();
  }

  /** The encoding of y, as long as that of {@code key}, with the sign bit of x. */
  private static SubjectPublicKey point(SubjectPublicKey.EdDsa key, BigInteger y, int sign) {
    byte[] octets = new byte[key.point().length()];
    byte[] bigEndian = y.toByteArray();
    for (int i = 0; i < Math.min(octets.length, bigEndian.length); i++) {
      octets[i] = bigEndian[bigEndian.length - 1 - i];
    }
    octets[octets.length - 1] |= (byte) sign;
    return new SubjectPublicKey.EdDsa(key.algorithm(), OctetString.copyOf(octets));
  }

  private static SubjectPublicKey.Ec ec(String name) {
    return (SubjectPublicKey.Ec) SoftwareKey.named(name).publicKey().key();
  }

  private static BigInteger prime(SubjectPublicKey.Ec key) {
    BigInteger one = BigInteger.ONE;
    return switch (key.algorithm()) {
      case EC_P256 ->
          one.shiftLeft(256)
              .subtract(one.shiftLeft(224))
              .add(one.shiftLeft(192))
              .add(one.shiftLeft(96))
              .subtract(one);
      case EC_P384 ->
          one.shiftLeft(384)
              .subtract(one.shiftLeft(128))
              .subtract(one.shiftLeft(96))
              .add(one.shiftLeft(32))
              .subtract(one);
      case EC_P521 -> one.shiftLeft(521).subtract(one);
      case RSA, ED25519, ED448 -> throw new IllegalArgumentException("no curve");
    };
  }

  private static SubjectPublicKey.Rsa rsa(int bits, BigInteger exponent) {
    return new SubjectPublicKey.Rsa(modulus(bits), exponent);
  }

  /** A number of exactly {@code bits} bits without a small factor; its factors are unknown. */
  private static BigInteger modulus(int bits) {
    BigInteger candidate = BigInteger.ONE.shiftLeft(bits - 1).add(BigInteger.ONE);
    BigInteger small = BigInteger.ONE;
    for (int prime = 3; prime < 752; prime += 2) {
      small = small.multiply(BigInteger.valueOf(prime));
    }
    while (!candidate.gcd(small).equals(BigInteger.ONE)) {
      candidate = candidate.add(BigInteger.TWO);
    }
    Assertions.assertThat(candidate.bitLength()).isEqualTo(bits);
    return candidate;
  }

  private static void assertStrong(SubjectPublicKey key) {
    assertThatCode(() -> WeakKeys.check(key)).doesNotThrowAnyException();
  }

  private static void assertWeak(SubjectPublicKey key, String detail) {
    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(() -> WeakKeys.check(key))
        .withMessageContaining(detail)
        .satisfies(e -> Assertions.assertThat(e.rejection().reason()).isEqualTo(Reason.WEAK_KEY));
  }

  private static void assertWeak(SubjectPublicKey key) {
    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(() -> WeakKeys.check(key))
        .satisfies(e -> Assertions.assertThat(e.rejection().reason()).isEqualTo(Reason.WEAK_KEY));
  }
}
