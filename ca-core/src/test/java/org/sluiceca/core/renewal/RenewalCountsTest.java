package org.sluiceca.core.renewal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.renewal.RenewalCounts.Day;

class RenewalCountsTest {

  private static final LocalDate TODAY = LocalDate.of(2026, 11, 28);
  private static final Duration QUARTER = Duration.ofDays(90);

  private static Day day(Duration life, int day, long certificates) {
    return new Day(life, TODAY.plusDays(day), certificates);
  }

  private static long most(List<Day> days, Duration life) {
    return RenewalCounts.of(days).load(life, 1).certificates();
  }

  @Test
  void load_steadyStream_halfALife() {
    List<Day> steady = IntStream.range(0, 90).mapToObj(d -> day(QUARTER, d, 10)).toList();

    assertThat(most(steady, QUARTER)).isEqualTo(450);
  }

  @Test
  void load_burstBetweenGaps_itsWindowAlone() {
    List<Day> days = List.of(day(QUARTER, 0, 7), day(QUARTER, 44, 100), day(QUARTER, 89, 50));

    // The days 0 and 44 are within 45 days, 44 and 89 are not.
    assertThat(most(days, QUARTER)).isEqualTo(107);
  }

  @Test
  void load_anotherLife_countsAlone() {
    List<Day> days = List.of(day(QUARTER, 3, 7), day(Duration.ofDays(6), 3, 1_000));

    assertThat(most(days, QUARTER)).isEqualTo(7);
    assertThat(most(days, Duration.ofDays(6))).isEqualTo(1_000);
    assertThat(most(days, Duration.ofDays(800))).isZero();
  }

  @Test
  void load_lifeOfAnHour_wholeDay() {
    List<Day> days = List.of(day(Duration.ofHours(1), 0, 24), day(Duration.ofHours(1), 1, 5));

    assertThat(most(days, Duration.ofHours(1))).isEqualTo(24);
  }

  @Test
  void of_nothing_noClasses() {
    assertThat(RenewalCounts.of(List.of()).all()).isEmpty();
    assertThat(RenewalCounts.none().load(QUARTER, 1)).isEqualTo(RenewalLoad.UNKNOWN);
  }
}
