package org.sluiceca.hsm;

import java.util.concurrent.TimeUnit;

/**
 * A signature that a token was asked for. One thread at a time waits for it; when that gives up,
 * another may go on. Not thread-safe but for {@link #isUnderWay}.
 */
public interface StartedSignature {

  /**
   * Returns whether another thread is making it, which unparks the thread that waits when it has
   * ended. Otherwise {@link #await} must be called for it to go on.
   */
  boolean isUnderWay();

  /**
   * Blocks until it has ended, at its request's deadline at the latest, or the time is over; an
   * interrupt leaves it as it is.
   *
   * @param untilNanos on {@link System#nanoTime}'s scale
   * @return whether it has ended
   */
  boolean await(long untilNanos) throws InterruptedException;

  /**
   * Returns the signature as {@link RequestSigner#sign} does; to be called once, after {@link
   * #await} returned true.
   *
   * @throws HsmException if there is none
   */
  byte[] result();

  /**
   * Gives it up, and returns the failure, which says whether the token may have signed. A thread
   * that stops waiting for good must call this: otherwise a call that hangs is never noticed.
   */
  HsmException abandon();

  /**
   * Blocks until it has ended; an interrupt gives it up.
   *
   * @throws HsmException if there is no signature
   */
  default byte[] join() {
    try {
      boolean hasEnded = false;
      while (!hasEnded) {
        hasEnded = await(System.nanoTime() + TimeUnit.HOURS.toNanos(1));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw abandon();
    }
    return result();
  }
}
