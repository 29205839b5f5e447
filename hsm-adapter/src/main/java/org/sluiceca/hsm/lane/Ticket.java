package org.sluiceca.hsm.lane;

import org.sluiceca.hsm.SignSchedule;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.queue.Waiting;

/**
 * A job's way through the lane. Written by {@link LaneState} only, under whatever guards that.
 *
 * @param <J> the job, opaque here
 */
public final class Ticket<J> extends Waiting {
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

  /** The values of a ticket that are set when it arrives. */
  record Arrival(long costNanos, long stayNanos, long sequence, long nanos) {}

  final J job;
  final SignatureClass signatureClass;

  Phase phase = Phase.QUEUED;
  long startedNanos;
  int attempts;

  /** Whether its permit came back although its call has not. */
  boolean isWrittenOff;

  Ticket(J job, SignatureClass signatureClass, SignSchedule schedule, Arrival arrival) {
    super(schedule, arrival.costNanos(), arrival.stayNanos(), arrival.sequence(), arrival.nanos());
    this.job = job;
    this.signatureClass = signatureClass;
  }

  /** The job. */
  public J job() {
    return job;
  }

  /** What is to be signed costs as much as others of this class. */
  public SignatureClass signatureClass() {
    return signatureClass;
  }

  /** When it was last taken, on {@link System#nanoTime}'s scale. */
  public long startedNanos() {
    return startedNanos;
  }

  /** It is in the token, once more. */
  void started(long now) {
    phase = Phase.RUNNING;
    startedNanos = now;
    attempts++;
  }

  long deadlineNanos() {
    return schedule().deadlineNanos();
  }

  /**
   * What its waiter is to do now: it waits no longer than until the deadline, and for a call no
   * longer than {@code callTimeoutNanos}.
   */
  Wait await(long callTimeoutNanos, long now) {
    return switch (phase) {
      case QUEUED ->
          now - deadlineNanos() < 0
              ? new Wait.Until(earlier(deadlineNanos(), now + callTimeoutNanos))
              : new Wait.Expired();
      case RUNNING -> {
        long end = earlier(deadlineNanos(), startedNanos + callTimeoutNanos);
        yield now - end < 0 ? new Wait.Until(end) : new Wait.TimedOut(now - startedNanos);
      }
      case ZOMBIE, DONE -> new Wait.Answered();
    };
  }

  /** System.nanoTime wraps, so times are compared by their difference. */
  private static long earlier(long a, long b) {
    return a - b < 0 ? a : b;
  }
}
