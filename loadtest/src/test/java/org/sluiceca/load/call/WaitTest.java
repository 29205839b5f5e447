package org.sluiceca.load.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.sluiceca.load.cli.TrialException;

class WaitTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  @Test
  void until_holdsAtTheThirdLook_trueAfterThree() {
    AtomicInteger looks = new AtomicInteger();

    assertThat(Wait.until(LONG, Duration.ZERO, () -> looks.incrementAndGet() == 3)).isTrue();
    assertThat(looks).hasValue(3);
  }

  @Test
  void until_neverHolds_false() {
    assertThat(Wait.until(Duration.ZERO, Duration.ofNanos(1), () -> false)).isFalse();
  }

  @Test
  void require_neverHolds_saidWhatIsWrong() {
    assertThatExceptionOfType(TrialException.class)
        .isThrownBy(
            () -> Wait.require(Duration.ZERO, Duration.ofNanos(1), "no node is up", () -> false))
        .withMessage("no node is up after PT0S");
  }

  @Test
  void pause_interrupted_endsAndStaysInterrupted() {
    Thread.currentThread().interrupt();

    assertThatExceptionOfType(TrialException.class).isThrownBy(() -> Wait.pause(LONG));
    assertThat(Thread.interrupted()).isTrue();
  }
}
