package org.sluiceca.hsm.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting in tests for something that a thread of the product will do. */
public final class Await {
  /** Ends a hang, and judges no machine: what does happen is not waited for any longer. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private Await() {}

  /** Until it holds; fails after 60 s. */
  public static void until(String what, BooleanSupplier holds) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("did not happen within " + LIMIT.toSeconds() + " s: " + what);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }
}
