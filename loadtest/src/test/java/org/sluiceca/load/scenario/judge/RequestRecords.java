package org.sluiceca.load.scenario.judge;

import java.util.Optional;
import org.sluiceca.load.drive.Exchange;

/** The same request with something else in it. */
record RequestRecords(Exchange was) {

  Exchange serial(String other) {
    return with(Optional.of(other), was.doneNanos());
  }

  /** Answered so much later. */
  Exchange done(double secondsLater) {
    return with(was.serial(), was.doneNanos() + (long) (secondsLater * 1e9));
  }

  private Exchange with(Optional<String> serial, long doneNanos) {
    return new Exchange(
        was.request(),
        was.node(),
        was.dueNanos(),
        was.startedNanos(),
        was.sentNanos(),
        doneNanos,
        was.status(),
        serial,
        was.retryAfterSeconds(),
        false,
        was.problem());
  }
}
