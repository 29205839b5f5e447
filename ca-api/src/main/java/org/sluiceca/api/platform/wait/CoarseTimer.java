package org.sluiceca.api.platform.wait;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Lets threads wait until a time without a timer of their own: one thread looks after all that wait
 * and wakes those whose time is over, up to {@link #PRECISION_NANOS} late. For waits that nearly
 * always end before their time, by {@link LockSupport#unpark}. Thread-safe.
 */
public final class CoarseTimer implements AutoCloseable {

  /*
   * Why. The JDK hands each timed wait of a virtual thread to one thread that keeps all timers,
   * wakes that thread for it, and wakes it again to take the timer back. An enrollment waits four
   * times, and hardly ever as long as it may (docs/performance/SPEED.md).
   *
   * Rest. While no thread waits, the clock's thread parks without end. A thread that comes to wait
   * registers first and then looks whether the clock's thread rests; the clock's thread says that
   * it rests and then looks whether any thread has registered. So one of the two sees the other.
   *
   * End. A thread that waits when the clock is closed, or when the clock's thread dies, is woken,
   * and waits by a timer of its own from then on.
   */

  /**
   * Five looks in the shortest time that can be configured, {@code HsmSettings.CALL_TIMEOUT_MIN};
   * 50 a second cost nothing. Of a request's deadline less may be left: it then ends late by up to
   * this much.
   */
  static final long PRECISION_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** Compared by identity. */
  private static final class Waiter {
    private final Thread thread = Thread.currentThread();
    private final long untilNanos;

    Waiter(long untilNanos) {
      this.untilNanos = untilNanos;
    }
  }

  // One entry a waiting thread, whose number is bounded by what it waits for.
  private final Set<Waiter> waiters = ConcurrentHashMap.newKeySet();
  private final LongSupplier nanoTime;
  private final Thread thread;
  private volatile boolean isResting;
  private volatile boolean isClosed;

  /** Starts the clock's thread, a daemon. */
  public CoarseTimer(String name) {
    this(name, System::nanoTime);
  }

  /** The same that learns from {@code nanoTime} whose time is over. */
  CoarseTimer(String name, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.thread = Thread.ofPlatform().daemon().name(name).start(this::run);
  }

  /**
   * Parks the calling thread until it is unparked or interrupted, or its time is over; may return
   * sooner for no reason, as {@link LockSupport#park} does, so callers look again.
   *
   * @param untilNanos on {@link System#nanoTime}'s scale; one that has passed ends at the next look
   */
  public void park(Object blocker, long untilNanos) {
    Waiter waiter = new Waiter(untilNanos);
    waiters.add(waiter);
    try {
      if (isClosed) {
        LockSupport.parkNanos(blocker, Math.max(1, untilNanos - System.nanoTime()));
        return;
      }
      if (isResting) {
        LockSupport.unpark(thread);
      }
      LockSupport.park(blocker);
    } finally {
      waiters.remove(waiter);
    }
  }

  /** Returns how many threads wait now. */
  int waiting() {
    return waiters.size();
  }

  private void run() {
    try {
      while (!isClosed) {
        wakeLate();
        if (waiters.isEmpty()) {
          rest();
        } else {
          LockSupport.parkNanos(this, PRECISION_NANOS);
        }
      }
    } finally {
      isClosed = true;
      waiters.forEach(waiter -> LockSupport.unpark(waiter.thread));
    }
  }

  private void wakeLate() {
    long now = nanoTime.getAsLong();
    for (Waiter waiter : waiters) {
      if (now - waiter.untilNanos >= 0) {
        LockSupport.unpark(waiter.thread);
      }
    }
  }

  private void rest() {
    isResting = true;
    if (waiters.isEmpty() && !isClosed) {
      LockSupport.park(this);
    }
    isResting = false;
  }

  /** Ends the clock's thread, without waiting for it. */
  @Override
  public void close() {
    isClosed = true;
    LockSupport.unpark(thread);
  }
}
