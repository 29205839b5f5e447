package org.sluiceca.core.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ClockSkewTest {

  private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");
  private static final Duration FIVE = Duration.ofMinutes(5);

  @Test
  void since_longAfterTheIssuer_theAllowanceBack() {
    assertThat(ClockSkew.STANDARD.since(NOW.plusMillis(999), Instant.EPOCH))
        .isEqualTo(NOW.minus(FIVE));
    assertThat(ClockSkew.NONE.since(NOW.plusMillis(999), Instant.EPOCH)).isEqualTo(NOW);
  }

  @Test
  void since_issuerBeganMeanwhile_stopsThere() {
    assertThat(ClockSkew.STANDARD.since(NOW, NOW.minus(FIVE))).isEqualTo(NOW.minus(FIVE));
    assertThat(ClockSkew.STANDARD.since(NOW, NOW.minus(FIVE).plusSeconds(1)))
        .isEqualTo(NOW.minus(FIVE).plusSeconds(1));
    assertThat(ClockSkew.STANDARD.since(NOW, NOW)).isEqualTo(NOW);
    assertThat(ClockSkew.STANDARD.since(NOW, NOW.plusSeconds(1))).isEqualTo(NOW);
  }

  /** What is made later never begins earlier, whatever the issuer's notBefore. */
  @Test
  void since_timeGoesOn_neverBack() {
    Instant last = Instant.MIN;
    for (int second = 0; second < 900; second++) {
      Instant since = ClockSkew.STANDARD.since(NOW.plusSeconds(second), NOW.plusSeconds(120));
      assertThat(since).isAfterOrEqualTo(last);
      last = since;
    }
  }

  @Test
  void past_withinTheAllowance_now() {
    assertThat(ClockSkew.STANDARD.past(NOW.minusSeconds(1), NOW)).contains(NOW.minusSeconds(1));
    assertThat(ClockSkew.STANDARD.past(NOW.plusSeconds(1), NOW)).contains(NOW);
    assertThat(ClockSkew.STANDARD.past(NOW.plus(FIVE), NOW)).contains(NOW);
    assertThat(ClockSkew.STANDARD.past(NOW.plus(FIVE).plusSeconds(1), NOW)).isEmpty();
    assertThat(ClockSkew.NONE.past(NOW.plusSeconds(1), NOW)).isEmpty();
  }

  @Test
  void allowance_outOfRange_refused() {
    for (Duration each :
        new Duration[] {
          Duration.ofSeconds(-1), Duration.ofHours(1).plusSeconds(1), Duration.ofMillis(1)
        }) {
      assertThatIllegalArgumentException().isThrownBy(() -> new ClockSkew(each));
    }
    assertThat(new ClockSkew(Duration.ofHours(1)).allowance()).isEqualTo(Duration.ofHours(1));
  }
}
