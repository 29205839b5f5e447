package org.sluiceca.hsm.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluiceca.hsm.LaneShares;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SignSchedule;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.limit.Limiter;

/**
 * What ends the waits at a lane. Waits that a signal has to end last for an hour here, so a signal
 * that is missing ends a test by its time limit.
 */
@Timeout(60)
class LaneWaitsTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final SignatureClass CLASS = new SignatureClass(Mechanism.ED25519, 255);

  private final ReentrantLock lock = new ReentrantLock();
  private final LaneState<String> state =
      new LaneState<>(10, LaneShares.EQUAL, Limiter.fixed(4, 0), new ServiceTimes());

  /** Starts threads that wait for work once, and returns when all of them wait. */
  private List<Thread> waiting(LaneWaits waits, int count) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Thread thread = taker(waits);
      threads.add(thread);
      // Only the wait for work has a limit; that for the lock has none.
      LaneThreads.await(() -> thread.getState() == Thread.State.TIMED_WAITING);
    }
    return threads;
  }

  private Thread taker(LaneWaits waits) {
    return taker(waits, false);
  }

  private Thread setBack(LaneWaits waits) throws InterruptedException {
    Thread thread = taker(waits, true);
    LaneThreads.await(() -> thread.getState() == Thread.State.TIMED_WAITING);
    return thread;
  }

  private Thread taker(LaneWaits waits, boolean isSetBack) {
    return Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              lock.lock();
              try {
                Take<String> _ = state.take(waits.awaitStart(isSetBack));
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } finally {
                lock.unlock();
              }
            });
  }

  private LaneWaits waits(Duration lookoutWait) {
    return new LaneWaits(lock, state, HOUR, lookoutWait);
  }

  private void locked(Runnable action) {
    lock.lock();
    try {
      action.run();
    } finally {
      lock.unlock();
    }
  }

  private Ticket<String> offer() {
    long now = System.nanoTime();
    return state.offer("job", CLASS, SignSchedule.by(now + HOUR.toNanos()), now).orElseThrow();
  }

  private static void joinAll(List<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Test
  void awaitStart_lookoutLeaves_anotherTakesItsPlace() throws InterruptedException {
    LaneWaits waits = waits(Duration.ofMillis(200));

    joinAll(List.of(taker(waits), taker(waits), taker(waits)));
  }

  @Test
  void signalIfOneStarts_severalWait_theLastToComeTakesTheJob() throws InterruptedException {
    LaneWaits waits = waits(HOUR);
    List<Thread> threads = waiting(waits, 3);

    locked(
        () -> {
          Ticket<String> _ = offer();
          waits.signalIfOneStarts(System.nanoTime());
        });

    threads.getLast().join();
    assertThat(threads.subList(0, 2))
        .allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING);
    locked(waits::close);
    joinAll(threads);
  }

  /** Otherwise one bad session, which is soonest back, would get one job after another. */
  @Test
  void signalIfOneStarts_lastToComeIsSetBack_anotherTakesTheJob() throws InterruptedException {
    // The other is the lookout, which is last among those that are not set back.
    LaneWaits waits = waits(HOUR);
    List<Thread> threads = waiting(waits, 1);
    Thread setBack = setBack(waits);

    locked(
        () -> {
          Ticket<String> _ = offer();
          waits.signalIfOneStarts(System.nanoTime());
        });

    joinAll(threads);
    // The next lookout.
    LaneThreads.await(() -> setBack.getState() == Thread.State.TIMED_WAITING);
    locked(waits::close);
    setBack.join();
  }

  @Test
  void awaitStart_setBackAndAnotherWaits_leavesTheJobToThat() throws InterruptedException {
    LaneWaits waits = waits(HOUR);
    List<Thread> threads = waiting(waits, 2);
    locked(
        () -> {
          // Without a signal: a thread that comes would take it.
          Ticket<String> _ = offer();
        });

    Thread setBack = setBack(waits);

    threads.getLast().join();
    assertThat(setBack.getState()).isEqualTo(Thread.State.TIMED_WAITING);
    locked(waits::close);
    setBack.join();
    joinAll(threads);
  }

  @Test
  void awaitStart_allAreSetBack_eachGetsAJob() throws InterruptedException {
    LaneWaits waits = waits(HOUR);
    List<Thread> threads = List.of(setBack(waits), setBack(waits), setBack(waits));

    for (int i = 0; i < 3; i++) {
      locked(
          () -> {
            Ticket<String> _ = offer();
            waits.signalIfOneStarts(System.nanoTime());
          });
      LaneThreads.await(this::isQueueEmpty);
    }

    joinAll(threads);
  }

  private boolean isQueueEmpty() {
    lock.lock();
    try {
      return state.snapshot().queueDepth() == 0;
    } finally {
      lock.unlock();
    }
  }

  @Test
  void awaitStart_setBackAndAlone_takesTheJob() throws InterruptedException {
    LaneWaits waits = waits(HOUR);
    locked(
        () -> {
          Ticket<String> _ = offer();
        });

    taker(waits, true).join();
  }

  /** The last to come gets each job, but the others come again when they have waited for long. */
  @Test
  void awaitStart_oneJobAtATime_everyThreadGetsOne() throws InterruptedException {
    LaneWaits waits = new LaneWaits(lock, state, Duration.ofMillis(100), HOUR);
    Set<Thread> served = ConcurrentHashMap.newKeySet();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      threads.add(Thread.ofPlatform().daemon().start(() -> serve(waits, served, 3)));
    }

    while (served.size() < 3) {
      locked(
          () -> {
            if (!state.isAwaited()) {
              Ticket<String> _ = offer();
              waits.signalIfOneStarts(System.nanoTime());
            }
          });
      Thread.onSpinWait();
    }

    locked(waits::close);
    joinAll(threads);
  }

  private void serve(LaneWaits waits, Set<Thread> served, int all) {
    while (served.size() < all) {
      lock.lock();
      try {
        if (state.take(waits.awaitStart(false)) instanceof Take.Run<String>(Ticket<String> job)) {
          served.add(Thread.currentThread());
          assertThat(state.finish(job, 1, System.nanoTime())).isTrue();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } finally {
        lock.unlock();
      }
    }
  }

  @Test
  void signalIfOneStarts_onlyTheLookoutWaits_takesTheJobAndTheNextIsLookout()
      throws InterruptedException {
    LaneWaits waits = waits(Duration.ofSeconds(1));
    List<Thread> threads = waiting(waits, 1);

    locked(
        () -> {
          Ticket<String> _ = offer();
          waits.signalIfOneStarts(System.nanoTime());
        });

    joinAll(threads);
    joinAll(waiting(waits, 2));
  }

  @Test
  void checkSessions_everyThreadReturnsOnce() throws InterruptedException {
    LaneWaits waits = waits(HOUR);
    List<Thread> threads = waiting(waits, 3);

    locked(waits::checkSessions);

    joinAll(threads);
    List<Thread> later = waiting(waits, 1);
    locked(waits::close);
    joinAll(later);
  }

  @Test
  void close_everyThreadReturnsAndNoneWaitsAfterwards() throws InterruptedException {
    LaneWaits waits = waits(HOUR);
    List<Thread> threads = waiting(waits, 3);

    locked(waits::close);

    joinAll(threads);
    joinAll(List.of(taker(waits)));
  }

  @Test
  void signalAllIfOneStarts_severalJobs_severalThreadsTakeThem() throws InterruptedException {
    LaneWaits waits = waits(HOUR);
    List<Thread> threads = waiting(waits, 3);

    locked(
        () -> {
          for (int i = 0; i < 3; i++) {
            Ticket<String> _ = offer();
          }
          waits.signalAllIfOneStarts(System.nanoTime());
        });

    joinAll(threads);
  }

  @Test
  void awaitIdle_lastJobEnds_returns() throws InterruptedException {
    LaneWaits waits = waits(HOUR);
    Ticket<String> job = offer();
    assertThat(state.take(System.nanoTime())).isInstanceOf(Take.Run.class);
    Thread closing =
        Thread.ofPlatform().daemon().start(() -> locked(() -> waits.awaitIdle(HOUR.toNanos())));
    LaneThreads.await(() -> closing.getState() == Thread.State.TIMED_WAITING);

    locked(
        () -> {
          assertThat(state.finish(job, 1, System.nanoTime())).isTrue();
          waits.ended();
        });

    closing.join();
  }

  @Test
  void awaitIdle_interrupted_returnsAndKeepsTheInterrupt() throws InterruptedException {
    LaneWaits waits = waits(HOUR);
    Ticket<String> _ = offer();
    List<Boolean> interrupted = new ArrayList<>();
    Thread closing =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  locked(() -> waits.awaitIdle(HOUR.toNanos()));
                  interrupted.add(Thread.currentThread().isInterrupted());
                });
    LaneThreads.await(() -> closing.getState() == Thread.State.TIMED_WAITING);

    closing.interrupt();

    closing.join();
    assertThat(interrupted).containsExactly(true);
  }
}
