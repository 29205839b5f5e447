package org.sluiceca.core.throughput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class RetrySchedulerTest {

  private static final long SECOND = 1_000_000_000;
  private static final Offset<Double> ROUNDING = within(1e-6);

  private final RetryScheduler room = new RetryScheduler(SECOND);

  @Test
  void next_oneAfterAnother_eachLaterThanTheOneBefore() {
    double last = 0;

    for (int i = 0; i < 200; i++) {
      double schedule = room.next(SECOND, 100, 100, 1);

      assertThat(schedule).isGreaterThan(last);
      last = schedule;
    }
    // The 200th waits for 30 % of the line and 200 before it, at 1/s.
    assertThat(last).isEqualTo(230, ROUNDING);
  }

  /** 200 were asked to come back, at 10/s; four seconds later 160 of them are still ahead. */
  @Test
  void next_later_theRoomHasDrainedMeanwhile() {
    for (int i = 0; i < 200; i++) {
      double _ = room.next(SECOND, 70, 100, 10);
    }

    assertThat(room.next(SECOND, 70, 100, 10)).isEqualTo(20.1, ROUNDING);
    assertThat(room.next(5 * SECOND, 70, 100, 10)).isEqualTo(16.2, ROUNDING);
  }

  @Test
  void next_asFastAsTurnsAreGiven_waitStays() {
    double first = room.next(SECOND, 100, 100, 1);

    for (int i = 2; i < 1_000; i++) {
      assertThat(room.next(i * SECOND, 100, 100, 1)).isEqualTo(first, ROUNDING);
    }
  }

  @Test
  void next_floodOver_roomEmptiesWithinTheLongestWait() {
    for (int i = 0; i < 1_000_000; i++) {
      double _ = room.next(SECOND, 1_000, 1_000, 100);
    }

    // A client of the flood was asked to wait 300 s at most: after that none waits any more.
    assertThat(room.next(302 * SECOND, 1_000, 1_000, 100)).isLessThanOrEqualTo(4);
  }

  @Test
  void next_clockBackwards_noLongerWait() {
    double _ = room.next(100 * SECOND, 100, 100, 1);

    assertThat(room.next(50 * SECOND, 100, 100, 1)).isEqualTo(32, ROUNDING);
  }

  /** 1,000 turns a second, but a line of 100: 45 of one instant at most in each second. */
  @Test
  void next_herdOfOneInstant_noMoreTogetherThanTheLineTakes() {
    int[] inSecond = new int[400];

    for (int i = 0; i < 10_000; i++) {
      inSecond[(int) Math.ceil(room.next(SECOND, 100, 100, 1_000))]++;
    }

    int inTime = 0;
    for (int advised = 1; advised < 200; advised++) {
      assertThat(inSecond[advised]).as("after %d s", advised).isLessThanOrEqualTo(46);
      inTime += inSecond[advised];
    }
    assertThat(inTime).isGreaterThan(8_900);
  }

  @Test
  void next_herdOverASecond_turnsGivenAtTheirWholeRate() {
    double last = 0;

    for (int i = 0; i < 10_000; i++) {
      last = room.next(SECOND + i * (SECOND / 10_000), 100, 100, 1_000);
    }

    assertThat(last).isBetween(8.0, 12.0);
  }

  @Test
  void next_anyLoad_finiteAndBounded() {
    for (long seed = 1; seed <= 50; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      long now = random.nextLong();
      RetryScheduler any = new RetryScheduler(now);
      for (int i = 0; i < 500; i++) {
        now += random.nextLong(SECOND);
        double perSecond = Math.pow(10, random.nextDouble(-1, 5));

        double schedule = any.next(now, random.nextInt(1_000), 1_000, perSecond);

        assertThat(schedule).as("seed %d step %d", seed, i).isBetween(-7_000.0, 3_301.0);
      }
    }
  }
}
