package org.sluiceca.core.x509;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class ExpiryWeekTest {

  private static final long WEEK = 604_800;

  @Test
  void of_lastAndFirstSecondOfAWeek_neighbours() {
    assertThat(ExpiryWeek.of(Instant.EPOCH).number()).isZero();
    assertThat(ExpiryWeek.of(Instant.ofEpochSecond(WEEK - 1)).number()).isZero();
    assertThat(ExpiryWeek.of(Instant.ofEpochSecond(WEEK)).number()).isEqualTo(1);
  }

  @Test
  void of_lastWeekThatTwoOctetsHold_accepted() {
    assertThat(ExpiryWeek.of(Instant.ofEpochSecond(65_536 * WEEK - 1)).number()).isEqualTo(65_535);
  }

  @Test
  void of_beforeTheEpochOrBeyondTwoOctets_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> ExpiryWeek.of(Instant.ofEpochSecond(-1)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ExpiryWeek.of(Instant.ofEpochSecond(65_536 * WEEK)));
    assertThatIllegalArgumentException().isThrownBy(() -> new ExpiryWeek(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> new ExpiryWeek(65_536));
  }
}
