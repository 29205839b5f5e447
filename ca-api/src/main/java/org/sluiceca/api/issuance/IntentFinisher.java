package org.sluiceca.api.issuance;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.core.admit.LinePermit;
import org.sluiceca.core.enroll.Enrollment;
import org.sluiceca.core.enroll.Finish;
import org.sluiceca.core.enroll.PendingFinish;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.core.failure.CaUnavailable;
import org.sluiceca.core.intent.RecordedIntent;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;

/**
 * Finishes recorded intents on the thread that calls it, and leaves to recovery what fails.
 * Thread-safe; blocks as {@link Enrollment#finish} does.
 */
public final class IntentFinisher {

  private static final Logger LOG = LoggerFactory.getLogger(IntentFinisher.class);

  private final Enrollment enrollment;
  private final EventSink events;
  private final Ticker ticker;

  /** Finishes by {@code enrollment}. */
  public IntentFinisher(Enrollment enrollment, EventSink events, Ticker ticker) {
    this.enrollment = enrollment;
    this.events = events;
    this.ticker = ticker;
  }

  /** How far a thread came with an intent. */
  sealed interface Progress {

    /** It is over: with an outcome, or, where that is empty, left to recovery. */
    record Over(Optional<Finish> finish) implements Progress {}

    /** The thread's time was over first. */
    record UnderWay() implements Progress {}
  }

  @FunctionalInterface
  private interface Step {
    Progress run() throws InterruptedException;
  }

  /** Goes on with an intent that has a place on the line, until the time is over. */
  Progress finish(PendingFinish pending, Deadline until) throws InterruptedException {
    return settled(
        pending.intent(),
        () -> {
          Optional<Finish> finish = enrollment.finish(pending, until);
          return finish.isPresent() ? new Progress.Over(finish) : new Progress.UnderWay();
        });
  }

  /**
   * Finishes an accepted intent and gives its place on the line back, whatever comes of it. For the
   * last thread that has it: an interrupt leaves the intent to recovery, unless its outcome is
   * being recorded, whose end is waited for.
   *
   * @param due when it is late
   */
  public Optional<Finish> finish(PendingFinish pending, LinePermit place, Deadline due) {
    Optional<Finish> finish = Optional.empty();
    try {
      finish = finish(pending);
      return finish;
    } finally {
      conclude(pending.intent(), place, due, finish);
    }
  }

  /** The same for an order, for which no client waits. */
  Optional<Finish> finish(RecordedIntent order, LinePermit place) {
    Deadline due = order.claim().until();
    Optional<Finish> finish = Optional.empty();
    try {
      finish = finish(enrollment.begin(order, place.lane(), due));
      return finish;
    } finally {
      conclude(order, place, due, finish);
    }
  }

  /** The same for an intent that was taken over, which has no place. */
  public Optional<Finish> finish(RecordedIntent intent) {
    return finish(enrollment.begin(intent, Lane.BULK, intent.claim().until()));
  }

  /** Gives the place of an intent back that is over. */
  void conclude(RecordedIntent intent, LinePermit place, Deadline due, Optional<Finish> finish) {
    try (place) {
      if (finish.isPresent()) {
        place.completed();
      }
      if (due.hasPassed(ticker)) {
        events.accept(new CaEvent.DeadlineMissed(intent.serialNumber(), place.lane()));
      }
    }
  }

  /** Returns when an intent is late: when its client stops waiting, if there is one. */
  public Deadline due(PendingFinish pending, Deadline answerBy) {
    return answerBy.hasPassed(ticker) ? Enrollment.signBy(pending.intent()) : answerBy;
  }

  /** Leaves an intent to recovery that no thread here can finish any more. */
  void abandon(PendingFinish pending, String why) {
    LOG.warn("intent {} left pending: {}", pending.intent().serialNumber(), why);
    pending.abandon();
    Progress _ = leave(pending.intent(), why);
  }

  private Optional<Finish> finish(PendingFinish pending) {
    boolean isInterrupted = false;
    try {
      while (true) {
        try {
          return switch (settled(
              pending.intent(), () -> new Progress.Over(Optional.of(enrollment.finish(pending))))) {
            case Progress.Over(Optional<Finish> finish) -> finish;
            case Progress.UnderWay _ -> throw new IllegalStateException("not blocking");
          };
        } catch (InterruptedException e) {
          isInterrupted = true;
          if (!pending.isRecording()) {
            abandon(pending, "interrupted");
            return Optional.empty();
          }
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private Progress settled(RecordedIntent intent, Step step) throws InterruptedException {
    try {
      return step.run();
    } catch (CaUnavailable e) {
      LOG.warn("intent {} left pending: {}", intent.serialNumber(), e.getMessage());
      return leave(intent, e.getClass().getSimpleName());
    } catch (RuntimeException e) {
      // A broken invariant or a token's nonsense. The intent is durable, so it is not the client's
      // error: recovery tries again, and the log calls for help.
      LOG.error("intent {} left pending", intent.serialNumber(), e);
      return leave(intent, e.getClass().getSimpleName());
    }
  }

  private Progress leave(RecordedIntent intent, String cause) {
    events.accept(new CaEvent.IntentLeftPending(intent.serialNumber(), cause));
    return new Progress.Over(Optional.empty());
  }
}
