package org.sluiceca.core.admit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class RetryAfterTest {

  private static final long SECOND = 1_000_000_000;

  /** A generator whose jitter is none: 0.5 lies in the middle. */
  private static final RandomGenerator MIDDLE =
      new RandomGenerator() {
        @Override
        public long nextLong() {
          return 1L << 63;
        }
      };

  @Test
  void refused_rateUnknown_fiveSecondsMoreOrLess() {
    RetryAfter retryAfter = new RetryAfter(new SplittableRandom(3));

    for (int i = 0; i < 1_000; i++) {
      assertThat(retryAfter.refused(i, 100, 100, new DrainRate()))
          .isBetween(Duration.ofSeconds(5), Duration.ofSeconds(6));
    }
  }

  @Test
  void refused_oneAfterAnother_eachLaterThanTheOneBefore() {
    RetryAfter retryAfter = new RetryAfter(MIDDLE);
    DrainRate rate = rate(1);
    Duration last = Duration.ZERO;

    for (int i = 0; i < 200; i++) {
      Duration told = retryAfter.refused(SECOND, 100, 100, rate);

      assertThat(told).isGreaterThan(last);
      last = told;
    }
    // The 200th waits for 30 % of the line and 200 before it, at 1/s.
    assertThat(last).isEqualTo(Duration.ofSeconds(230));
  }

  /** 201 were told to come, at 10/s; four seconds later 161 of them are still ahead. */
  @Test
  void refused_later_theRoomHasDrainedMeanwhile() {
    RetryAfter retryAfter = new RetryAfter(MIDDLE);
    DrainRate rate = rate(10);
    for (int i = 0; i < 200; i++) {
      retryAfter.refused(SECOND, 7, 10, rate);
    }

    // (7 - 0.7 * 10 + 200 + 1) / 10, and four seconds on (200 + 1 - 40 + 1) / 10.
    assertThat(retryAfter.refused(SECOND, 7, 10, rate)).isEqualTo(Duration.ofSeconds(21));
    assertThat(retryAfter.refused(5 * SECOND, 7, 10, rate)).isEqualTo(Duration.ofSeconds(17));
  }

  @Test
  void refused_jitterAtItsEnds_fifteenPerCentLessOrMore() {
    assertThat(new RetryAfter(() -> 0L).refused(0, 1, 1, rate(0.01)))
        .isEqualTo(Duration.ofSeconds(111));
    assertThat(new RetryAfter(() -> -1L).refused(0, 1, 1, rate(0.01)))
        .isEqualTo(Duration.ofSeconds(150));
  }

  @Test
  void refused_asFastAsTheLineDrains_waitStays() {
    RetryAfter retryAfter = new RetryAfter(MIDDLE);
    DrainRate rate = rate(1);
    Duration first = retryAfter.refused(SECOND, 100, 100, rate);

    for (int i = 2; i < 1_000; i++) {
      assertThat(retryAfter.refused(i * SECOND, 100, 100, rate)).isEqualTo(first);
    }
  }

  @Test
  void refused_anyLoad_between1And300Seconds() {
    for (long seed = 1; seed <= 50; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      RetryAfter retryAfter = new RetryAfter(random.split());
      long now = random.nextLong();
      for (int i = 0; i < 500; i++) {
        now += random.nextLong(SECOND);
        DrainRate rate = rate(Math.pow(10, random.nextDouble(-3, 5)));

        Duration told = retryAfter.refused(now, random.nextInt(1_000), 1_000, rate);

        assertThat(told)
            .as("seed %d step %d", seed, i)
            .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(300));
      }
    }
  }

  @Test
  void refused_jitter_spreadsEqualWaits() {
    RetryAfter retryAfter = new RetryAfter(new SplittableRandom(11));
    DrainRate rate = rate(1);

    long distinct =
        java.util.stream.IntStream.range(0, 100)
            .mapToObj(i -> retryAfter.refused(i * SECOND + 1, 170, 100, rate))
            .distinct()
            .count();

    assertThat(distinct).isGreaterThan(15);
  }

  @Test
  void refused_floodOver_roomEmptiesWithinTheLongestWait() {
    RetryAfter retryAfter = new RetryAfter(MIDDLE);
    DrainRate rate = rate(100);
    for (int i = 0; i < 1_000_000; i++) {
      retryAfter.refused(SECOND, 1_000, 1_000, rate);
    }

    Duration told = retryAfter.refused(302 * SECOND, 1_000, 1_000, rate);

    // Whoever came in the flood was told at most 300 s: after that nobody waits any more.
    assertThat(told).isLessThanOrEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void refused_clockBackwards_noLongerWait() {
    RetryAfter retryAfter = new RetryAfter(MIDDLE);
    DrainRate rate = rate(1);
    retryAfter.refused(100 * SECOND, 100, 100, rate);

    assertThat(retryAfter.refused(50 * SECOND, 100, 100, rate))
        .isLessThanOrEqualTo(Duration.ofSeconds(32));
  }

  private static DrainRate rate(double perSecond) {
    DrainRate rate = new DrainRate();
    rate.completed(0, DrainRate.BUSY_IN_FLIGHT);
    rate.completed((long) (SECOND / perSecond), DrainRate.BUSY_IN_FLIGHT);
    return rate;
  }
}
