package org.sluiceca.load.bench.idle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ScheduleTest {

  private static final long SECOND = 1_000_000_000L;

  @Test
  void dueNanos_rateThatDividesNoSecond_doesNotDrift() {
    Schedule thirds = new Schedule(3, List.of(7_200 * SECOND));

    assertThat(thirds.dueNanos(0)).isZero();
    assertThat(thirds.dueNanos(1)).isEqualTo(333_333_333);
    assertThat(thirds.dueNanos(3 * 7_199)).isEqualTo(7_199 * SECOND);
    assertThat(thirds.count()).isEqualTo(3 * 7_200);
  }

  @Test
  void first_requestDueAtAnEnd_belongsToTheWindowThatBegins() {
    Schedule schedule = new Schedule(2, List.of(SECOND, 2 * SECOND + 1, 3 * SECOND));

    assertThat(IntStream.rangeClosed(0, 3).map(schedule::first)).containsExactly(0, 2, 5, 6);
    assertThat(schedule.dueNanos(2)).isEqualTo(SECOND);
    assertThat(schedule.dueNanos(4)).isEqualTo(2 * SECOND);
  }

  @Test
  void first_everyWindow_isTheFirstDueAtOrAfterItsBegin() {
    List<Long> ends = List.of(123_456_789L, SECOND + 1, 7 * SECOND / 3, 10 * SECOND);
    Schedule schedule = new Schedule(7, ends);

    for (int window = 1; window < ends.size(); window++) {
      int first = schedule.first(window);
      assertThat(schedule.dueNanos(first)).isGreaterThanOrEqualTo(ends.get(window - 1));
      assertThat(schedule.dueNanos(first - 1)).isLessThan(ends.get(window - 1));
    }
  }

  @Test
  void count_rateZero_none() {
    Schedule idle = new Schedule(0, List.of(SECOND, 2 * SECOND));

    assertThat(idle.count()).isZero();
    assertThat(idle.first(1)).isZero();
    assertThat(idle.lengthNanos()).isEqualTo(2 * SECOND);
  }

  @Test
  void windows_withoutLength_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Schedule(1, List.of(SECOND, SECOND)));
    assertThatIllegalArgumentException().isThrownBy(() -> new Schedule(1, List.of()));
    assertThatIllegalArgumentException().isThrownBy(() -> new Schedule(-1, List.of(SECOND)));
  }
}
