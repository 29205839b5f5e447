package org.sluiceca.hsm.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FractionalWindowTest {

  private static final long MILLI = 1_000_000;
  private static final long STEP = MILLI / 10;

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.5, 0.9, 1, 2, 7})
  void admits_belowOneOrWholeJobs_meanInFlightIsTheWidth(double width) {
    assertThat(meanInFlight(width)).isCloseTo(width, within(0.02));
  }

  @ParameterizedTest
  @ValueSource(doubles = {1.1, 1.35, 1.5, 1.9, 2.5, 7.5})
  void admits_fractionOfAJob_meanInFlightIsNearTheWidth(double width) {
    assertThat(meanInFlight(width)).isCloseTo(width, within(0.2));
  }

  /** Jobs of 1 to 19 ms, always there, for 100 s. */
  private static double meanInFlight(double width) {
    Random random = new Random(1);
    FractionalWindow window = new FractionalWindow(width, 0.010, 0.5);
    PriorityQueue<Long> ends = new PriorityQueue<>();
    double area = 0;
    int steps = 1_000_000;
    for (long now = 0; now < steps * STEP; now += STEP) {
      while (!ends.isEmpty() && ends.peek() <= now) {
        ends.remove();
        window.ended(now);
      }
      while (window.admits(ends.size(), now)) {
        ends.add(now + random.nextLong(MILLI, 19 * MILLI));
      }
      area += ends.size();
    }
    return area / steps;
  }

  @Test
  void admits_belowOneAndNothingInFlight_againAfterThePause() {
    FractionalWindow window = new FractionalWindow(0.25, 0.010, 0);

    assertThat(window.admits(0, 0)).isTrue();
    assertThat(window.admits(1, 0)).isFalse();
    window.ended(10 * MILLI);
    assertThat(window.nextStartNanos(10 * MILLI)).isEqualTo(40 * MILLI);
    assertThat(window.admits(0, 40 * MILLI - 1)).isFalse();
    assertThat(window.admits(0, 40 * MILLI)).isTrue();
  }

  @Test
  void resize_shrunkBelowWhatIsInFlight_admitsNoneUntilTheyEnd() {
    FractionalWindow window = new FractionalWindow(5, 0.010, 0);

    window.resize(2, 0.010);

    assertThat(window.admits(5, 0)).isFalse();
    assertThat(window.admits(2, 0)).isFalse();
    assertThat(window.admits(1, 0)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, 0.0009, Double.NaN})
  void resize_noWidth_refused(double width) {
    assertThatIllegalArgumentException().isThrownBy(() -> new FractionalWindow(width, 0.010, 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FractionalWindow(1, Math.min(0, width), 0));
  }
}
