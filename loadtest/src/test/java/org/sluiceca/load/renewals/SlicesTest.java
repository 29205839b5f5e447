package org.sluiceca.load.renewals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SlicesTest {

  private static final Instant START = Instant.parse("2026-11-28T12:00:00Z");
  private static final Duration SLICE = Duration.ofSeconds(5);

  private static Slices of(IntStream seconds) {
    return Slices.of(seconds.mapToObj(START::plusSeconds).toList(), START, SLICE);
  }

  @Test
  void busiest_allInOneSlice_24Times() {
    Slices slices = of(IntStream.range(0, 240).map(i -> 300));

    assertThat(slices.busiest()).isEqualTo(24);
    assertThat(slices.busiest()).isGreaterThan(slices.bound());
  }

  @Test
  void busiest_even_once() {
    Slices slices = of(IntStream.range(0, 240).map(i -> 100 + i % 120));

    assertThat(slices.busiest()).isEqualTo(1);
    assertThat(slices.day()).hasSize(24).containsOnly(10);
    assertThat(slices.mean()).isEqualTo(10);
  }

  /** What the judge has to tell apart: chance, and windows in a quarter of the spread. */
  @Test
  void bound_seededSpreads_chanceHoldsAndAQuarterDoesNot() {
    SplittableRandom random = new SplittableRandom(73);
    for (int run = 0; run < 100; run++) {
      Slices spread = of(random.ints(1_200, 0, 120));
      Slices quarter = of(random.ints(1_200, 0, 30));

      assertThat(spread.busiest()).isLessThan(spread.bound());
      assertThat(quarter.busiest()).isGreaterThan(quarter.bound());
    }
  }

  @Test
  void of_nothing_noBusiestSlice() {
    Slices slices = Slices.of(List.of(), START, SLICE);

    assertThat(slices.busiest()).isZero();
    assertThat(slices.mean()).isZero();
    assertThat(slices.bound()).isEqualTo(1.2 + 3 * Math.sqrt(1.2), within(1e-9));
  }
}
