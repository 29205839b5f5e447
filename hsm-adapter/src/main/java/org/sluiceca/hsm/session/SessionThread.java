package org.sluiceca.hsm.session;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.RecoveryReason;
import org.sluiceca.hsm.SignObservation;
import org.sluiceca.hsm.SignOutcome;
import org.sluiceca.hsm.lane.LaneJob;
import org.sluiceca.hsm.lane.SigningLane;
import org.sluiceca.hsm.lane.Take;
import org.sluiceca.hsm.lane.Ticket;
import org.sluiceca.hsm.pkcs11.CryptokiException;
import org.sluiceca.hsm.pkcs11.Session;
import org.sluiceca.hsm.vendor.CkrProfile;
import org.sluiceca.hsm.vendor.FailureClass;

/**
 * The body of a platform thread that owns exactly one session at a time: takes a job, signs,
 * answers; when the session fails, closes it and gets another.
 */
final class SessionThread implements Runnable {
  private static final long SET_BACK_NANOS = SigningLane.SET_BACK.toNanos();

  private final TokenSessions sessions;
  private final SessionReplacement replacement;
  private final SigningLane lane;
  private final CkrProfile profile;
  private final HsmObserver observer;

  // Owned by the thread that runs this; the first session is handed over before it starts.
  private @Nullable Session session;
  private @Nullable RecoveryReason lost;
  private long lossesSeen;

  /** When its last job failed or its session was lost; null once a job has succeeded since. */
  private @Nullable Long failedNanos;

  private final Map<KeyRef, Long> privateKeys = new HashMap<>();

  SessionThread(
      TokenSessions sessions,
      SessionReplacement replacement,
      SigningLane lane,
      CkrProfile profile,
      HsmObserver observer,
      @Nullable Session first) {
    this.sessions = sessions;
    this.replacement = replacement;
    this.lane = lane;
    this.profile = profile;
    this.observer = observer;
    this.session = first;
  }

  // The catch-all of an owned thread: a lane without threads would serve no job and say nothing.
  @Override
  @SuppressWarnings("CatchingUnchecked")
  public void run() {
    try {
      while (!sessions.isStopped() && !sessions.retire()) {
        try {
          step();
        } catch (RuntimeException | Error e) {
          observer.noted("a session thread failed: " + e);
          lose(RecoveryReason.UNEXPECTED);
        }
      }
    } catch (InterruptedException e) {
      // Only a dying process interrupts a session thread.
      Thread.currentThread().interrupt();
    } finally {
      closeSession();
    }
  }

  private void step() throws InterruptedException {
    Session open = session;
    if (open != null && !open.isCurrent()) {
      lose(RecoveryReason.TOKEN_LOST);
      open = null;
    }
    if (open == null) {
      lossesSeen = sessions.losses();
      session = replacement.replace(lost).orElse(null);
      if (session != null) {
        lost = null;
        sessions.sessionOpened();
      }
      return;
    }
    Optional<Session> rescued = replacement.rescue();
    if (rescued.isPresent()) {
      closeSession();
      session = rescued.get();
      sessions.sessionOpened();
      return;
    }
    switch (lane.take(isSetBack())) {
      case Take.Run<LaneJob>(Ticket<LaneJob> ticket) -> {
        if (isTrusted(open, ticket)) {
          execute(open, ticket);
        }
      }
      case Take.Drop<LaneJob>(Ticket<LaneJob> ticket) -> observe(ticket, 0, SignOutcome.DROPPED);
      case Take.Nothing<LaneJob>() -> {}
    }
  }

  /** Whether other sessions are to be used first, because this one has not worked lately. */
  private boolean isSetBack() {
    return failedNanos != null && System.nanoTime() - failedNanos < SET_BACK_NANOS;
  }

  /**
   * Whether the session may be used for this job. What one thread has lost the others have probably
   * lost too: without this look a job would fail in one dead session after the other.
   */
  private boolean isTrusted(Session open, Ticket<LaneJob> ticket) {
    long losses = sessions.losses();
    if (losses == lossesSeen) {
      return true;
    }
    lossesSeen = losses;
    privateKeys.clear();
    RecoveryReason reason;
    try {
      if (open.isLoggedIn()) {
        return true;
      }
      reason = RecoveryReason.LOGIN_LOST;
    } catch (CryptokiException e) {
      reason = RecoveryReason.SESSION_LOST;
    }
    if (!lane.givenBack(ticket, false)) {
      end(
          ticket,
          new HsmException.SessionLost("the session was lost before C_SignInit", false),
          SignOutcome.LOST);
    }
    lose(reason);
    return false;
  }

  // The catch-all of an owned thread: whatever happens, the job is answered and the loop goes on.
  @SuppressWarnings("CatchingUnchecked")
  private void execute(Session open, Ticket<LaneJob> ticket) {
    try {
      sign(open, ticket);
    } catch (CryptokiException e) {
      failed(ticket, e);
    } catch (HsmException e) {
      end(ticket, e, SignOutcome.REFUSED);
    } catch (RuntimeException | Error e) {
      end(ticket, new HsmException.Unexpected("session thread: " + e, true), SignOutcome.LOST);
      lose(RecoveryReason.UNEXPECTED);
    }
  }

