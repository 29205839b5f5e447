package org.sluiceca.load.drive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TimetableTest {

  private static final long SECOND = 1_000_000_000L;

  private static List<Arrival> all(Timetable timetable) {
    List<Arrival> all = new ArrayList<>();
    for (Optional<Arrival> next = timetable.poll(); next.isPresent(); next = timetable.poll()) {
      all.add(next.get());
    }
    return all;
  }

  @Test
  void even_rateAndSpacingAreExact() {
    List<Arrival> all = all(new Timetable(List.of(100.0), false, 10 * SECOND, 1));

    assertThat(all).hasSizeBetween(999, 1000);
    for (int i = 1; i < all.size(); i++) {
      assertThat(all.get(i).afterNanos() - all.get(i - 1).afterNanos())
          .isCloseTo(SECOND / 100, within(1L));
    }
  }

  @Test
  void poisson_rateAndVarianceAreThoseOfManyClients() {
    List<Arrival> all = all(new Timetable(List.of(1000.0), true, 50 * SECOND, 1));

    // Five standard deviations of 50,000.
    assertThat(all).hasSizeBetween(48_900, 51_100);
    double meanSquare = 0;
    for (int i = 1; i < all.size(); i++) {
      double gap = (all.get(i).afterNanos() - all.get(i - 1).afterNanos()) / 1e6;
      meanSquare += gap * gap / all.size();
    }
    // Exponential gaps of mean 1 ms: the mean of the squares is twice the square of the mean.
    assertThat(meanSquare).isCloseTo(2, within(0.1));
  }

  @Test
  void requesters_keepTheirProportion() {
    List<Arrival> all = all(new Timetable(List.of(10.0, 200.0), true, 100 * SECOND, 3));

    long small = all.stream().filter(arrival -> arrival.requester() == 0).count();
    assertThat(small).isBetween(840L, 1160L);
    assertThat(all).isSortedAccordingTo((a, b) -> Long.compare(a.afterNanos(), b.afterNanos()));
    assertThat(all.getLast().afterNanos()).isLessThan(100 * SECOND);
  }

  @Test
  void seed_decidesTheTimes() {
    assertThat(all(new Timetable(List.of(50.0), true, SECOND, 7)))
        .isEqualTo(all(new Timetable(List.of(50.0), true, SECOND, 7)))
        .isNotEqualTo(all(new Timetable(List.of(50.0), true, SECOND, 8)));
  }
}
