package org.sluiceca.load.scenario.judge;

import org.sluiceca.load.scenario.wire.Shot;

/** The same request with something else in it. */
record Shots(Shot was) {

  Shot serial(String other) {
    return with(other, was.doneNanos());
  }

  /** Answered so much later. */
  Shot done(double secondsLater) {
    return with(was.serial(), was.doneNanos() + (long) (secondsLater * 1e9));
  }

  private Shot with(String serial, long doneNanos) {
    return new Shot(
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
