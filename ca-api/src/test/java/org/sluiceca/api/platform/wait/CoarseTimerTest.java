package org.sluiceca.api.platform.wait;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.platform.store.Await;

class CoarseTimerTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final CoarseTimer clock = new CoarseTimer("clock under test");
  private final AtomicBoolean isOver = new AtomicBoolean();

  @AfterEach
  void end() {
    clock.close();
  }

  /** Waits as its callers do, until it is woken or its time is over. */
  private void await(long untilNanos) {
    while (!isOver.get() && System.nanoTime() - untilNanos < 0) {
      clock.park(this, untilNanos);
    }
  }

  private static long in(Duration time) {
    return System.nanoTime() + time.toNanos();
  }

  @Test
  void park_timeOver_wokenNotBefore() {
    long until = in(Duration.ofMillis(50));

    await(until);

    assertThat(System.nanoTime() - until).isNotNegative();
    assertThat(clock.waiting()).isZero();
  }

  @Test
  void park_unparked_endsLongBeforeItsTime() throws Exception {
    Thread waiter = Thread.ofVirtual().start(() -> await(in(PATIENCE.multipliedBy(10))));
    Await.until("it waits", () -> clock.waiting() == 1);

    isOver.set(true);
    LockSupport.unpark(waiter);

    assertThat(waiter.join(PATIENCE)).isTrue();
    assertThat(clock.waiting()).isZero();
  }

  /** Each finds the clock at rest, or just going to rest: none may be missed. */
  @Test
  void park_oneAfterTheOther_allAreWoken() {
    for (int i = 0; i < 50; i++) {
      long until = in(Duration.ofMillis(1));
      await(until);
      assertThat(System.nanoTime() - until).isNotNegative();
    }
  }

  /** The clock sleeps for the long wait, and must be woken for the short one. */
  @Test
  void park_whileAnotherWaitsLonger_wokenAtItsTime() throws Exception {
    Thread waiter = Thread.ofVirtual().start(() -> await(in(PATIENCE.multipliedBy(10))));
    Await.until("it waits", () -> clock.waiting() == 1);

    for (int i = 0; i < 20; i++) {
      long until = in(Duration.ofMillis(30));
      await(until);
      assertThat(System.nanoTime() - until).isNotNegative();
    }

    isOver.set(true);
    LockSupport.unpark(waiter);
    assertThat(waiter.join(PATIENCE)).isTrue();
  }

  @Test
  void park_unparkedAgainAndAgain_clockIsNotWokenForEach() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    try (CoarseTimer counted =
        new CoarseTimer(
            "clock that counts",
            () -> {
              looks.incrementAndGet();
              return System.nanoTime();
            })) {
      for (int i = 0; i < 500; i++) {
        Thread waiter =
            Thread.ofVirtual().start(() -> counted.park(this, in(PATIENCE.multipliedBy(10))));
        Await.until("it waits, or has", () -> counted.waiting() == 1 || !waiter.isAlive());
        LockSupport.unpark(waiter);
        assertThat(waiter.join(PATIENCE)).isTrue();
      }
    }

    assertThat(looks).hasValueLessThan(250);
  }

  /**
   * The clock's thread is held up between two readings of the time, until the wait is over. A clock
   * that counted the next look from there would wake the waiter as late as the wait was long. Of
   * several waits one is enough: the machine may be busy.
   */
  @Test
  void park_clockStallsInItsLook_waitDoesNotEndLateByThat() {
    AtomicLong stallUntil = new AtomicLong();
    AtomicBoolean hasStalled = new AtomicBoolean();
    Duration wait = Duration.ofMillis(300);
    List<Duration> late = new ArrayList<>();
    try (CoarseTimer stalling =
        new CoarseTimer(
            "clock that stalls",
            () -> {
              long now = System.nanoTime();
              long until = stallUntil.getAndSet(0);
              hasStalled.compareAndSet(false, until != 0);
              while (until != 0 && System.nanoTime() - until < 0) {
                Thread.onSpinWait();
              }
              return now;
            })) {
      // So that the look that stalls is the one that sees the waiter.
      for (long soon = in(Duration.ofMillis(1)); System.nanoTime() - soon < 0; ) {
        stalling.park(this, soon);
      }
      do {
        long until = in(wait);
        hasStalled.set(false);
        stallUntil.set(until);
        while (System.nanoTime() - until < 0) {
          stalling.park(this, until);
        }
        late.add(Duration.ofNanos(System.nanoTime() - until));
        assertThat(hasStalled).isTrue();
      } while (late.getLast().compareTo(wait.dividedBy(2)) >= 0 && late.size() < 10);
    }

    assertThat(late).anyMatch(time -> time.compareTo(wait.dividedBy(2)) < 0);
  }

  @Test
  void park_manyAtOnce_eachIsWokenAtItsTime() throws Exception {
    CountDownLatch ended = new CountDownLatch(500);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      long until = in(Duration.ofMillis(i));
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    await(until);
                    if (System.nanoTime() - until >= 0) {
                      ended.countDown();
                    }
                  }));
    }

    assertThat(ended.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    for (Thread thread : threads) {
      assertThat(thread.join(PATIENCE)).isTrue();
    }
  }

  @Test
  void park_interrupted_endsAndStaysInterrupted() throws Exception {
    AtomicBoolean isInterrupted = new AtomicBoolean();
    Thread waiter =
        Thread.ofVirtual()
            .start(
                () -> {
                  while (!Thread.currentThread().isInterrupted()) {
                    clock.park(this, in(PATIENCE.multipliedBy(10)));
                  }
                  isInterrupted.set(true);
                });
    Await.until("it waits", () -> clock.waiting() == 1);

    waiter.interrupt();

    assertThat(waiter.join(PATIENCE)).isTrue();
    assertThat(isInterrupted).isTrue();
  }

  @Test
  void park_clockHasDied_stillEndsAtItsTime() {
    AtomicBoolean isDead = new AtomicBoolean();
    try (CoarseTimer dying =
        new CoarseTimer(
            "clock that dies",
            () -> {
              isDead.set(true);
              throw new IllegalStateException("planted");
            })) {
      Await.until("it is dead", isDead::get);
      long until = in(Duration.ofMillis(50));

      while (System.nanoTime() - until < 0) {
        dying.park(this, until);
      }

      assertThat(dying.waiting()).isZero();
    }
  }

  @Test
  void close_whoWaits_stillEndsAtItsTime() throws Exception {
    long until = in(Duration.ofMillis(300));
    Thread waiter = Thread.ofVirtual().start(() -> await(until));
    Await.until("it waits, or has", () -> clock.waiting() == 1 || !waiter.isAlive());

    clock.close();
    long later = in(Duration.ofMillis(10));
    await(later);

    assertThat(System.nanoTime() - later).isNotNegative();
    assertThat(waiter.join(PATIENCE)).isTrue();
    assertThat(System.nanoTime() - until).isNotNegative();
  }
}
