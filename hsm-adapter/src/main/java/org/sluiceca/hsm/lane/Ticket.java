package org.sluiceca.hsm.lane;

import org.sluiceca.hsm.Mechanism;

/**
 * A job's place in the lane. Written by {@link LaneState} only, under whatever guards that.
 *
 * @param <J> the job, opaque here
 */
final class Ticket<J> {
  /** Each arrow is taken at most once, except back from RUNNING to QUEUED, once. */
  enum Phase {
    /** Waiting; → RUNNING, DONE. */
    QUEUED,
    /** In the token, its waiter waits; → ZOMBIE, QUEUED, DONE. */
    RUNNING,
    /** In the token, its waiter has gone; still holds its permit; → DONE. */
    ZOMBIE,
    /** Answered or abandoned, and out of the token. */
    DONE
  }

  final J job;
  final Mechanism mechanism;
  final long deadlineNanos;
  final long sequence;
  final long enqueuedNanos;

  Phase phase = Phase.QUEUED;
  long startedNanos;
  int attempts;

  Ticket(J job, Mechanism mechanism, long deadlineNanos, long sequence, long enqueuedNanos) {
    this.job = job;
    this.mechanism = mechanism;
    this.deadlineNanos = deadlineNanos;
    this.sequence = sequence;
    this.enqueuedNanos = enqueuedNanos;
  }
}
