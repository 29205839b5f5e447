package org.sluiceca.core.testkit;

import java.math.BigInteger;
import java.util.Random;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.PublicKeyReader;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/** RSA primes and moduli as broken generators make them. Seeded: the same in each run. */
public final class WeakRsa {

  public static final BigInteger F4 = BigInteger.valueOf(65_537);

  /** Half of the smallest modulus that is not refused for its size. */
  private static final int PRIME_BITS = 1024;

  private static final int CERTAINTY = 20;

  private WeakRsa() {}

  /** A prime with its two highest bits set, so that two of them make 2048 bits. */
  public static BigInteger prime(long seed) {
    BigInteger high = BigInteger.valueOf(3).shiftLeft(PRIME_BITS - 2);
    return new BigInteger(PRIME_BITS - 2, new Random(seed)).or(high).nextProbablePrime();
  }

  /** Two primes of which the second is the first one after the other. */
  public static BigInteger ofClosePrimes(long seed) {
    BigInteger prime = prime(seed);
    return prime.multiply(prime.nextProbablePrime());
  }

  /** Two primes of the form k·M + (65537^a mod M), M the product of the first 126 primes. */
  public static BigInteger ofRoca(long seed) {
    Random random = new Random(seed);
    return rocaPrime(random).multiply(rocaPrime(random));
  }

  private static BigInteger rocaPrime(Random random) {
    BigInteger m = BigInteger.ONE;
    BigInteger prime = BigInteger.ONE;
    for (int i = 0; i < 126; i++) {
      prime = prime.nextProbablePrime();
      m = m.multiply(prime);
    }
    BigInteger high = BigInteger.valueOf(3).shiftLeft(PRIME_BITS - 2);
    while (true) {
      BigInteger power = F4.modPow(new BigInteger(64, random), m);
      BigInteger k = new BigInteger(PRIME_BITS - 2, random).or(high).divide(m);
      BigInteger candidate = k.multiply(m).add(power);
      if (candidate.bitLength() == PRIME_BITS && candidate.isProbablePrime(CERTAINTY)) {
        return candidate;
      }
    }
  }

  /** The public key of this modulus and exponent. */
  public static SubjectPublicKeyInfo key(BigInteger modulus, BigInteger exponent) {
    byte[] encoded =
        RawDer.sequence(
            RawDer.sequence(RawDer.hex("06092a864886f70d010101"), RawDer.hex("0500")),
            RawDer.bitString(RawDer.sequence(RawDer.integer(modulus), RawDer.integer(exponent))));
    try {
      return PublicKeyReader.read(encoded);
    } catch (DerException e) {
      throw new IllegalStateException("RSA key of the tests", e);
    }
  }
}
