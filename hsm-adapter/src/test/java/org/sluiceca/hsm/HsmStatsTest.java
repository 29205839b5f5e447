package org.sluiceca.hsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class HsmStatsTest {

  private static final HsmStats WORKS = group(HsmState.READY, true, 10, 1_000_000);

  @Test
  void together_oneLost_theWorstIsToldAndItIsUsable() {
    HsmStats both = HsmStats.together(List.of(WORKS, group(HsmState.TOKEN_LOST, false, 5, 0)));

    assertThat(both.state()).isEqualTo(HsmState.TOKEN_LOST);
    assertThat(both.isUsable()).isTrue();
  }

  @Test
  void together_onePinRefused_told() {
    HsmStats both = HsmStats.together(List.of(WORKS, group(HsmState.PIN_REFUSED, false, 5, 0)));

    assertThat(both.state()).isEqualTo(HsmState.PIN_REFUSED);
  }

  @Test
  void together_allLost_notUsable() {
    HsmStats lost = group(HsmState.TOKEN_LOST, false, 5, 0);

    assertThat(HsmStats.together(List.of(lost, lost)).isUsable()).isFalse();
  }

  /** Of a group that has not signed yet nothing is promised. */
  @Test
  void together_windowsOverMean_theSumOfTheRatesThatAreKnown() {
    HsmStats slow = group(HsmState.READY, true, 4, 40_000_000);
    HsmStats unknown = group(HsmState.READY, true, 86, 0);

    assertThat(perSecond(HsmStats.together(List.of(WORKS, slow)))).isBetween(10_099.0, 10_101.0);
    assertThat(perSecond(HsmStats.together(List.of(WORKS, unknown)))).isBetween(9_999.0, 10_001.0);
    assertThat(HsmStats.together(List.of(unknown, unknown)).meanServiceNanos()).isZero();
  }

  @Test
  void together_lanes_sumsAndTheOldest() {
    HsmStats both = HsmStats.together(List.of(WORKS, WORKS));

    assertThat(both.lane(Lane.BULK)).isEqualTo(new LaneStats(Lane.BULK, 4, 7, 6));
    assertThat(both.oldestAgeNanos()).isEqualTo(7);
    assertThat(both.queueDepth()).isEqualTo(2);
    assertThat(both.inflight()).isEqualTo(6);
  }

  private static double perSecond(HsmStats stats) {
    return stats.inflightLimit() * 1e9 / stats.meanServiceNanos();
  }

  private static HsmStats group(HsmState state, boolean isUsable, double limit, long meanNanos) {
    return new HsmStats(
        state,
        isUsable,
        1,
        512,
        7,
        Arrays.stream(Lane.values()).map(lane -> new LaneStats(lane, 2, 7, 3)).toList(),
        3,
        limit,
        0,
        4,
        100,
        0,
        meanNanos,
        0);
  }
}
