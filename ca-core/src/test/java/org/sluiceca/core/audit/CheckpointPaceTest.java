package org.sluiceca.core.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.audit.CheckpointPace.Look;

/** Which node takes the next checkpoint, and when. */
class CheckpointPaceTest {

  private static final Duration PERIOD = Duration.ofMinutes(1);

  private final CheckpointPace pace = new CheckpointPace(PERIOD, new Random(1));

  @Test
  void next_tookTheLast_isBeforeEveryOtherNode() {
    Duration own = pace.next(Look.COVERED, Duration.ZERO);

    assertThat(own).isEqualTo(Duration.ofSeconds(48));
    for (int i = 0; i < 1_000; i++) {
      Duration others = pace.next(Look.NOT_DUE, Duration.ZERO);
      assertThat(others).isEqualTo(pace.spacing());
      assertThat(others).isGreaterThan(own.plusSeconds(2)).isLessThan(PERIOD.minusSeconds(1));
    }
  }

  @Test
  void next_lastIsOldAlready_onlyWhatIsLeftOfIt() {
    assertThat(pace.next(Look.COVERED, Duration.ofSeconds(40))).isEqualTo(Duration.ofSeconds(8));
  }

  /** A failure must not become a stream of attempts. */
  @Test
  void next_failed_leftToOthersHoweverOldTheLastIs() {
    assertThat(pace.next(Look.FAILED, Duration.ofDays(20_000)))
        .isEqualTo(pace.spacing())
        .isGreaterThan(Duration.ofSeconds(50));
  }

  @Test
  void next_dueAtOnce_waitsForAMomentAllTheSame() {
    assertThat(pace.next(Look.NOT_DUE, Duration.ofSeconds(59))).isEqualTo(Duration.ofMillis(600));
  }

  @Test
  void first_withinAPeriod() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(pace.first()).isBetween(Duration.ZERO, PERIOD);
    }
  }
}
