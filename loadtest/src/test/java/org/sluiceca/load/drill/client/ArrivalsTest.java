package org.sluiceca.load.drill.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ArrivalsTest {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /** All of it is past: no request is waited for. */
  private static final long HOUR_AGO = System.nanoTime() - 3_600 * SECOND;

  @Test
  void openLoop_rateThatDividesNoSecond_doesNotDrift() throws InterruptedException {
    Arrivals thirds = new Arrivals.OpenLoop(3, HOUR_AGO);

    List<Long> due = new ArrayList<>();
    for (int i = 0; i < 3 * 60 + 1; i++) {
      due.add(thirds.awaitDue(OptionalLong::empty).orElseThrow() - HOUR_AGO);
    }

    assertThat(due.subList(0, 4)).containsExactly(0L, 333_333_333L, 666_666_666L, SECOND);
    assertThat(due.getLast()).isEqualTo(60 * SECOND);
  }

  /** The clients were all busy meanwhile: the waits of what was due must show it. */
  @Test
  void openLoop_clientsComeLate_dueAsIfTheyHadNot() throws InterruptedException {
    Arrivals arrivals = new Arrivals.OpenLoop(10, HOUR_AGO);

    assertThat(arrivals.awaitDue(OptionalLong::empty)).hasValue(HOUR_AGO);
    assertThat(arrivals.awaitDue(OptionalLong::empty)).hasValue(HOUR_AGO + SECOND / 10);
  }

  /** The service stood still: what was due meanwhile is asked for, and nothing after that. */
  @Test
  void openLoop_ended_handsOutWhatWasDueBefore() throws InterruptedException {
    Arrivals arrivals = new Arrivals.OpenLoop(10, HOUR_AGO);
    OptionalLong end = OptionalLong.of(HOUR_AGO + SECOND / 5);

    assertThat(arrivals.awaitDue(() -> end)).hasValue(HOUR_AGO);
    assertThat(arrivals.awaitDue(() -> end)).hasValue(HOUR_AGO + SECOND / 10);
    assertThat(arrivals.awaitDue(() -> end)).isEmpty();
    assertThat(arrivals.awaitDue(() -> end)).isEmpty();
  }

  /** Nothing is waited for that would be due after the end. */
  @Test
  void openLoop_endedBeforeTheNextIsDue_empty() throws InterruptedException {
    Arrivals future = new Arrivals.OpenLoop(1, HOUR_AGO + 7_200 * SECOND);

    assertThat(future.awaitDue(() -> OptionalLong.of(HOUR_AGO))).isEmpty();
  }

  @Test
  void closedLoop_ended_empty() throws InterruptedException {
    assertThat(Arrivals.closedLoop(Duration.ZERO).awaitDue(() -> OptionalLong.of(HOUR_AGO)))
        .isEmpty();
  }

  @Test
  void closedLoop_dueOnlyWhenTheClientAsks() throws InterruptedException {
    long before = System.nanoTime();

    OptionalLong due = Arrivals.closedLoop(Duration.ZERO).awaitDue(OptionalLong::empty);

    assertThat(due.orElseThrow() - before).isNotNegative();
  }

  @Test
  void openLoop_noRate_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Arrivals.openLoop(0));
  }
}
