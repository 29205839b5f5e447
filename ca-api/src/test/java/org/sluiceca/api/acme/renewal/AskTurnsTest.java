package org.sluiceca.api.acme.renewal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluiceca.api.acme.answer.AcmeProblem;

@Timeout(60)
class AskTurnsTest {

  private static final Optional<String> GREEDY = Optional.of("192.0.2.0/24");
  private static final Optional<String> GREEDY_TOO = Optional.of("203.0.113.0/24");
  private static final Optional<String> OTHER = Optional.of("198.51.100.0/24");

  /** Its answers last until they are let go; the slots that it may not have are free. */
  @Test
  void inTurn_oneNetworkAsksForEverything_anotherIsAnsweredAtOnce() throws Exception {
    AskTurns turns = new AskTurns(Duration.ofSeconds(50));
    Semaphore letGo = new Semaphore(0);
    CountDownLatch itsSlots = new CountDownLatch(AskTurns.AT_ONCE_OF_ONE);
    AtomicInteger atOnce = new AtomicInteger();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      try {
        for (int i = 0; i < AskTurns.AT_ONCE; i++) {
          threads.execute(
              () ->
                  turns.inTurn(
                      GREEDY,
                      () -> {
                        int now = atOnce.incrementAndGet();
                        itsSlots.countDown();
                        letGo.acquireUninterruptibly();
                        return now;
                      }));
        }
        itsSlots.await();

        assertThat(turns.inTurn(OTHER, atOnce::get)).isEqualTo(AskTurns.AT_ONCE_OF_ONE);
      } finally {
        letGo.release(AskTurns.AT_ONCE);
      }
    }
    // All of them were answered in the end.
    assertThat(atOnce).hasValue(AskTurns.AT_ONCE);
  }

  /** More than all slots and places together: each answer of theirs lasts until it is let go. */
  @Test
  void inTurn_twoNetworksAskForEverything_anotherIsAnsweredNext() throws Exception {
    AskTurns turns = new AskTurns(Duration.ofSeconds(50));
    Semaphore letGo = new Semaphore(0);
    CountDownLatch allBusy = new CountDownLatch(AskTurns.AT_ONCE);
    CountDownLatch refused = new CountDownLatch(1);
    AtomicInteger answered = new AtomicInteger();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      try {
        for (int i = 0; i < 4 * AskTurns.WAITING_MAX; i++) {
          Optional<String> network = i % 2 == 0 ? GREEDY : GREEDY_TOO;
          threads.execute(
              () -> {
                try {
                  int _ =
                      turns.inTurn(
                          network,
                          () -> {
                            allBusy.countDown();
                            letGo.acquireUninterruptibly();
                            return answered.incrementAndGet();
                          });
                } catch (AcmeProblem e) {
                  refused.countDown();
                }
              });
        }
        allBusy.await();
        refused.await();

        // One of each greedy network was before it, or two of one that has a slot again.
        CompletableFuture<Integer> before = new CompletableFuture<>();
        Thread other =
            Thread.ofVirtual().start(() -> before.complete(turns.inTurn(OTHER, answered::get)));
        while (other.getState() != Thread.State.TIMED_WAITING && other.isAlive()) {
          Thread.onSpinWait();
        }
        letGo.release(3);

        assertThat(before.get(50, TimeUnit.SECONDS)).isLessThanOrEqualTo(3);
      } finally {
        letGo.release(5 * AskTurns.WAITING_MAX);
      }
    }
  }

  @Test
  void inTurn_noneFreeInTime_refusedWithRetryAfter() throws Exception {
    AskTurns turns = new AskTurns(Duration.ZERO);
    CountDownLatch allBusy = new CountDownLatch(AskTurns.AT_ONCE);
    CountDownLatch done = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      try {
        for (int i = 0; i < AskTurns.AT_ONCE; i++) {
          Optional<String> network = i % 2 == 0 ? GREEDY : GREEDY_TOO;
          threads.execute(
              () ->
                  turns.inTurn(
                      network,
                      () -> {
                        allBusy.countDown();
                        await(done);
                        return 0;
                      }));
        }
        allBusy.await();

        assertThatExceptionOfType(AcmeProblem.class)
            .isThrownBy(() -> turns.inTurn(OTHER, () -> 1))
            .satisfies(e -> assertThat(e.retryAfter()).isPresent());
      } finally {
        done.countDown();
      }
    }
    // What ended gave its slot back.
    assertThat(turns.inTurn(OTHER, () -> 1)).isOne();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
