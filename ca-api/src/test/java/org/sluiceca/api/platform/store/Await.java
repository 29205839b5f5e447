package org.sluiceca.api.platform.store;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting in tests for something that another thread or the database will do. */
public final class Await {

  /** Ends a hang, and judges no machine: no test waits longer for what does happen. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private Await() {}

  /** Until it holds; fails after 60 s. */
  public static void until(String what, BooleanSupplier holds) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("did not happen within " + LIMIT.toSeconds() + " s: " + what);
      }
      LockSupport.parkNanos(2_000_000);
    }
  }
}
