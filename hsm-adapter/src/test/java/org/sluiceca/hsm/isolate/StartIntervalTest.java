package org.sluiceca.hsm.isolate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When the next process may start. */
class StartIntervalTest {
  private static final long MILLIS = 1_000_000;

  private final StartInterval interval = new StartInterval();

  @Test
  void pause_firstAndSecondStart_none() {
    assertThat(interval.pause(5)).isZero();
    interval.started(5);
    assertThat(interval.pause(6)).isZero();
  }

  @Test
  void pause_shortLives_doublesToFiveSeconds() {
    long now = 0;
    interval.started(now);
    List<Long> pauses = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      pauses.add(interval.pause(now).toMillis());
      now += interval.pause(now).toNanos();
      assertThat(interval.pause(now)).isZero();
      interval.started(now);
    }

    assertThat(pauses).containsExactly(0L, 250L, 500L, 1000L, 2000L, 4000L, 5000L, 5000L);
    assertThat(interval.shortLives()).isEqualTo(8);
  }

  @Test
  void pause_afterALongLife_none() {
    interval.started(0);
    interval.started(1);
    assertThat(interval.pause(2)).isPositive();
    long later = 1 + StartInterval.LIFE_MIN.toNanos();
    assertThat(interval.isYoung(later - 1)).isTrue();
    assertThat(interval.isYoung(later)).isFalse();

    assertThat(interval.pause(later)).isZero();
    interval.started(later);

    assertThat(interval.shortLives()).isZero();
    assertThat(interval.pause(later)).isZero();
  }

  @Test
  void pause_partlyOver_theRest() {
    interval.started(0);
    interval.started(0);

    assertThat(interval.pause(100 * MILLIS)).isEqualTo(Duration.ofMillis(150));
  }
}
