package org.sluiceca.hsm.lane;

import java.util.function.BooleanSupplier;

/** Waits of tests for threads at a lane. */
final class LaneThreads {

  private LaneThreads() {}

  /**
   * Waits until the condition holds, without a limit of its own: the test's time limit interrupts
   * it.
   */
  static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      Thread.onSpinWait();
    }
  }
}
