package org.sluiceca.core.admit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.core.admit.MixedLine.Asker;
import org.sluiceca.core.admit.MixedLine.Rule;

/**
 * Requesters whose certificates cost the signer differently share its time, not the places of the
 * line. Seeds by {@code -Dseed=}.
 */
class MixedCostTest {

  private static final long SEED = Long.getLong("seed", 1);
  private static final double COSTLY = 8;
  private static final long WARM_UP = 20;
  private static final long SECONDS = 420;

  private MixedLine line = new MixedLine(512, Rule.WORK, SEED);

  /** It asks for less than its half, so it hardly notices the other one. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void share_cheapAsksAQuarterBesideCostlyInPlenty_cheapHardlyRefused(boolean obeys) {
    Asker cheap = line.stream("cheap", 1, true, 0.25);
    Asker costly = line.stream("costly", COSTLY, obeys, 2);

    line.run(WARM_UP, SECONDS);

    assertThat(cheap.refusedPart()).as("%s; %s", cheap, costly).isLessThanOrEqualTo(0.01);
    assertThat(line.busyPart()).as("%s; %s", cheap, costly).isGreaterThanOrEqualTo(0.97);
  }

  /** Nor may the work of its few requests keep it out. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void share_costlyAsksAQuarterBesideCheapInPlenty_costlyHardlyRefused(boolean obeys) {
    Asker costly = line.stream("costly", COSTLY, true, 0.25);
    Asker cheap = line.stream("cheap", 1, obeys, 2);

    line.run(WARM_UP, SECONDS);

    assertThat(costly.refusedPart()).as("%s; %s", cheap, costly).isLessThanOrEqualTo(0.01);
    assertThat(line.busyPart()).as("%s; %s", cheap, costly).isGreaterThanOrEqualTo(0.97);
  }

  @Test
  void share_bothInPlenty_halfOfTheTimeEach() {
    Asker cheap = line.stream("cheap", 1, false, 2);
    Asker costly = line.stream("costly", COSTLY, false, 2);

    line.run(WARM_UP, SECONDS);

    assertThat(line.share(cheap)).as("%s; %s", cheap, costly).isBetween(0.45, 0.55);
    assertThat(line.busyPart()).as("%s; %s", cheap, costly).isGreaterThanOrEqualTo(0.97);
  }

  /** The rule as it was. */
  @Test
  void mutant_countsRequests_isFound() {
    line = new MixedLine(512, cost -> 1, SEED);
    Asker cheap = line.stream("cheap", 1, true, 0.25);
    Asker costly = line.stream("costly", COSTLY, false, 2);

    line.run(WARM_UP, SECONDS);

    assertThat(cheap.refusedPart()).as("%s; %s", cheap, costly).isGreaterThan(0.20);
  }
}
