package org.sluiceca.hsm;

/**
 * The schedule of a job. Both times are on {@link System#nanoTime}'s scale.
 *
 * @param flow whose share of the lane it takes: jobs of one flow are served in their order, and
 *     flows alike. Of a bounded set, since one that waits costs some memory
 * @param answerByNanos until when a client waits; a job that can only end later loses its place in
 *     {@link Lane#INTERACTIVE} and goes on in {@link Lane#BULK}
 * @param deadlineNanos when the caller gives up
 */
public record SignSchedule(Lane lane, String flow, long answerByNanos, long deadlineNanos) {

  /** Returns the schedule of a caller that waits until the deadline and is alone: a ceremony. */
  public static SignSchedule by(long deadlineNanos) {
    return new SignSchedule(Lane.INTERACTIVE, "", deadlineNanos, deadlineNanos);
  }
}
