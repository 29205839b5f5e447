package org.sluiceca.load.call;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.sluiceca.load.cli.TrialException;

/** Waits for what others do, by looking again and again. */
public final class Wait {

  private Wait() {}

  /** Waits until something holds; returns false if it does not within {@code limit}. */
  public static boolean until(Duration limit, Duration look, BooleanSupplier holds) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      pause(look);
    }
    return true;
  }

  /**
   * Waits until something holds.
   *
   * @param otherwise what is wrong if it does not within {@code limit}
   * @throws TrialException if it does not
   */
  public static void require(
      Duration limit, Duration look, String otherwise, BooleanSupplier holds) {
    if (!until(limit, look, holds)) {
      throw new TrialException(otherwise + " after " + limit);
    }
  }

  /** Sleeps. */
  public static void pause(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Returns what to throw; the thread stays interrupted. */
  public static TrialException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new TrialException("interrupted", cause);
  }
}
