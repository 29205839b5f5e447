package org.sluiceca.api.renewal;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.sluiceca.api.problem.ProblemException;
import org.sluiceca.api.problem.ProblemType;

/**
 * Turns at something that clients without a credential can have done, first come, first served: few
 * at once, few more that wait, not for long. Thread-safe.
 */
final class BoundedSlots {

  private static final Duration RETRY = Duration.ofSeconds(1);

  private final Semaphore turns;
  private final Semaphore places;
  private final Duration wait;

  /**
   * All turns are free.
   *
   * @param atOnce how many work at once
   * @param waitingMax how many more wait
   * @param wait for how long
   */
  BoundedSlots(int atOnce, int waitingMax, Duration wait) {
    this.turns = new Semaphore(atOnce, true);
    this.places = new Semaphore(atOnce + waitingMax);
    this.wait = wait;
  }

  /**
   * Works in a turn.
   *
   * @throws ProblemException 503 if too many wait, or none came in time
   */
  <T> T work(Supplier<T> work) {
    if (!places.tryAcquire()) {
      throw saturated();
    }
    try {
      if (!turns.tryAcquire(wait.toNanos(), TimeUnit.NANOSECONDS)) {
        throw saturated();
      }
      try {
        return work.get();
      } finally {
        turns.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw saturated();
    } finally {
      places.release();
    }
  }

  private static ProblemException saturated() {
    return new ProblemException(
        ProblemType.SATURATED,
        "too many renewal proofs are verified at once: send the same request again",
        RETRY,
        null);
  }
}
