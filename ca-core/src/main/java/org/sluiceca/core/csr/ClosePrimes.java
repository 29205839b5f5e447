package org.sluiceca.core.csr;

import java.math.BigInteger;

/**
 * Finds moduli whose two primes are so close that Fermat's method factors them at once (Böck,
 * Fermat Factorization in the Wild, IACR ePrint 2023/026; CVE-2022-26320).
 *
 * <p>If p and q are near each other then n = a² - b² for an a little above √n. Whether a² - n is a
 * square is almost always answered by its remainders, which are carried from step to step in plain
 * ints; so root and hundred steps cost 23 µs for 2048 bits.
 */
final class ClosePrimes {

  /** Böck, section 4: every key found in the wild fell at the first step; 100 are ample. */
  static final int STEPS_MAX = 100;

  /** Few squares in each, and they share no factor; the product of each two fits a long. */
  private static final int[] MODULI = {64, 63, 65, 11, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};

  private static final boolean[][] SQUARES = squares();

  /** Below this a double holds the root exactly enough, and the library's own method is quick. */
  private static final int BITS_SMALL = 64;

  private ClosePrimes() {}

  /** Returns whether {@code n} falls to {@link #STEPS_MAX} steps of Fermat's method. */
  static boolean factor(BigInteger n) {
    BigInteger floor = sqrt(n);
    BigInteger first = floor.multiply(floor).equals(n) ? floor : floor.add(BigInteger.ONE);
    BigInteger difference = first.multiply(first).subtract(n);
    int[] a = remainders(first);
    int[] square = remainders(difference);
    for (int step = 0; step < STEPS_MAX; step++) {
      if (maybeSquare(square) && isSquare(first.add(BigInteger.valueOf(step)), n)) {
        return true;
      }
      // (a + 1)² - n = a² - n + 2a + 1
      for (int i = 0; i < MODULI.length; i++) {
        square[i] = (square[i] + 2 * a[i] + 1) % MODULI[i];
        a[i] = (a[i] + 1) % MODULI[i];
      }
    }
    return false;
  }

  /**
   * The root, rounded down. Newton's method from the root of the upper half, which has half the
   * digits right already: BigInteger.sqrt starts from 53 bits and takes 136 µs for 2048.
   */
  static BigInteger sqrt(BigInteger n) {
    if (n.bitLength() <= BITS_SMALL) {
      return n.sqrt();
    }
    int quarter = n.bitLength() / 4;
    // From above: from there Newton's steps come down and stop at the root.
    BigInteger root = sqrt(n.shiftRight(2 * quarter)).add(BigInteger.ONE).shiftLeft(quarter);
    while (true) {
      BigInteger next = root.add(n.divide(root)).shiftRight(1);
      if (next.compareTo(root) >= 0) {
        return root;
      }
      root = next;
    }
  }

  private static boolean isSquare(BigInteger a, BigInteger n) {
    BigInteger difference = a.multiply(a).subtract(n);
    BigInteger root = sqrt(difference);
    return root.multiply(root).equals(difference);
  }

  private static boolean maybeSquare(int[] remainders) {
    for (int i = 0; i < MODULI.length; i++) {
      if (!SQUARES[i][remainders[i]]) {
        return false;
      }
    }
    return true;
  }

  private static int[] remainders(BigInteger value) {
    int[] remainders = new int[MODULI.length];
    for (int i = 0; i < MODULI.length; i++) {
      remainders[i] = value.mod(BigInteger.valueOf(MODULI[i])).intValueExact();
    }
    return remainders;
  }

  private static boolean[][] squares() {
    boolean[][] squares = new boolean[MODULI.length][];
    for (int i = 0; i < MODULI.length; i++) {
      squares[i] = new boolean[MODULI[i]];
      for (int root = 0; root < MODULI[i]; root++) {
        squares[i][root * root % MODULI[i]] = true;
      }
    }
    return squares;
  }
}
