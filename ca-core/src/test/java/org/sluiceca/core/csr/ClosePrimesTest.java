package org.sluiceca.core.csr;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.testkit.WeakRsa;

class ClosePrimesTest {

  @Test
  void factor_neighbouringPrimesOrASquare_found() {
    for (long seed = 1; seed <= 4; seed++) {
      assertThat(ClosePrimes.factor(WeakRsa.ofClosePrimes(seed))).isTrue();
      assertThat(ClosePrimes.factor(WeakRsa.prime(seed).pow(2))).isTrue();
    }
  }

  @Test
  void factor_independentPrimes_notFound() {
    for (long seed = 1; seed <= 8; seed += 2) {
      assertThat(ClosePrimes.factor(WeakRsa.prime(seed).multiply(WeakRsa.prime(seed + 1))))
          .isFalse();
    }
  }

  /** n = a² - b² is found at the step a - ⌈√n⌉, counted from 0. */
  @Test
  void factor_stepByStep_theHundredthIsTheLast() {
    Random random = new Random(3);
    for (int step : new int[] {0, 1, 2, 50, 98, 99, 100, 101, 150}) {
      BigInteger a = new BigInteger(1_022, random).setBit(1_023).clearBit(0);
      // a - √(a² - b²) is close to b²/2a, so this b, odd, lands in the middle of the step.
      BigInteger b = a.multiply(BigInteger.valueOf(2L * step + 1)).sqrt().setBit(0);
      BigInteger n = a.multiply(a).subtract(b.multiply(b));
      BigInteger ceiling = n.sqrt().add(BigInteger.ONE);
      assertThat(a.subtract(ceiling)).isEqualTo(step);

      assertThat(ClosePrimes.factor(n)).as("step %d", step).isEqualTo(step < 100);
    }
  }

  @Test
  void sqrt_seededNumbersAndTheNeighboursOfSquares_asTheJdks() {
    Random random = new Random(11);
    for (int bits : new int[] {1, 2, 8, 62, 63, 64, 65, 66, 127, 128, 129, 1_000, 2_048, 8_192}) {
      for (int i = 0; i < 50; i++) {
        BigInteger n = new BigInteger(bits, random);
        assertThat(ClosePrimes.sqrt(n)).isEqualTo(n.sqrt());
        BigInteger square = n.multiply(n);
        assertThat(ClosePrimes.sqrt(square)).isEqualTo(n);
        assertThat(ClosePrimes.sqrt(square.add(BigInteger.ONE)))
            .isEqualTo(square.add(BigInteger.ONE).sqrt());
        if (square.signum() > 0) {
          assertThat(ClosePrimes.sqrt(square.subtract(BigInteger.ONE)))
              .isEqualTo(n.subtract(BigInteger.ONE));
        }
      }
    }
  }
}
