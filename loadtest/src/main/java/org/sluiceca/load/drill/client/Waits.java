package org.sluiceca.load.drill.client;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.sluiceca.load.judge.Percentiles;

/** How long requests took from when they were due to their last answer. Thread-safe. */
public final class Waits {

  private static final double NANOS_PER_MILLI = 1e6;

  private final Queue<Request> requests = new ConcurrentLinkedQueue<>();

  private record Request(long dueNanos, long nanos) {}

  /** Adds a request; both times are of {@link System#nanoTime}. */
  public void add(long dueNanos, long doneNanos) {
    boolean ignored = requests.add(new Request(dueNanos, doneNanos - dueNanos));
  }

  /** Returns how many requests were due from one time and before another, and are done. */
  public long count(long fromNanos, long untilNanos) {
    return requests.stream().filter(one -> isDue(one, fromNanos, untilNanos)).count();
  }

  /** Returns the milliseconds of requests that were due from one time and before another. */
  public Percentiles millis(long fromNanos, long untilNanos) {
    return new Percentiles(
        requests.stream()
            .filter(one -> isDue(one, fromNanos, untilNanos))
            .mapToDouble(one -> one.nanos() / NANOS_PER_MILLI));
  }

  private static boolean isDue(Request request, long fromNanos, long untilNanos) {
    return request.dueNanos() - fromNanos >= 0 && request.dueNanos() - untilNanos < 0;
  }

  /** Returns the longest; zero if there is none. */
  Duration longest() {
    return Duration.ofNanos(requests.stream().mapToLong(Request::nanos).max().orElse(0));
  }
}
