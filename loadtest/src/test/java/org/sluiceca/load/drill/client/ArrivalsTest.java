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
      due.add(thirds.awaitDue(() -> false).orElseThrow() - HOUR_AGO);
    }

    assertThat(due.subList(0, 4)).containsExactly(0L, 333_333_333L, 666_666_666L, SECOND);
    assertThat(due.getLast()).isEqualTo(60 * SECOND);
  }

  /** The clients were all busy meanwhile: the waits of what was due must show it. */
  @Test
  void openLoop_clientsComeLate_dueAsIfTheyHadNot() throws InterruptedException {
    Arrivals arrivals = new Arrivals.OpenLoop(10, HOUR_AGO);

    assertThat(arrivals.awaitDue(() -> false)).hasValue(HOUR_AGO);
    assertThat(arrivals.awaitDue(() -> false)).hasValue(HOUR_AGO + SECOND / 10);
  }

  @Test
  void awaitDue_over_empty() throws InterruptedException {
    assertThat(new Arrivals.OpenLoop(1, HOUR_AGO).awaitDue(() -> true)).isEmpty();
    assertThat(Arrivals.closedLoop(Duration.ZERO).awaitDue(() -> true)).isEmpty();
  }

  @Test
  void closedLoop_dueOnlyWhenTheClientAsks() throws InterruptedException {
    long before = System.nanoTime();

    OptionalLong due = Arrivals.closedLoop(Duration.ZERO).awaitDue(() -> false);

    assertThat(due.orElseThrow() - before).isNotNegative();
  }

  @Test
  void openLoop_noRate_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Arrivals.openLoop(0));
  }
}
