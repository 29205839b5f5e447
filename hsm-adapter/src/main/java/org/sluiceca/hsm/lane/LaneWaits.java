package org.sluiceca.hsm.lane;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The waits at a lane: of its session threads for work, and of the thread that closes it for the
 * end of the work; and the signals that end them. Every method is called with the lane's lock held,
 * which a wait releases.
 */
final class LaneWaits {

  /*
   * Which thread gets a job. The one that came last: its session and its stack are in the
   * processor's caches still, which counts where few certificates are asked for. A thread that has
   * waited for TAKE_WAIT without a job leaves and comes again, and is the last then. So each session
   * gets a job now and then, and one that has died is found before a burst needs it.
   *
   * Threads that are set back. A thread whose job failed is often back sooner than one that signs,
   * and would get one job after another. Until TAKE_WAIT has passed or a job of it has succeeded it
   * waits behind all others, and leaves even a job that may start to another one that waits. So a
   * bad session costs one job in that time while other sessions wait, rarely more: a thread whose
   * wait ends by its time takes what is there.
   */

  /**
   * Waits end by a signal; the bound only limits the wait when a signal is lost, and how long a
   * session goes unnoticed that another token's recovery has ended in a module that both share. One
   * thread that wakes each second is enough for the first; 40 of them take 0.1 % of a core.
   */
  static final Duration TAKE_WAIT = Duration.ofSeconds(30);

  /** Of one of the threads that wait. */
  static final Duration LOOKOUT_WAIT = Duration.ofSeconds(1);

  private final ReentrantLock lock;
  private final LaneState<?> state;
  private final long takeWaitNanos;
  private final long lookoutWaitNanos;

  /** Session threads without work, the last that came first, without the lookout. */
  private final ArrayDeque<Condition> waiting = new ArrayDeque<>();

  /** Those that are set back, the first that came first, without the lookout. */
  private final ArrayDeque<Condition> setBack = new ArrayDeque<>();

  /** Of the session thread without work that waits for a second only. */
  private @Nullable Condition lookout;

  /** A job was ended. */
  private final Condition workEnded;

  private boolean closed;

  /**
   * How often waiting session threads were woken to check their sessions: the token was lost, or is
   * back.
   */
  private long sessionChecks;

  /**
   * The waits of a lane at its start.
   *
   * @param lock the lane's, which guards {@code state} as well
   * @param takeWait the longest wait of a session thread for work
   * @param lookoutWait the longest wait of one of these threads
   */
  LaneWaits(ReentrantLock lock, LaneState<?> state, Duration takeWait, Duration lookoutWait) {
    this.state = state;
    this.takeWaitNanos = takeWait.toNanos();
    this.lookoutWaitNanos = lookoutWait.toNanos();
    this.lock = lock;
    this.workEnded = lock.newCondition();
  }

  /**
   * Waits until a job may start, or it is time to look at the session; returns the time then.
   *
   * @param isSetBack whether other threads go first
   */
  long awaitStart(boolean isSetBack) throws InterruptedException {
    Condition own = lock.newCondition();
    boolean isLookout = false;
    try {
      long before = sessionChecks;
      long now = System.nanoTime();
      long until = now + takeWaitNanos;
      while (!closed && sessionChecks == before && now - until < 0) {
        long startsIn = state.startsInNanos(now).orElse(Long.MAX_VALUE);
        if (startsIn <= 0) {
          if (!isSetBack || !signalAnother(own)) {
            return now;
          }
          startsIn = Long.MAX_VALUE;
        }
        if (lookout == null) {
          lookout = own;
          isLookout = true;
          until = now + Math.min(until - now, lookoutWaitNanos);
        }
        if (!isLookout) {
          enter(own, isSetBack);
        }
        long _ = own.awaitNanos(Math.min(until - now, startsIn));
        now = System.nanoTime();
      }
      return now;
    } finally {
      // Unless a signal has taken it out.
      boolean _ = waiting.remove(own) || setBack.remove(own);
      if (isLookout) {
        lookout = null;
        // Its successor: this thread may come back late. One that waits wakes no other by that.
        signal();
      }
    }
  }

  private void enter(Condition own, boolean isSetBack) {
    if (waiting.contains(own) || setBack.contains(own)) {
      return;
    }
    if (isSetBack) {
      setBack.addLast(own);
    } else {
      waiting.addFirst(own);
    }
  }

  /** Wakes a thread that goes before one that is set back; returns false if none waits. */
  private boolean signalAnother(Condition own) {
    boolean isThere = !waiting.isEmpty() || (lookout != null && !lookout.equals(own));
    if (isThere) {
      signal();
    }
    return isThere;
  }

  /** Wakes one thread. The lookout comes late, since another has to take its place. */
  private void signal() {
    Condition next = waiting.pollFirst();
    if (next == null) {
      next = lookout == null ? setBack.pollFirst() : lookout;
    }
    if (next != null) {
      next.signal();
    }
  }

  private void signalAll() {
    for (ArrayDeque<Condition> each : List.of(waiting, setBack)) {
      each.forEach(Condition::signal);
      each.clear();
    }
    if (lookout != null) {
      lookout.signal();
    }
  }

  /** Wakes the session threads without work, so that they check their sessions now. */
  void checkSessions() {
    sessionChecks++;
    signalAll();
  }

  /** Wakes one session thread, where a job may start. */
  void signalIfOneStarts(long now) {
    // Even if the next job may start only later: a session thread has to wait for that moment.
    if (state.startsInNanos(now).isPresent()) {
      signal();
    }
  }

  /** After a change of the window. */
  void signalAllIfOneStarts(long now) {
    if (state.startsInNanos(now).isPresent()) {
      // There may be room for several. Where nothing waits, what comes wakes a thread itself.
      signalAll();
    }
  }

  /** Ends the waits for work, now and from now on. */
  void close() {
    closed = true;
    signalAll();
  }

  /**
   * Waits until no caller waits for a job, {@code nanos} have passed, or the thread is interrupted.
   */
  void awaitIdle(long nanos) {
    try {
      long left = nanos;
      while (state.isAwaited() && left > 0) {
        left = workEnded.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      // Interrupted, so it waits no longer: what is still queued is refused.
      Thread.currentThread().interrupt();
    }
  }

  /** Wakes the thread that closes the lane, to look whether work is left. */
  void ended() {
    workEnded.signalAll();
  }
}
