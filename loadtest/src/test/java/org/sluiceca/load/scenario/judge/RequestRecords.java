package org.sluiceca.load.scenario.judge;

import org.sluiceca.load.scenario.wire.RequestRecord;

/** The same request with something else in it. */
record RequestRecords(RequestRecord was) {

  RequestRecord serial(String other) {
    return with(other, was.doneNanos());
  }

  /** Answered so much later. */
  RequestRecord done(double secondsLater) {
    return with(was.serial(), was.doneNanos() + (long) (secondsLater * 1e9));
  }

  private RequestRecord with(String serial, long doneNanos) {
    return new RequestRecord(
        was.kind(),
        was.phase(),
        was.requester(),
        was.key(),
        was.attempt(),
        was.node(),
        was.dueNanos(),
        was.startedNanos(),
        was.sentNanos(),
        doneNanos,
        was.status(),
        serial,
        was.retryAfterSeconds(),
        was.problem());
  }
}
