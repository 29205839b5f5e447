package org.sluiceca.core.renewal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RevocationBacklogTest {

  @Test
  void delay_alone_none() {
    assertThat(RevocationBacklog.delay(0, Duration.ofSeconds(30), 0, 4)).isZero();
  }

  @Test
  void delay_othersAhead_twiceTheirTime() {
    assertThat(RevocationBacklog.delay(0, Duration.ofSeconds(30), 120, 4)).hasSeconds(60);
  }

  @Test
  void delay_backlogBefore_lessWhatHasPassed() {
    assertThat(RevocationBacklog.delay(100, Duration.ofSeconds(30), 2, 4)).hasSeconds(71);
    assertThat(RevocationBacklog.delay(20, Duration.ofSeconds(30), 2, 4)).hasSeconds(1);
  }

  @Test
  void delay_more_atMostADay() {
    assertThat(RevocationBacklog.delay(0, Duration.ZERO, 1_000_000, 1))
        .isEqualTo(Replacement.A_DAY);
  }

  @Test
  void delay_rateUnknown_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RevocationBacklog.delay(0, Duration.ZERO, 1, 0));
  }
}
