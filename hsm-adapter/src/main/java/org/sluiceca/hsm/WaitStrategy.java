package org.sluiceca.hsm;

import java.util.concurrent.locks.LockSupport;

/**
 * How the thread of a request sleeps while it waits. A caller with many such threads may have a
 * cheaper way than a timer for each.
 */
@FunctionalInterface
public interface WaitStrategy {

  /** By the JDK's timers. */
  WaitStrategy TIMED =
      (blocker, untilNanos) ->
          LockSupport.parkNanos(blocker, Math.max(1, untilNanos - System.nanoTime()));

  /**
   * Parks the calling thread until it is unparked or interrupted, or its time is over, and some 20
   * ms later at most; may return sooner for no reason.
   *
   * @param untilNanos on {@link System#nanoTime}'s scale
   */
  void park(Object blocker, long untilNanos);
}
