package org.sluiceca.blackbox;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Asks a process outside again and again until it says yes or the time is over. */
final class Poll {

  private static final long PAUSE_MILLIS = 50;

  private Poll() {}

  /** Returns how long it took; fails with {@code what} when {@code longest} has passed. */
  static Duration until(String what, Duration longest, BooleanSupplier isSo) {
    long start = System.nanoTime();
    while (!isSo.getAsBoolean()) {
      Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
      if (elapsed.compareTo(longest) > 0) {
        throw new AssertionError("not within " + longest + ": " + what);
      }
      pause();
    }
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private static void pause() {
    try {
      // No process outside can signal us: nothing counts this latch down.
      if (new CountDownLatch(1).await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new AssertionError("counted down by nobody");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
