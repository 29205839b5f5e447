package org.sluiceca.core.throughput;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryAfterTest {

  @Test
  void after_jitterAtItsEnds_fifteenPerCentLessOrMore() {
    assertThat(new RetryAfter(() -> 0L).after(100)).isEqualTo(Duration.ofSeconds(85));
    assertThat(new RetryAfter(() -> -1L).after(100)).isEqualTo(Duration.ofSeconds(115));
  }

  @Test
  void after_negativeOrNothing_oneSecond() {
    RetryAfter retryAfter = new RetryAfter(new SplittableRandom(3));

    assertThat(retryAfter.after(-40)).isEqualTo(Duration.ofSeconds(1));
    assertThat(retryAfter.after(0)).isEqualTo(Duration.ofSeconds(1));
  }

  /**
   * All clients beyond the limit, each with the limit as its Retry-After, would come back at once.
   */
  @Test
  void after_beyondTheLimit_spreadBelowIt() {
    assertThat(new RetryAfter(() -> 0L).after(261)).isEqualTo(Duration.ofMinutes(5));
    assertThat(new RetryAfter(() -> -1L).after(1e9)).isEqualTo(Duration.ofSeconds(211));
    RetryAfter retryAfter = new RetryAfter(new SplittableRandom(11));

    assertThat(IntStream.range(0, 1_000).mapToObj(i -> retryAfter.after(5_000)).distinct().count())
        .isGreaterThan(80);
  }

  @Test
  void notBefore_aCertainTime_neverEarlier() {
    RetryAfter retryAfter = new RetryAfter(new SplittableRandom(5));

    for (int i = 0; i < 1_000; i++) {
      assertThat(retryAfter.notBefore(10))
          .isBetween(Duration.ofSeconds(10), Duration.ofSeconds(12));
      assertThat(retryAfter.notBefore(5_000))
          .isBetween(Duration.ofSeconds(210), Duration.ofMinutes(5));
      assertThat(retryAfter.notBefore(-1)).isEqualTo(Duration.ofSeconds(1));
    }
  }

  @Test
  void signerLost_forLong_aMinuteAtMost() {
    RetryAfter retryAfter = new RetryAfter(new SplittableRandom(5));

    for (int i = 0; i < 1_000; i++) {
      assertThat(retryAfter.signerLost(1e6))
          .isBetween(Duration.ofSeconds(42), Duration.ofSeconds(60));
    }
  }

  @Test
  void unknown_manyTimes_fiveSecondsMoreOrLess() {
    RetryAfter retryAfter = new RetryAfter(new SplittableRandom(3));

    for (int i = 0; i < 1_000; i++) {
      assertThat(retryAfter.unknown()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(6));
    }
  }
}
