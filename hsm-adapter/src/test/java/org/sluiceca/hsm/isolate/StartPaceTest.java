package org.sluiceca.hsm.isolate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When the next process may start. */
class StartPaceTest {
  private static final long MILLIS = 1_000_000;

  private final StartPace pace = new StartPace();

  @Test
  void pause_firstAndSecondStart_none() {
    assertThat(pace.pause(5)).isZero();
    pace.started(5);
    assertThat(pace.pause(6)).isZero();
  }

  @Test
  void pause_shortLives_doublesToFiveSeconds() {
    long now = 0;
    pace.started(now);
    List<Long> pauses = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      pauses.add(pace.pause(now).toMillis());
      now += pace.pause(now).toNanos();
      assertThat(pace.pause(now)).isZero();
      pace.started(now);
    }

    assertThat(pauses).containsExactly(0L, 250L, 500L, 1000L, 2000L, 4000L, 5000L, 5000L);
    assertThat(pace.shortLives()).isEqualTo(8);
  }

  @Test
  void pause_afterALongLife_none() {
    pace.started(0);
    pace.started(1);
    assertThat(pace.pause(2)).isPositive();
    long later = 1 + StartPace.LIFE_MIN.toNanos();
    assertThat(pace.isYoung(later - 1)).isTrue();
    assertThat(pace.isYoung(later)).isFalse();

    assertThat(pace.pause(later)).isZero();
    pace.started(later);

    assertThat(pace.shortLives()).isZero();
    assertThat(pace.pause(later)).isZero();
  }

  @Test
  void pause_partlyOver_theRest() {
    pace.started(0);
    pace.started(0);

    assertThat(pace.pause(100 * MILLIS)).isEqualTo(Duration.ofMillis(150));
  }
}