  private void sign(Session open, Ticket<LaneJob> ticket) {
    LaneJob job = ticket.job();
    long privateKey = privateKeys.computeIfAbsent(job.key(), open::findPrivateKey);
    long start = System.nanoTime();
    byte[] signature = open.sign(ticket.signatureClass().mechanism(), privateKey, job.tokenInput());
    long serviceNanos = System.nanoTime() - start;
    sessions.signed();
    boolean isAwaited = lane.finished(ticket, signature, serviceNanos);
    // A session that signs too late would get each job where there are few.
    failedNanos = isAwaited ? null : Long.valueOf(System.nanoTime());
    observe(ticket, serviceNanos, isAwaited ? SignOutcome.SIGNED : SignOutcome.LATE);
  }

  private void failed(Ticket<LaneJob> ticket, CryptokiException e) {
    FailureClass failure = profile.classify(e.ckr());
    HsmException translated = profile.translate(e);
    switch (failure) {
      case BUSY -> busy(ticket, e, translated);
      case REQUEST_REFUSED -> end(ticket, translated, SignOutcome.REFUSED);
      case PIN_REFUSED -> {
        end(ticket, translated, SignOutcome.LOST);
        sessions.refusePin(translated.getMessage());
      }
      case SESSION_LOST, LOGIN_LOST, HANDLE_LOST, TOKEN_LOST, UNKNOWN -> {
        sessions.noteLoss();
        boolean mayRunAgain = failure != FailureClass.UNKNOWN && !translated.mayHaveExecuted();
        if (!mayRunAgain || !lane.givenBack(ticket, true)) {
          end(ticket, translated, SignOutcome.LOST);
        }
        lose(reason(failure));
      }
    }
  }

  private void busy(Ticket<LaneJob> ticket, CryptokiException e, HsmException translated) {
    BusyStreak.Meaning meaning = sessions.busyStreak().busy(System.nanoTime());
    if (meaning == BusyStreak.Meaning.BUSY) {
      end(ticket, translated, SignOutcome.BUSY);
      return;
    }
    // What the code means is no longer believed, so neither that nothing was signed.
    String message = "token lost: it never signs: " + translated.getMessage();
    end(ticket, new HsmException.TokenLost(message, e.hadEnteredSign()), SignOutcome.LOST);
    if (meaning == BusyStreak.Meaning.LOST_SO_RECONNECT) {
      sessions.noteLoss();
      lose(RecoveryReason.TOKEN_LOST);
    }
  }

  private static RecoveryReason reason(FailureClass failure) {
    return switch (failure) {
      case SESSION_LOST -> RecoveryReason.SESSION_LOST;
      case LOGIN_LOST -> RecoveryReason.LOGIN_LOST;
      case HANDLE_LOST -> RecoveryReason.HANDLE_LOST;
      case TOKEN_LOST -> RecoveryReason.TOKEN_LOST;
      case BUSY, PIN_REFUSED, REQUEST_REFUSED, UNKNOWN -> RecoveryReason.UNEXPECTED;
    };
  }

  private void end(Ticket<LaneJob> ticket, HsmException why, SignOutcome outcome) {
    long now = System.nanoTime();
    failedNanos = now;
    long inTokenNanos = now - ticket.startedNanos();
    boolean isAwaited = lane.failed(ticket, why);
    observe(ticket, inTokenNanos, isAwaited ? outcome : SignOutcome.LATE);
  }

  private void observe(Ticket<LaneJob> ticket, long serviceNanos, SignOutcome outcome) {
    long takenNanos = outcome == SignOutcome.DROPPED ? System.nanoTime() : ticket.startedNanos();
    SignObservation signing =
        new SignObservation(
            ticket.lane(),
            ticket.schedule().flow(),
            ticket.signatureClass(),
            takenNanos - ticket.enqueuedNanos(),
            serviceNanos,
            outcome);
    tell(observer::signed, signing);
    tell(ticket.job().watcher(), signing);
  }

  // A listener must not cost the token a thread: the job has been answered.
  @SuppressWarnings("CatchingUnchecked")
  private void tell(Consumer<SignObservation> listener, SignObservation signing) {
    try {
      listener.accept(signing);
    } catch (RuntimeException | Error e) {
      observer.noted("a listener failed: " + e.getClass().getSimpleName());
    }
  }

  private void lose(RecoveryReason reason) {
    lost = reason;
    failedNanos = System.nanoTime();
    closeSession();
  }

  private void closeSession() {
    // Closing may take long: the next job is for another thread.
    lane.passOn();
    // A handle found in one session is not trusted in another.
    privateKeys.clear();
    Session open = session;
    session = null;
    if (open != null) {
      sessions.sessionClosed();
      open.close();
    }
  }
}
