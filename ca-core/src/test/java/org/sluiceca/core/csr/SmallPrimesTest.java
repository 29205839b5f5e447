package org.sluiceca.core.csr;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.csr.SmallPrimes.Finding;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.testkit.WeakRsa;
import org.sluiceca.core.x509.SubjectPublicKey;

class SmallPrimesTest {

  private static final BigInteger BIG = BigInteger.TWO.pow(2_040).nextProbablePrime();

  @Test
  void judge_eachPrimeBelow752_smallFactorTheNextNot() {
    BigInteger prime = BigInteger.TWO;
    int count = 0;
    for (; prime.intValueExact() < 752; prime = prime.nextProbablePrime()) {
      assertThat(SmallPrimes.judge(BIG.multiply(prime)))
          .as(prime.toString())
          .isEqualTo(Finding.SMALL_FACTOR);
      count++;
    }
    assertThat(count).isEqualTo(133);
    assertThat(prime).isEqualTo(757);
    assertThat(SmallPrimes.judge(BIG.multiply(prime))).isEqualTo(Finding.NONE);
  }

  @Test
  void judge_rocaKeys_found() {
    for (long seed = 1; seed <= 5; seed++) {
      assertThat(SmallPrimes.judge(WeakRsa.ofRoca(seed))).isEqualTo(Finding.ROCA);
    }
  }

  @Test
  void judge_keysOfOtherGenerators_none() {
    for (String name : List.of("rsa-2048", "rsa-3072", "rsa-4096", "issuer-rsa-2048")) {
      SubjectPublicKey.Rsa key = (SubjectPublicKey.Rsa) SoftwareKey.named(name).publicKey().key();
      assertThat(SmallPrimes.judge(key.modulus())).as(name).isEqualTo(Finding.NONE);
    }
  }

  /**
   * A remainder outside the powers at a single prime is no ROCA key; primes beyond 167 are not
   * looked at.
   */
  @Test
  void judge_powerModuloAllPrimesButOne_rocaOnlyIfThatOneIsBeyond167() {
    List<Integer> primes = new ArrayList<>();
    for (int p = 3; p < 200; p += 2) {
      if (BigInteger.valueOf(p).isProbablePrime(50)) {
        primes.add(p);
      }
    }
    int proper = 0;
    for (int other : primes) {
      int outside = remainderOutside(other);
      if (outside == 0) {
        continue; // 65537 generates every remainder.
      }
      proper++;
      BigInteger modulus = BigInteger.ZERO;
      BigInteger product = BigInteger.ONE;
      for (int p : primes) {
        int wanted = p == other ? outside : 65_537 * (p - 1) % p == 0 ? 1 : 65_537 % p;
        // Chinese remainders: add multiples of what is settled until the new one fits.
        while (modulus.mod(BigInteger.valueOf(p)).intValueExact() != wanted) {
          modulus = modulus.add(product);
        }
        product = product.multiply(BigInteger.valueOf(p));
      }
      modulus = withoutSmallFactor(modulus, product);

      assertThat(SmallPrimes.judge(modulus))
          .as("prime %d", other)
          .isEqualTo(other > 167 ? Finding.ROCA : Finding.NONE);
    }
    assertThat(proper).isGreaterThan(20);
  }

  private static BigInteger withoutSmallFactor(BigInteger remainder, BigInteger product) {
    BigInteger modulus = remainder.add(product.multiply(BigInteger.TWO.pow(1_800)));
    while (!modulus.testBit(0) || hasFactorFrom200(modulus)) {
      modulus = modulus.add(product);
    }
    return modulus;
  }

  private static boolean hasFactorFrom200(BigInteger modulus) {
    for (int p = 201; p < 760; p += 2) {
      if (modulus.mod(BigInteger.valueOf(p)).signum() == 0) {
        return true;
      }
    }
    return false;
  }

  private static int remainderOutside(int prime) {
    List<Integer> powers = new ArrayList<>();
    for (long x = 1; !powers.contains((int) x); x = x * 65_537 % prime) {
      powers.add((int) x);
    }
    for (int r = 1; r < prime; r++) {
      if (!powers.contains(r)) {
        return r;
      }
    }
    return 0;
  }

  @Test
  void judge_seededModuli_agreesWithTrialDivision() {
    Random random = new Random(7);
    for (int i = 0; i < 300; i++) {
      BigInteger modulus = new BigInteger(2_048, random).setBit(2_047).setBit(0);
      boolean factor = false;
      for (int p = 3; p < 752; p += 2) {
        factor |= modulus.mod(BigInteger.valueOf(p)).signum() == 0;
      }
      assertThat(SmallPrimes.judge(modulus))
          .isEqualTo(factor ? Finding.SMALL_FACTOR : Finding.NONE);
    }
  }
}
