package org.sluiceca.api.validation;

import java.time.Duration;
import org.sluiceca.core.time.Deadline;

/**
 * The time that one attempt may take, over all of its look-ups and connections. Immutable.
 *
 * @param deadline on the scale of {@link System#nanoTime}
 * @param whole the time from the start, for messages
 */
public record TimeLimit(Deadline deadline, Duration whole) {

  private static final long NANOS_PER_MILLI = 1_000_000;

  /** Starts now. */
  public static TimeLimit after(Duration whole) {
    return new TimeLimit(Deadline.after(whole, System::nanoTime), whole);
  }

  /** Returns whether no time is left. */
  public boolean isOver() {
    return deadline.hasPassed(System::nanoTime);
  }

  /**
   * Returns what is left in whole milliseconds, rounded up: a wait of that length never ends before
   * {@link #isOver}. At least 1 ms, since 0 means no limit to a socket.
   */
  public Duration left() {
    long nanos = Math.max(1, deadline.remainingNanos(System::nanoTime));
    return Duration.ofMillis(Math.ceilDiv(nanos, NANOS_PER_MILLI));
  }

  /** Returns {@code 10 s}. */
  public String text() {
    return Math.max(1, whole.toSeconds()) + " s";
  }
}
