package org.sluiceca.load.drill.client;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** When clients ask for their next certificate. Thread-safe. */
@FunctionalInterface
interface Arrivals {

  /**
   * Blocks a client until its next request is due.
   *
   * @param end when clients were stopped, by {@link System#nanoTime}; empty while they are not
   * @return when it was due, by {@link System#nanoTime}: a client that comes late to it has waited
   *     since then; empty if there is no more to ask for
   */
  OptionalLong awaitDue(Supplier<OptionalLong> end) throws InterruptedException;

  /** Each client rests after an answer and asks again: a slow service is asked less often. */
  static Arrivals closedLoop(Duration pause) {
    return end -> {
      Thread.sleep(pause);
      return end.get().isPresent() ? OptionalLong.empty() : OptionalLong.of(System.nanoTime());
    };
  }

  /**
   * All clients together ask {@code rate} times a second from now on, each request by the next
   * client that is free, however late answers are. What was due before the end is asked for: left
   * out, the waits of a service that stood still at the end would not show.
   *
   * @param rate 1 or more, so that a client waits for a second at most
   */
  static Arrivals openLoop(int rate) {
    return new OpenLoop(rate, System.nanoTime());
  }

  /** Request n is due n intervals after the begin, whatever became of those before. */
  final class OpenLoop implements Arrivals {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final int rate;
    private final long fromNanos;

    /** Held by the client that takes the next request, until that is due. */
    private final ReentrantLock next = new ReentrantLock();

    // Guarded by next.
    private long requests;

    OpenLoop(int rate, long fromNanos) {
      if (rate < 1) {
        throw new IllegalArgumentException("rate " + rate);
      }
      this.rate = rate;
      this.fromNanos = fromNanos;
    }

    @Override
    public OptionalLong awaitDue(Supplier<OptionalLong> end) throws InterruptedException {
      next.lockInterruptibly();
      try {
        long due = fromNanos + requests * SECOND / rate;
        long left = due - System.nanoTime();
        if (left > 0 && end.get().isEmpty()) {
          TimeUnit.NANOSECONDS.sleep(left);
        }
        OptionalLong ended = end.get();
        if (ended.isPresent() && due - ended.getAsLong() >= 0) {
          return OptionalLong.empty();
        }
        requests++;
        return OptionalLong.of(due);
      } finally {
        next.unlock();
      }
    }
  }
}
