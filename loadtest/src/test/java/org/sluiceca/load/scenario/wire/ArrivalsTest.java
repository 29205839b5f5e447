package org.sluiceca.load.scenario.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArrivalsTest {

  private static final double SECOND = 1e9;

  private static List<Arrivals.Due> all(Arrivals arrivals) {
    List<Arrivals.Due> all = new ArrayList<>();
    for (Optional<Arrivals.Due> due = arrivals.poll(); due.isPresent(); due = arrivals.poll()) {
      all.add(due.get());
    }
    return all;
  }

  @ParameterizedTest
  @CsvSource({"true,60,6000", "true,7,3", "true,1,10000", "false,60,6000", "true,300,48000"})
  void wave_hasItsCountWithinItsTime(boolean isPoisson, double seconds, int count) {
    Wave wave = new Wave(3, 10, seconds, count, 500);

    List<Arrivals.Due> due = all(new Arrivals(List.of(wave), isPoisson, 1));

    assertThat(due).hasSize(count).allMatch(one -> one.phase() == 3);
    assertThat(due).extracting(Arrivals.Due::afterNanos).isSorted();
    assertThat(due.getFirst().afterNanos()).isGreaterThanOrEqualTo((long) (10 * SECOND));
    assertThat(due.getLast().afterNanos()).isLessThanOrEqualTo((long) ((10 + seconds) * SECOND));
    assertThat(due).allMatch(one -> one.untilNanos() == (long) (500 * SECOND));
  }

  /** Or the generator would be late by its own making. */
  @ParameterizedTest
  @CsvSource({"60,6000", "7,3", "1,10000", "12,6", "300,300", "6,1200"})
  void users_comeToLifeBeforeTheirRequestIsDue(double seconds, int count) {
    List<Arrivals.Due> due =
        all(new Arrivals(List.of(new Wave(0, 0, seconds, count, 500)), true, 7));

    for (int i = 0; i < count; i++) {
      double born = i * seconds / count - Terms.LEAD_SECONDS;
      assertThat(due.get(i).afterNanos() / SECOND).as("request %d", i).isGreaterThan(born + 1);
    }
  }

  @Test
  void seeds_makeTheTimes() {
    List<Wave> waves = List.of(new Wave(0, 0, 20, 100, 60), new Wave(2, 30, 10, 50, 60));

    List<Arrivals.Due> one = all(new Arrivals(waves, true, 1));

    assertThat(one).isEqualTo(all(new Arrivals(waves, true, 1))).hasSize(150);
    assertThat(one).isNotEqualTo(all(new Arrivals(waves, true, 2)));
    assertThat(one.get(100).phase()).isEqualTo(2);
    assertThat(one.get(100).afterNanos()).isGreaterThanOrEqualTo((long) (30 * SECOND));
  }

  /** Of a Poisson process the gaps' deviation is their mean; an even one has none. */
  @Test
  void chance_isThatOfManyClients() {
    List<Arrivals.Due> due = all(new Arrivals(List.of(new Wave(0, 0, 100, 20_000, 500)), true, 3));

    double mean = 0.005;
    double squares = 0;
    for (int i = 1; i < due.size(); i++) {
      double gap = (due.get(i).afterNanos() - due.get(i - 1).afterNanos()) / SECOND;
      squares += (gap - mean) * (gap - mean);
    }

    assertThat(Math.sqrt(squares / due.size())).isBetween(0.9 * mean, 1.1 * mean);
  }

  @Test
  void nothing_isDueInNoWaves() {
    assertThat(new Arrivals(List.of(), true, 1).poll()).isEmpty();
  }
}
