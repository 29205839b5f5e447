package org.sluiceca.load.bench.idle;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.sluiceca.load.drive.OpenLoop;

/**
 * An open loop over a few connections: each takes the next request, waits until it is due and sends
 * it. A request that finds all connections busy is sent late, and its latency counts from the time
 * when it was due. Used once.
 */
final class Load implements AutoCloseable {

  private final Schedule schedule;
  private final long beginNanos;
  private final long giveUpNanos;
  private final Outcomes outcomes;
  private final AtomicInteger next = new AtomicInteger();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /** Sends a request over a connection of its own and waits for the answer. For one thread. */
  @FunctionalInterface
  interface Caller {
    /** Returns why the answer holds no certificate; empty if it holds one. */
    Optional<String> call() throws IOException;
  }

  /**
   * A load that has not begun.
   *
   * @param beginNanos by {@link System#nanoTime}
   * @param patience for how long after the end late requests are still sent
   */
  Load(Schedule schedule, long beginNanos, Duration patience) {
    this.schedule = schedule;
    this.beginNanos = beginNanos;
    this.giveUpNanos = beginNanos + schedule.lengthNanos() + patience.toNanos();
    this.outcomes = new Outcomes(schedule);
  }

  /** Begins to send, and returns at once. */
  void start(List<? extends Caller> connections) {
    for (Caller connection : connections) {
      threads.execute(() -> work(connection));
    }
    threads.shutdown();
  }

  /**
   * Waits until every request has its answer, until patience ends, or until the load is closed.
   * Returns what came of them.
   */
  Outcomes await() throws InterruptedException {
    boolean hasEnded =
        threads.awaitTermination(
            Math.max(0, giveUpNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
    if (!hasEnded) {
      close();
    }
    return outcomes;
  }

  private void work(Caller connection) {
    int count = schedule.count();
    for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
      long due = beginNanos + schedule.dueNanos(i);
      OpenLoop.awaitTime(due);
      if (Thread.currentThread().isInterrupted() || System.nanoTime() > giveUpNanos) {
        return;
      }
      outcomes.send(i);
      try {
        Optional<String> refusal = connection.call();
        if (refusal.isEmpty()) {
          outcomes.issue(i, System.nanoTime() - due);
        } else {
          outcomes.refuse(i, refusal.get());
        }
      } catch (IOException e) {
        outcomes.fail(i, e);
      }
    }
  }

  /** Stops at once: waits end, and so do requests without an answer. Thread-safe. */
  @Override
  public void close() {
    // An interrupt closes the socket that a virtual thread reads from.
    threads.shutdownNow();
    threads.close();
  }
}
