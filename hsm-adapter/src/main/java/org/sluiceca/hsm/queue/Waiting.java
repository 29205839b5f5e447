package org.sluiceca.hsm.queue;

import org.sluiceca.hsm.Lane;
import org.sluiceca.hsm.SignSchedule;

/** A job's place in a {@link FairQueue}, which alone changes it. Equal by identity. */
public class Waiting {

  private final SignSchedule schedule;
  private final long costNanos;
  private final long stayNanos;
  private final long sequence;
  private final long enqueuedNanos;
  private Lane lane;

  /**
   * A place that is not taken yet.
   *
   * @param costNanos engine time of the token that the job will take, at least 1: a share is a
   *     share of this
   * @param stayNanos how long it will be in the token, a wait for engines included: it predicts
   *     when the jobs behind it start
   * @param sequence a different one for each, growing
   */
  protected Waiting(
      SignSchedule schedule, long costNanos, long stayNanos, long sequence, long enqueuedNanos) {
    this.schedule = schedule;
    this.costNanos = costNanos;
    this.stayNanos = stayNanos;
    this.sequence = sequence;
    this.enqueuedNanos = enqueuedNanos;
    this.lane = schedule.lane();
  }

  /** What was asked for. */
  public final SignSchedule schedule() {
    return schedule;
  }

  /** Where it is: where it was asked for, or in {@link Lane#BULK} if it was displaced. */
  public final Lane lane() {
    return lane;
  }

  /** What of the token's engines it will take. */
  public final long costNanos() {
    return costNanos;
  }

  /** How long it will be in the token. */
  final long stayNanos() {
    return stayNanos;
  }

  /** When it came, on {@link System#nanoTime}'s scale. */
  public final long enqueuedNanos() {
    return enqueuedNanos;
  }

  final void displace() {
    lane = Lane.BULK;
  }

  /** System.nanoTime wraps, so times are compared by their difference. */
  static int byDeadline(Waiting a, Waiting b) {
    int byDeadline = Long.signum(a.schedule.deadlineNanos() - b.schedule.deadlineNanos());
    return byDeadline != 0 ? byDeadline : byArrival(a, b);
  }

  static int byArrival(Waiting a, Waiting b) {
    return Long.compare(a.sequence, b.sequence);
  }
}
