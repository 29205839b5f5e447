package org.sluiceca.hsm.ceremony;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.OptionalInt;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EngineRampTest {

  private static final double BASE = 0.04;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 20, 33, 40, 64, 100, 128})
  void engines_idealToken_found(int engines) {
    assertThat(ramp(token(engines), DoubleUnaryOperator.identity()).engines()).isEqualTo(engines);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8, 20, 40})
  void engines_ratesOfATenthMoreOrLess_foundWithinAFifth(int engines) {
    Random random = new Random(Long.getLong("seed", 1));
    for (int i = 0; i < 200; i++) {
      EngineRamp ramp = ramp(token(engines), rate -> rate * (0.9 + 0.2 * random.nextDouble()));

      assertThat((double) ramp.engines()).isCloseTo(engines, within(Math.max(0.5, 0.2 * engines)));
    }
  }

  @Test
  void next_oneEngine_triesTwoAndNoMore() {
    EngineRamp ramp = new EngineRamp(BASE);
    assertThat(ramp.next()).hasValue(2);

    ramp.measured(1 / BASE);

    assertThat(ramp.next()).isEmpty();
    assertThat(ramp.engines()).isEqualTo(1);
  }

  @Test
  void engines_hostAddsNothing_neverMoreThanJobsThatWereInside() {
    // A base that a stall made ten times too long must not turn into ten engines.
    EngineRamp ramp = new EngineRamp(10 * BASE);
    ramp.measured(1 / BASE);
    ramp.measured(1 / BASE);

    assertThat(ramp.engines()).isLessThanOrEqualTo(2);
  }

  @Test
  void refused_full_theBestBeforeCounts() {
    EngineRamp ramp = new EngineRamp(BASE);
    ramp.measured(2 / BASE);
    ramp.measured(4 / BASE);
    ramp.refused();

    assertThat(ramp.next()).isEmpty();
    assertThat(ramp.engines()).isEqualTo(4);
  }

  @Test
  void next_enginesWithoutEnd_stopsAtTheMost() {
    EngineRamp ramp = ramp(inFlight -> inFlight / BASE, DoubleUnaryOperator.identity());

    assertThat(ramp.engines()).isEqualTo(EngineRamp.IN_FLIGHT_MAX);
  }

  @Test
  void mean_middleHalf_outliersDoNotReachIt() {
    assertThat(InterquartileMean.of(new double[] {1000, 2, 3, 2, 3, 2, 3, 0})).isEqualTo(2.5);
    assertThat(InterquartileMean.of(new double[] {7})).isEqualTo(7);
  }

  private static IntToDoubleFunction token(int engines) {
    return inFlight -> Math.min(inFlight, engines) / BASE;
  }

  private static EngineRamp ramp(IntToDoubleFunction token, DoubleUnaryOperator measuring) {
    EngineRamp ramp = new EngineRamp(BASE);
    for (OptionalInt next = ramp.next(); next.isPresent(); next = ramp.next()) {
      ramp.measured(measuring.applyAsDouble(token.applyAsDouble(next.getAsInt())));
    }
    return ramp;
  }
}
