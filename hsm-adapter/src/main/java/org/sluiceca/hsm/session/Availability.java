package org.sluiceca.hsm.session;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.HsmState;
import org.sluiceca.hsm.RecoveryReason;
import org.sluiceca.hsm.lane.SigningLane;

/**
 * What the state of a token means for its lane: jobs are refused while it is lost or has refused
 * the PIN, each with the latest reason that is known, and taken again when it is back. Thread-safe.
 */
final class Availability {

  private final TokenRecovery recovery;
  private final SigningLane lane;
  private final HsmObserver observer;
  private volatile long lostNanos = System.nanoTime();

  /** Changes the state by {@code recovery}. */
  Availability(TokenRecovery recovery, SigningLane lane, HsmObserver observer) {
    this.recovery = recovery;
    this.lane = lane;
    this.observer = observer;
  }

  /** Returns when the token was last lost, on {@link System#nanoTime}'s scale. */
  long lostNanos() {
    return lostNanos;
  }

  /**
   * The token is lost: refuses all jobs with {@code message}.
   *
   * @return whether that was not known before
   */
  @CanIgnoreReturnValue
  boolean lost(String message) {
    long now = System.nanoTime();
    boolean isNews = recovery.transition(HsmState.TOKEN_LOST);
    if (isNews) {
      lostNanos = now;
    } else if (recovery.state() != HsmState.TOKEN_LOST) {
      return false;
    }
    lane.suspend(() -> new HsmException.TokenLost("token lost: " + message, false));
    if (recovery.isTokenThere()) {
      // Another thread brought it back between the two, and its resume came first.
      lane.resume();
    }
    return isNews;
  }

  /**
   * A session was opened: takes jobs again.
   *
   * @param lost why there was none; null at the start
   */
  void back(@Nullable RecoveryReason lost) {
    boolean wasTokenLost = recovery.state() == HsmState.TOKEN_LOST;
    if (!recovery.isStopped()) {
      lane.resume();
    }
    // Only now that the lane accepts jobs: an observer may submit one as soon as it is notified.
    recovery.transition(HsmState.READY);
    if (wasTokenLost) {
      observer.recovered(RecoveryReason.TOKEN_LOST);
    } else if (lost != null) {
      observer.recovered(lost);
    }
  }

  /** The token refused the PIN: nothing more is tried. */
  void pinRefused(String message) {
    recovery.transition(HsmState.PIN_REFUSED);
    lane.suspend(() -> new HsmException.PinRefused(message));
  }
}
