package org.sluiceca.hsm.bench.keyless;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class DurationsTest {
  private static final double EXACT_WITHIN = 1.0 / 64;

  @Test
  void bucket_eachBorder_isWhereTheLastEnds() {
    for (int bucket = 0; bucket < Durations.bucket(Long.MAX_VALUE); bucket++) {
      long end = (long) Durations.upperEnd(bucket);
      // Above 2^53 a double does not tell neighbours apart.
      if (end < 1L << 53) {
        assertThat(Durations.bucket(end)).isEqualTo(bucket);
        assertThat(Durations.bucket(end + 1)).isEqualTo(bucket + 1);
      }
    }
    assertThat(Durations.bucket(Long.MAX_VALUE)).isLessThan(Durations.BUCKETS);
  }

  @Test
  void percentiles_ofRandomValues_areThoseOfTheSortedOnes() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);
    long[] values = random.longs(20_000, 1, 50_000_000).map(v -> v * v / 50_000_000).toArray();
    Durations durations = new Durations();
    Arrays.stream(values).forEach(durations::add);
    Arrays.sort(values);

    for (double share : new double[] {0.5, 0.9, 0.99, 0.999}) {
      double exact = values[(int) Math.ceil(share * values.length) - 1];
      assertThat(durations.percentileNanos(share)).isBetween(exact, exact * (1 + EXACT_WITHIN) + 1);
    }
    assertThat(durations.maxNanos()).isEqualTo((double) values[values.length - 1]);
    assertThat(durations.meanNanos())
        .isCloseTo(Arrays.stream(values).average().orElseThrow(), within(1e-3));
  }

  @Test
  void percentile_nineBeyondIt_isNone() {
    Durations durations = new Durations();
    for (int i = 0; i < 999; i++) {
      durations.add(1000);
    }
    assertThat(durations.percentileNanos(0.99)).isNaN();

    durations.add(1000);
    assertThat(durations.percentileNanos(0.99)).isEqualTo(1000);
  }

  @Test
  void addAll_ofTwoHalves_isTheWhole() {
    Durations whole = new Durations();
    Durations halves = new Durations();
    Durations other = new Durations();
    for (int i = 1; i <= 4000; i++) {
      whole.add(i * 997L);
      (i % 2 == 0 ? halves : other).add(i * 997L);
    }
    halves.addAll(other);

    assertThat(halves.count()).isEqualTo(whole.count());
    assertThat(halves.sumNanos()).isEqualTo(whole.sumNanos());
    assertThat(halves.percentileNanos(0.99)).isEqualTo(whole.percentileNanos(0.99));
    assertThat(halves.maxNanos()).isEqualTo(whole.maxNanos());
  }

  @Test
  void nothingCounted_hasNoFigures() {
    Durations none = new Durations();

    assertThat(none.meanNanos()).isNaN();
    assertThat(none.maxNanos()).isNaN();
    assertThat(none.percentileNanos(0.5)).isNaN();
  }
}
