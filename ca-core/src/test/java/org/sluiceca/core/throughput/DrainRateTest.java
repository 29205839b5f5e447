package org.sluiceca.core.throughput;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DrainRateTest {

  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1_000 * MILLISECOND;
  private static final int BUSY = DrainRate.BUSY_IN_FLIGHT;

  private long now = -5 * SECOND;
  private final DrainRate rate = new DrainRate(now);
  private double cost = 1;

  @Test
  void perSecond_nothingHappened_unknown() {
    assertThat(rate.perSecond(now, 0)).isZero();
    assertThat(rate.perSecond(now, 70)).isEqualTo(70);
  }

  @Test
  void perSecond_sevenOrEightOnTheLine_onlyEightTeach() {
    complete(200, 10 * MILLISECOND, BUSY - 1);
    assertThat(rate.perSecond(now, 0)).isZero();

    complete(200, 10 * MILLISECOND, BUSY);
    assertThat(rate.perSecond(now, 0)).isBetween(98.0, 102.0);
  }

  /** Sixty-four leave with each commit: single intervals would say millions a second. */
  @Test
  void perSecond_completionsInBatches_isTheirMean() {
    for (int commit = 0; commit < 40; commit++) {
      now += 160 * MILLISECOND;
      complete(64, 0, 100);
    }

    assertThat(rate.perSecond(now, 0)).isBetween(360.0, 440.0);
  }

  @Test
  void perSecond_signerHalfOrTwiceAsFast_believedWithinSixSeconds() {
    complete(1_000, 10 * MILLISECOND, 100);

    complete(300, 20 * MILLISECOND, 100);
    assertThat(rate.perSecond(now, 0)).isBetween(49.0, 54.0);

    complete(600, 10 * MILLISECOND, 100);
    assertThat(rate.perSecond(now, 0)).isBetween(95.0, 101.0);
  }

  @Test
  void perSecond_tokenHangsWithABusyLine_fallsWithoutACompletion() {
    complete(1_000, 10 * MILLISECOND, 100);

    now += 6 * SECOND;

    assertThat(rate.perSecond(now, 0)).isBetween(4.0, 6.0);
  }

  @Test
  void perSecond_quietForADay_nothingForgotten() {
    complete(1_000, 10 * MILLISECOND, 100);
    complete(1, 10 * MILLISECOND, 0);

    now += 86_400 * SECOND;

    assertThat(rate.perSecond(now, 0)).isBetween(98.0, 102.0);
  }

  /** A rate learnt of a hanging token lets so few in that the line is never busy again. */
  @Test
  void perSecond_quietButFasterThanBelieved_corrected() {
    complete(20, SECOND, 100);
    assertThat(rate.perSecond(now, 0)).isBetween(0.9, 1.4);

    complete(3_000, MILLISECOND, 1);

    assertThat(rate.perSecond(now, 0)).isGreaterThan(600);
  }

  /** Between the first of many and its completion lie all steps, not the signer's pace. */
  @Test
  void perSecond_manyComeToAQuietLine_theirWayThroughDoesNotCount() {
    complete(1_000, 10 * MILLISECOND, 100);
    complete(1, 10 * MILLISECOND, 0);

    rate.admitted(now, BUSY);
    now += 900 * MILLISECOND;
    complete(10, 10 * MILLISECOND, BUSY);

    assertThat(rate.perSecond(now, 0)).isBetween(97.0, 103.0);
  }

  @Test
  void perSecond_manyComeAndNothingIsDone_countsAfterASecond() {
    complete(1_000, 10 * MILLISECOND, 100);
    complete(1, 10 * MILLISECOND, 0);

    rate.admitted(now, BUSY);
    now += 5 * SECOND;

    assertThat(rate.perSecond(now, 0)).isLessThan(20);
  }

  @Test
  void perSecond_assumedRate_givesWayToWhatIsSeen() {
    complete(100, 10 * MILLISECOND, 100);
    assertThat(rate.perSecond(now, 1_000)).isBetween(600.0, 680.0);

    complete(1_000, 10 * MILLISECOND, 100);
    assertThat(rate.perSecond(now, 1_000)).isBetween(98.0, 106.0);
  }

  /** One in two costs seven times as much: 100 completions a second are 400 of work. */
  @Test
  void perSecond_completionsOfDifferentCost_isTheirWork() {
    for (int i = 0; i < 500; i++) {
      cost = i % 2 == 0 ? 1 : 7;
      complete(1, 10 * MILLISECOND, 100);
    }

    assertThat(rate.perSecond(now, 0)).isBetween(390.0, 410.0);
  }

  /** However costly: one that comes alone is no stream. */
  @Test
  void perSecond_oneCostlyCompletionOnAQuietLine_notARate() {
    complete(500, 10 * MILLISECOND, BUSY);
    complete(1, 10 * MILLISECOND, 0);
    now += 60 * SECOND;
    cost = 5_000;

    complete(1, 10 * MILLISECOND, 0);

    assertThat(rate.perSecond(now, 0)).isBetween(97.0, 103.0);
  }

  @Test
  void left_lineNoLongerBusy_noTimeCounts() {
    complete(1_000, 10 * MILLISECOND, BUSY);

    rate.left(now, BUSY - 1);
    now += 60 * SECOND;

    assertThat(rate.perSecond(now, 0)).isBetween(98.0, 102.0);
  }

  /** {@code count} leave a line on which {@code inFlight} are left each time. */
  private void complete(int count, long spacing, int inFlight) {
    rate.admitted(now, inFlight);
    for (int i = 0; i < count; i++) {
      now += spacing;
      rate.completed(now, inFlight, cost);
    }
  }
}
