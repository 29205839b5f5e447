package org.sluiceca.load.gatling;

import org.sluiceca.load.scenario.wire.Arrivals;

/**
 * What one virtual user does: a request, and the same again if it was refused. Owned by the user's
 * session, which one thread at a time works on.
 */
final class Visit {

  final int phase;
  final long startedNanos;
  final long untilNanos;

  /** What is asked for, with all that makes it another request than the next one's. */
  final Calls.Ask ask;

  long dueNanos;
  long sentNanos;
  int attempt;
  int node;
  boolean isOver;

  Visit(Arrivals.Due due, Clock clock, long startedNanos, Calls.Ask ask) {
    this.phase = due.phase();
    this.startedNanos = startedNanos;
    this.untilNanos = clock.at(due.untilNanos());
    this.dueNanos = clock.at(due.afterNanos());
    this.ask = ask;
  }
}
