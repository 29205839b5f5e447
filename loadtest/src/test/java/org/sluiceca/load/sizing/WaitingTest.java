package org.sluiceca.load.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WaitingTest {

  /** One engine: a job waits if it is busy, and M/D/1 is known exactly (Pollaczek-Khinchine). */
  @Test
  void seconds_oneEngine_pollaczekKhinchine() {
    for (double utilisation : new double[] {0.1, 0.5, 0.8, 0.95}) {
      assertThat(Waiting.probability(1, utilisation)).isCloseTo(utilisation, within(1e-12));
      assertThat(Waiting.seconds(1, utilisation, 0.01, 0))
          .isCloseTo(utilisation * 0.01 / (2 * (1 - utilisation)), within(1e-12));
      // M/M/1: times that vary as exponential ones do.
      assertThat(Waiting.seconds(1, utilisation, 0.01, 1))
          .isCloseTo(utilisation * 0.01 / (1 - utilisation), within(1e-12));
    }
  }

  /** Erlang's tables: ten lines, 8 erlangs offered. */
  @Test
  void probability_tenEngines_asErlangsTables() {
    assertThat(Waiting.probability(10, 0.8)).isCloseTo(0.4092, within(1e-4));
  }

  @Test
  void seconds_cannotKeepUp_forEver() {
    assertThat(Waiting.seconds(4, 1, 0.01, 0)).isInfinite();
    assertThat(Waiting.probability(4, 1.5)).isEqualTo(1);
  }

  @Test
  void probability_thousandsOfEngines_doesNotOverflow() {
    assertThat(Waiting.probability(10_000, 0.99)).isBetween(0.0, 1.0);
  }

  /** The approximation against engines that take the next request, each for the same time. */
  @Test
  void seconds_fourEngines_asSimulated() {
    for (double utilisation : new double[] {0.7, 0.9}) {
      double seen = simulated(4, utilisation, 1, 1);
      assertThat(Waiting.seconds(4, utilisation, 1, 0)).isCloseTo(seen, within(0.1 * seen));
    }
  }

  /**
   * Half of the jobs take 0.4 and half 1.6: mean 1, variance 0.36. Without the variance it is
   * short.
   */
  @Test
  void seconds_twoKindsOfJob_asSimulated() {
    for (double utilisation : new double[] {0.7, 0.9}) {
      double seen = simulated(4, utilisation, 0.4, 1.6);
      assertThat(Waiting.seconds(4, utilisation, 1, 0.36)).isCloseTo(seen, within(0.1 * seen));
      assertThat(Waiting.seconds(4, utilisation, 1, 0)).isLessThan(0.85 * seen);
    }
  }

  private static double simulated(int engines, double utilisation, double one, double other) {
    Random random = new Random(3);
    double[] freeAt = new double[engines];
    double now = 0;
    double waited = 0;
    int jobs = 400_000;
    for (int i = 0; i < jobs; i++) {
      now -= Math.log(1 - random.nextDouble()) / (engines * utilisation);
      Arrays.sort(freeAt);
      double begins = Math.max(now, freeAt[0]);
      waited += begins - now;
      freeAt[0] = begins + (random.nextBoolean() ? one : other);
    }
    return waited / jobs;
  }
}
