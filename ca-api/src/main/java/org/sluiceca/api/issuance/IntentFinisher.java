package org.sluiceca.api.issuance;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.core.enroll.Acceptance;
import org.sluiceca.core.enroll.Enrollment;
import org.sluiceca.core.enroll.Finish;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.core.failure.CaUnavailable;
import org.sluiceca.core.intent.RecordedIntent;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;

/**
 * Keeps one promise on the thread that calls it: what {@link IssuanceExecutor} runs on threads of
 * its own, and the simulation on its own. Thread-safe; blocks as {@link Enrollment#finish} does.
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

  /**
   * Keeps a promise and gives its place on the line back, whatever comes of it.
   *
   * @param answerBy until when somebody waits for it
   */
  public Optional<Finish> keep(Acceptance.Accepted accepted, Deadline answerBy) {
    try (var place = accepted.place()) {
      boolean awaited = !answerBy.hasPassed(ticker);
      Optional<Finish> finish = keep(accepted.intent(), place.lane(), answerBy);
      if (finish.isPresent()) {
        place.completed();
      }
      Deadline due = awaited ? answerBy : Enrollment.signBy(accepted.intent());
      if (due.hasPassed(ticker)) {
        events.accept(new CaEvent.DeadlineMissed(accepted.intent().serialNumber(), place.lane()));
      }
      return finish;
    }
  }

  /**
   * Finishes for nobody who waits, or leaves the intent to recovery: empty says there is no outcome
   * yet.
   */
  public Optional<Finish> keep(RecordedIntent intent) {
    return keep(intent, Lane.BULK, intent.claim().until());
  }

  private Optional<Finish> keep(RecordedIntent intent, Lane lane, Deadline answerBy) {
    try {
      return Optional.of(enrollment.finish(intent, lane, answerBy));
    } catch (CaUnavailable e) {
      LOG.warn("intent {} left pending: {}", intent.serialNumber(), e.getMessage());
      return leave(intent, e);
    } catch (IllegalArgumentException | IllegalStateException e) {
      // A broken invariant or a token's nonsense. The promise is durable, so it is not the client's
      // error: recovery tries again, and the log calls for help.
      LOG.error("intent {} left pending", intent.serialNumber(), e);
      return leave(intent, e);
    }
  }

  private Optional<Finish> leave(RecordedIntent intent, RuntimeException cause) {
    events.accept(
        new CaEvent.IntentLeftPending(intent.serialNumber(), cause.getClass().getSimpleName()));
    return Optional.empty();
  }
}
