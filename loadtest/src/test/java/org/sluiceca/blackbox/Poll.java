package org.sluiceca.blackbox;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** Asks a process outside again and again until it says yes or the time is over. */
final class Poll {

  private static final Duration PAUSE_LEAST = Duration.ofMillis(50);

  private static final Duration PAUSE_MOST = Duration.ofMillis(250);

  /** What took longer than a second is found at most one twentieth of that later. */
  private static final int SHARE_LATE = 20;

  private Poll() {}

  /**
   * Returns how long it took; fails with {@code what} when a question that was asked after {@code
   * longest} is answered with no. How long the answer takes is the machine's business. The longer
   * it has waited, the longer it pauses: a question may be a connection to the database, which
   * costs both sides more than its answer.
   */
  static Duration until(String what, Duration longest, BooleanSupplier isSo) {
    return until(what, longest, Poll::afterSoLong, isSo);
  }

  /** The same with a pause of the caller's choice between two questions. */
  static Duration until(String what, Duration longest, Duration pause, BooleanSupplier isSo) {
    return until(what, longest, asked -> pause, isSo);
  }

  private static Duration afterSoLong(Duration asked) {
    Duration share = asked.dividedBy(SHARE_LATE);
    if (share.compareTo(PAUSE_LEAST) < 0) {
      return PAUSE_LEAST;
    }
    return share.compareTo(PAUSE_MOST) > 0 ? PAUSE_MOST : share;
  }

  private static Duration until(
      String what, Duration longest, UnaryOperator<Duration> pause, BooleanSupplier isSo) {
    long start = System.nanoTime();
    Duration asked = Duration.ZERO;
    while (!isSo.getAsBoolean()) {
      if (asked.compareTo(longest) > 0) {
        throw new AssertionError("not within " + longest + ": " + what);
      }
      pause(pause.apply(asked));
      asked = since(start);
    }
    return since(start);
  }

  private static Duration since(long start) {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private static void pause(Duration pause) {
    try {
      // No process outside can signal us: nothing counts this latch down.
      if (new CountDownLatch(1).await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new AssertionError("counted down by nobody");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
