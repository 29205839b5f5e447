package org.sluiceca.hsm.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.sluiceca.hsm.session.BusyStreak.Meaning;

class BusyStreakTest {
  private final BusyStreak streak = new BusyStreak();
  private long now = Long.MAX_VALUE - Duration.ofSeconds(3).toNanos();

  @Test
  void busy_oftenAndForLong_lost() {
    for (int i = 0; i < BusyStreak.ANSWERS; i++) {
      assertThat(busy()).isEqualTo(Meaning.BUSY);
    }
    pass(BusyStreak.TIME.minusNanos(1));
    assertThat(busy()).isEqualTo(Meaning.BUSY);
    pass(Duration.ofNanos(1));

    assertThat(busy()).isEqualTo(Meaning.LOST_SO_RECONNECT);
    assertThat(busy()).isEqualTo(Meaning.LOST);
    pass(BusyStreak.RECONNECT_PAUSE);
    assertThat(busy()).isEqualTo(Meaning.LOST_SO_RECONNECT);
  }

  @Test
  void busy_forLongButSeldom_busy() {
    for (int i = 0; i < BusyStreak.ANSWERS - 1; i++) {
      assertThat(busy()).isEqualTo(Meaning.BUSY);
      pass(Duration.ofMinutes(1));
    }
    assertThat(busy()).isEqualTo(Meaning.LOST_SO_RECONNECT);
  }

  @Test
  void signed_between_beginsAnew() {
    for (int i = 0; i < 1000; i++) {
      pass(Duration.ofSeconds(1));
      assertThat(busy()).isEqualTo(Meaning.BUSY);
      if (i % (BusyStreak.ANSWERS - 1) == 0) {
        streak.signed();
      }
    }
  }

  private Meaning busy() {
    return streak.busy(now);
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }
}
