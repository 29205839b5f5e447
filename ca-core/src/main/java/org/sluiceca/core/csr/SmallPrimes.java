package org.sluiceca.core.csr;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * What an RSA modulus is modulo each odd prime below 752, and what that gives away: a small factor,
 * or the structure of a ROCA key.
 *
 * <p>The modulus is reduced once by the product of all these primes and then by products that fit a
 * long, so that 132 remainders cost two dozen short divisions: 15 µs for 2048 bits, where a gcd
 * with the product takes 47 and knows nothing of ROCA.
 */
final class SmallPrimes {

  /** NIST SP 800-89 5.3.3: no prime factor smaller than 752. */
  private static final int BELOW = 752;

  /**
   * Nemec et al., The Return of Coppersmith's Attack (ACM CCS 2017; CVE-2017-15361), 3.1: the
   * primes of an affected library are k·M + (65537^a mod M), where M is the product of the first
   * primes. So the modulus is a power of 65537 modulo each of them.
   */
  private static final long ROCA_GENERATOR = 65537;

  /**
   * The last prime of the smallest M in use, for keys of 512 bits; a larger M contains it. An
   * innocent modulus passes for a power modulo all 38 odd primes once in 2^27.8 keys, and its owner
   * makes another.
   */
  private static final int ROCA_PRIME_MAX = 167;

  /** Primes whose product fits a positive long, each with the powers of 65537 modulo it. */
  private record Group(BigInteger product, List<Prime> primes) {}

  private record Prime(int value, BitSet rocaRemainders) {}

  private static final List<Group> GROUPS = groups();

  private static final BigInteger PRODUCT =
      GROUPS.stream().map(Group::product).reduce(BigInteger.ONE, BigInteger::multiply);

  private SmallPrimes() {}

  /** What the remainders of a modulus say about it. */
  enum Finding {
    NONE,
    SMALL_FACTOR,
    ROCA
  }

  static Finding judge(BigInteger modulus) {
    if (!modulus.testBit(0)) {
      return Finding.SMALL_FACTOR;
    }
    BigInteger reduced = modulus.mod(PRODUCT);
    boolean isPowerModuloAll = true;
    for (Group group : GROUPS) {
      long remainder = reduced.mod(group.product()).longValueExact();
      for (Prime prime : group.primes()) {
        int r = (int) (remainder % prime.value());
        if (r == 0) {
          return Finding.SMALL_FACTOR;
        }
        isPowerModuloAll &= prime.value() > ROCA_PRIME_MAX || prime.rocaRemainders().get(r);
      }
    }
    return isPowerModuloAll ? Finding.ROCA : Finding.NONE;
  }

  private static List<Group> groups() {
    List<Group> groups = new ArrayList<>();
    List<Prime> primes = new ArrayList<>();
    long product = 1;
    for (int candidate = 3; candidate < BELOW; candidate += 2) {
      if (!BigInteger.valueOf(candidate).isProbablePrime(100)) {
        continue;
      }
      if (Math.multiplyHigh(product, candidate) != 0 || product * candidate < 0) {
        groups.add(new Group(BigInteger.valueOf(product), List.copyOf(primes)));
        primes.clear();
        product = 1;
      }
      primes.add(new Prime(candidate, powers(candidate)));
      product *= candidate;
    }
    groups.add(new Group(BigInteger.valueOf(product), List.copyOf(primes)));
    return List.copyOf(groups);
  }

  private static BitSet powers(int prime) {
    BitSet powers = new BitSet(prime);
    for (long power = 1; !powers.get((int) power); power = power * ROCA_GENERATOR % prime) {
      powers.set((int) power);
    }
    return powers;
  }
}
