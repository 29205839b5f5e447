package org.sluiceca.core.time;

import java.time.Duration;

/**
 * The instant after which an answer is of no use, on a {@link Ticker}'s scale.
 *
 * @param atNanos the ticker's reading at the deadline; compared by difference, so it may wrap
 */
public record Deadline(long atNanos) {

  /** Returns the deadline {@code wait} from now; negative waits give a deadline that has passed. */
  public static Deadline after(Duration wait, Ticker ticker) {
    return new Deadline(ticker.nanoTime() + wait.toNanos());
  }

  /** Returns the nanoseconds left, negative once the deadline has passed. */
  public long remainingNanos(Ticker ticker) {
    return atNanos - ticker.nanoTime();
  }

  /** Returns whether the deadline has been reached. */
  public boolean hasPassed(Ticker ticker) {
    return remainingNanos(ticker) <= 0;
  }

  /** Returns the same deadline moved earlier by {@code margin}. */
  public Deadline earlierBy(Duration margin) {
    return new Deadline(atNanos - margin.toNanos());
  }

  /** Returns the earlier of the two. */
  public Deadline min(Deadline other) {
    return atNanos - other.atNanos <= 0 ? this : other;
  }
}
