package org.sluiceca.load.bench.idle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A CA that is slow neither delays what is due nor looks fast for it. */
@Timeout(60)
class LoadTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long SECOND = 1_000_000_000L;

  /** Two windows of a second, ten requests each. */
  private static final Schedule SCHEDULE = new Schedule(10, List.of(SECOND, 2 * SECOND));

  /** All of it was due before the test begins: there is nothing to wait for. */
  private static long tenSecondsAgo() {
    return System.nanoTime() - 10 * SECOND;
  }

  private static Outcomes run(Load.Caller... connections) throws InterruptedException {
    try (Load load = new Load(SCHEDULE, tenSecondsAgo(), PATIENCE)) {
      load.start(List.of(connections));
      return load.await();
    }
  }

  @Test
  void await_lateRequests_latencyCountsFromTheTimeWhenTheyWereDue() throws InterruptedException {
    Outcomes.Counts second = run(() -> Optional.empty()).of(1);

    assertThat(second.issued()).isEqualTo(10);
    // The last was due 8.1 s ago.
    assertThat(second.p50Millis()).isGreaterThanOrEqualTo(8_100);
    assertThat(second.maxMillis()).isGreaterThanOrEqualTo(9_000);
  }

  @Test
  void await_oneConnectionThatDoesNotAnswer_othersSendAllElse() throws InterruptedException {
    CountDownLatch allButOne = new CountDownLatch(19);
    Outcomes outcomes =
        run(
            () -> {
              awaitLatch(allButOne);
              return Optional.empty();
            },
            () -> {
              allButOne.countDown();
              return Optional.empty();
            });

    assertThat(outcomes.of(0).sent() + outcomes.of(1).sent()).isEqualTo(20);
    assertThat(outcomes.of(0).issued() + outcomes.of(1).issued()).isEqualTo(20);
  }

  @Test
  void await_refusalsAndFailures_countedByWindowAndNotAsLatency() throws InterruptedException {
    AtomicInteger calls = new AtomicInteger();
    Outcomes outcomes =
        run(
            () -> {
              int call = calls.getAndIncrement();
              if (call == 3) {
                throw new IOException("reset");
              }
              return call < 10 ? Optional.empty() : Optional.of("status 429");
            });

    assertThat(outcomes.of(0).issued()).isEqualTo(9);
    assertThat(outcomes.of(0).errors()).isEqualTo(1);
    assertThat(outcomes.of(1).other()).isEqualTo(10);
    assertThat(outcomes.of(1).p50Millis()).isNaN();
    assertThat(outcomes.of(1).words()).contains("p99Millis=unknown");
    assertThat(outcomes.fault()).hasValue("status 429");
  }

  @Test
  void close_waitsForRequestsOfAnHour_endsAtOnce() throws InterruptedException {
    CountDownLatch firstIsSent = new CountDownLatch(1);
    Schedule hour = new Schedule(1, List.of(3_600 * SECOND));
    Load load = new Load(hour, System.nanoTime(), PATIENCE);
    Load.Caller caller =
        () -> {
          firstIsSent.countDown();
          return Optional.empty();
        };
    load.start(Collections.nCopies(4, caller));
    firstIsSent.await();

    load.close();

    assertThat(load.await().of(0).sent()).isLessThan(3_600);
  }

  @Test
  void await_patienceIsOver_whatIsLeftIsNotSent() throws InterruptedException {
    try (Load load = new Load(SCHEDULE, tenSecondsAgo(), Duration.ZERO)) {
      load.start(List.of(() -> Optional.empty()));

      assertThat(load.await().of(0).sent()).isZero();
      assertThat(load.await().of(0).due()).isEqualTo(10);
    }
  }

  private static void awaitLatch(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
