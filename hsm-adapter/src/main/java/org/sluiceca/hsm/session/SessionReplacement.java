package org.sluiceca.hsm.session;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmState;
import org.sluiceca.hsm.RecoveryReason;
import org.sluiceca.hsm.lane.SigningLane;
import org.sluiceca.hsm.pkcs11.CryptokiException;
import org.sluiceca.hsm.pkcs11.Session;
import org.sluiceca.hsm.vendor.CkrProfile;
import org.sluiceca.hsm.vendor.FailureClass;

/**
 * New sessions for session threads that have lost theirs, or have none yet; brings a lost login and
 * a lost token back on the way. Thread-safe.
 */
final class SessionReplacement {
  /*
   * Threads. Session threads call it; one of them at a time leads and does the native calls (single
   * flight), the others wait for it.
   *
   * States.  READY ⇄ RECOVERING      a session thread has lost its session, others may be signing
   *          RECOVERING → TOKEN_LOST  the leader did not get a session; the queue is refused; it
   *                                   tries again after 0.25 s doubling to 5 s, without end
   *          TOKEN_LOST → READY       the leader got one; sessions of an earlier life of the module
   *                                   are noticed by their generation and replaced in turn
   *          any → PIN_REFUSED        latched until the process ends
   *          any → CLOSED
   */

  private static final Duration BACKOFF_MIN = Duration.ofMillis(250);
  private static final Duration BACKOFF_MAX = Duration.ofSeconds(5);

  private final TokenRecovery recovery;
  private final Availability availability;
  private final TokenConnector connector;
  private final SigningLane lane;
  private final CkrProfile profile;

  /** Opens sessions by {@code connector}, and reports to {@code availability} how that went. */
  SessionReplacement(
      TokenRecovery recovery,
      Availability availability,
      TokenConnector connector,
      SigningLane lane,
      CkrProfile profile) {
    this.recovery = recovery;
    this.availability = availability;
    this.connector = connector;
    this.lane = lane;
    this.profile = profile;
  }

  /**
   * A new session for a session thread that has none; empty when it should ask again, or everything
   * stops. Blocks until there is one, or for 5 s while another thread leads.
   *
   * @param lost why it has none; null at the start
   */
  Optional<Session> replace(@Nullable RecoveryReason lost) throws InterruptedException {
    if (!recovery.lead(BACKOFF_MAX)) {
      return Optional.empty();
    }
    try {
      return recover(lost);
    } finally {
      recovery.leave();
    }
  }

  /**
   * A new session for a thread whose own seems sound although the token is lost: it brings the
   * token back, unless another thread does. Blocks until it is back.
   */
  Optional<Session> rescue() throws InterruptedException {
    if (recovery.state() != HsmState.TOKEN_LOST || !recovery.lead(Duration.ZERO)) {
      return Optional.empty();
    }
    try {
      // A job may be queued still, and this thread have been woken for it or come back for it.
      lane.passOn();
      return recovery.state() == HsmState.TOKEN_LOST ? recover(null) : Optional.empty();
    } finally {
      recovery.leave();
    }
  }

  private Optional<Session> recover(@Nullable RecoveryReason lost) throws InterruptedException {
    Duration backoff = BACKOFF_MIN;
    if (lost != null) {
      recovery.transition(HsmState.RECOVERING);
    }
    while (!recovery.isStopped()) {
      try {
        Session session =
            recovery.state() == HsmState.TOKEN_LOST
                ? connector.reconnect(availability.lostNanos())
                : connector.connect();
        availability.back(lost);
        return Optional.of(session);
      } catch (HsmException.PinRefused | HsmException.PinUnreadable e) {
        availability.pinRefused(e.getMessage());
        return Optional.empty();
      } catch (CryptokiException e) {
        boolean isBusy = profile.classify(e.ckr()) == FailureClass.BUSY;
        if (isBusy && recovery.state() != HsmState.TOKEN_LOST) {
          // Too many sessions or too much work: those that are open go on.
          recovery.transition(HsmState.READY);
          recovery.pause(backoff);
          return Optional.empty();
        }
        availability.lost(e.getMessage());
      } catch (HsmException e) {
        availability.lost(e.getMessage());
      }
      recovery.pause(backoff);
      backoff = longer(backoff);
    }
    return Optional.empty();
  }

  private static Duration longer(Duration backoff) {
    Duration doubled = backoff.multipliedBy(2);
    return doubled.compareTo(BACKOFF_MAX) > 0 ? BACKOFF_MAX : doubled;
  }
}
