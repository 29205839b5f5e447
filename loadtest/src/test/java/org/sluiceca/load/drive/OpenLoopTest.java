package org.sluiceca.load.drive;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.sluiceca.load.plan.Offer;

/** A service that stands still must not slow the generator, and must not look fast for it. */
class OpenLoopTest {

  private static final long SECOND = 1_000_000_000L;

  /** All of it was due before the test begins: the loop has nothing to wait for. */
  private static final int SECONDS_AGO = 10;

  private final AtomicInteger named = new AtomicInteger();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger waitingMost = new AtomicInteger();
  private final Queue<Exchange> journal = new ConcurrentLinkedQueue<>();

  private Exchange.Request name(String phase, String requester) {
    return new Exchange.Request("run-" + named.getAndIncrement(), phase, requester, 0);
  }

  private Exchange answer(Exchange.Request request, long due) {
    long now = System.nanoTime();
    Exchange exchange =
        new Exchange(request, 0, due, now, now, 201, Optional.of("s"), OptionalInt.empty(), false);
    journal.add(exchange);
    return exchange;
  }

  /**
   * Sends ten seconds of load, 20/s, to a service that answers no request until all have arrived.
   */
  private void run(ExecutorService threads, CountDownLatch allHaveAsked) {
    long now = System.nanoTime();
    OpenLoop.Stretch stretch =
        new OpenLoop.Stretch(
            "p", List.of(new Offer("a", 1)), 20, false, 1, now - SECONDS_AGO * SECOND, now);
    try (OpenLoop loop =
        new OpenLoop(
            this::name,
            (request, due) -> {
              waitingMost.accumulateAndGet(waiting.incrementAndGet(), Math::max);
              allHaveAsked.countDown();
              awaitLatch(allHaveAsked);
              waiting.decrementAndGet();
              return answer(request, due);
            },
            threads)) {
      loop.run(stretch);
      assertThat(loop.awaitQuiet(Duration.ofMinutes(2))).isTrue();
    }
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      if (!latch.await(60, TimeUnit.SECONDS)) {
        throw new AssertionError("requests wait for answers to others: the loop is closed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void serviceThatStands_everyRequestIsSentAllTheSame() {
    run(Executors.newVirtualThreadPerTaskExecutor(), new CountDownLatch(199));

    assertThat(waitingMost.get()).isGreaterThanOrEqualTo(199);
  }

  @Test
  void serviceThatStood_latencyCountsFromWhenRequestsWereDue() {
    run(Executors.newVirtualThreadPerTaskExecutor(), new CountDownLatch(199));

    double longest = journal.stream().mapToDouble(Exchange::latencyMillis).max().orElseThrow();
    double mean = journal.stream().mapToDouble(Exchange::latencyMillis).average().orElseThrow();
    assertThat(longest).isGreaterThan(9_900);
    assertThat(mean).isGreaterThan(4_900);
  }

  /** Planted: one thread for all, which sends a request when the one before has its answer. */
  @Test
  void closedLoop_isFoundOut() {
    run(Executors.newSingleThreadExecutor(), new CountDownLatch(1));

    assertThat(waitingMost.get()).isEqualTo(1);
  }
}
