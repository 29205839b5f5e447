package org.sluiceca.hsm.session;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.HsmState;

/**
 * How a token stands, and whose turn it is to bring it back: one thread at a time leads, the others
 * wait for it. Thread-safe.
 */
final class TokenRecovery {
  private final HsmObserver observer;

  /** Never held across a native call, an observer call or the lane's lock. */
  private final ReentrantLock lock = new ReentrantLock();

  /** The leader is done, or the state is another. */
  private final Condition changed = lock.newCondition();

  @GuardedBy("lock")
  private boolean recovering;

  /** Written under the lock. */
  private volatile HsmState state = HsmState.READY;

  TokenRecovery(HsmObserver observer) {
    this.observer = observer;
  }

  HsmState state() {
    return state;
  }

  /** Whether the token signs, or will in a moment. */
  boolean isTokenThere() {
    return state == HsmState.READY || state == HsmState.RECOVERING;
  }

  /** Whether nothing brings the token back in this process any more. */
  boolean isStopped() {
    return state == HsmState.CLOSED || state == HsmState.PIN_REFUSED;
  }

  /**
   * Takes the lead, waiting for another leader at most so long.
   *
   * @return false when another still leads or everything stops; true is to be followed by {@link
   *     #leave}
   */
  boolean lead(Duration atMost) throws InterruptedException {
    lock.lock();
    try {
      long left = atMost.toNanos();
      while (recovering && !isStopped() && left > 0) {
        left = changed.awaitNanos(left);
      }
      if (recovering || isStopped()) {
        return false;
      }
      recovering = true;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Gives the lead to a thread that waits. */
  void leave() {
    lock.lock();
    try {
      recovering = false;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * CLOSED and PIN_REFUSED are final, except that a refused lane can still be closed. A lost token
   * is lost until it is back: who loses a session meanwhile does not make it better.
   *
   * @return whether the state is another now
   */
  @CanIgnoreReturnValue
  boolean transition(HsmState next) {
    lock.lock();
    try {
      if (state == next
          || state == HsmState.CLOSED
          || (state == HsmState.TOKEN_LOST && next == HsmState.RECOVERING)
          || (state == HsmState.PIN_REFUSED && next != HsmState.CLOSED)) {
        return false;
      }
      state = next;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    observer.stateChanged(next);
    return true;
  }

  /** Waits so long, or until everything stops. */
  void pause(Duration time) throws InterruptedException {
    lock.lock();
    try {
      long left = time.toNanos();
      while (!isStopped() && left > 0) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }
}
