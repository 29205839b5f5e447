package org.sluiceca.api.enrollment.renewal;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;

/**
 * Slots for work that clients without a credential can request, first come, first served: few at
 * once, few more that wait, not for long. Thread-safe.
 */
final class BoundedSlots {

  private static final Duration RETRY = Duration.ofSeconds(1);

  private final Semaphore turns;
  private final Semaphore places;
  private final Duration wait;

  /**
   * All slots are free.
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
   * Works in a slot.
   *
   * @throws ProblemException 503 if too many wait, or no slot came free in time
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
