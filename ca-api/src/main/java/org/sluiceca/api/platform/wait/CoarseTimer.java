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
   * Looks. The clock's thread parks until the earliest time that is waited for, and for LOOK_NANOS
   * at most. A thread that comes to wait registers first and then reads when the next look is; it
   * wakes the clock's thread if that is too late for it. Before the clock's thread looks at the
   * waiters it sets its next look to the latest possible time, and afterwards it only brings that
   * forward. So this look sees a thread that waits, or the thread sees when the next one is. A wait
   * for a signature may last LOOK_NANOS or longer and wakes nothing; one for a row of the ledger is
   * often shorter, and wakes the clock's thread if no look comes before its end.
   *
   * Rest. After LOOK_NANOS in which no thread came to wait, the clock's thread parks without end,
   * and its next look counts as too late for any thread.
   *
   * End. A thread that waits when the clock is closed, or when the clock's thread dies, is woken,
   * and waits by a timer of its own from then on.
   */

  /**
   * Between two looks at least, unless a thread that comes to wait asks for one; so any wait may
   * end late by up to this much. A fifth of the shortest time that can be configured, {@code
   * HsmSettings.CALL_TIMEOUT_MIN}; what is left of a request's deadline may be shorter than this.
   */
  static final long PRECISION_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** Between two looks while threads wait, at most. */
  static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

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

  /** On the scale of {@link System#nanoTime}; says nothing while the clock rests. */
  private volatile long nextLookNanos;

  private volatile boolean isResting;

  /** Since the last look; set only where it is not set, so that waiters do not share its writes. */
  private volatile boolean hasNewWaiter;

  private volatile boolean isClosed;

  /** Starts the clock's thread, a daemon. */
  public CoarseTimer(String name) {
    this(name, System::nanoTime);
  }

  /** The same that learns from {@code nanoTime} whose time is over. */
  CoarseTimer(String name, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.nextLookNanos = System.nanoTime() + LOOK_NANOS;
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
      if (!hasNewWaiter) {
        hasNewWaiter = true;
      }
      if (isResting || nextLookNanos - untilNanos > PRECISION_NANOS) {
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
        boolean hadNewWaiter = hasNewWaiter;
        hasNewWaiter = false;
        long begun = System.nanoTime();
        nextLookNanos = begun + LOOK_NANOS;
        long sleep = wakeLate();
        if (hadNewWaiter || !waiters.isEmpty()) {
          nextLookNanos = begun + sleep;
          // However long the look took, the next one comes when waiters were promised it.
          LockSupport.parkNanos(this, Math.max(1, begun + sleep - System.nanoTime()));
        } else {
          rest();
        }
      }
    } finally {
      isClosed = true;
      waiters.forEach(waiter -> LockSupport.unpark(waiter.thread));
    }
  }

  /** Wakes those whose time is over, and returns for how long no other's is. */
  private long wakeLate() {
    long now = nanoTime.getAsLong();
    long sleep = LOOK_NANOS;
    for (Waiter waiter : waiters) {
      long left = waiter.untilNanos - now;
      if (left <= 0) {
        LockSupport.unpark(waiter.thread);
      } else {
        sleep = Math.min(sleep, left);
      }
    }
    return Math.max(sleep, PRECISION_NANOS);
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
