package org.sluiceca.api.platform;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Metrics;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.core.failure.CaUnavailable;

/**
 * Runs a step again and again on one platform thread, because it runs for the life of the node.
 * Whatever a step throws, the next one follows. Thread-safe; steps never overlap.
 *
 * <p>Each wait is longer or shorter by up to {@link #JITTER}, so that nodes that started together
 * do not ask together. While steps fail one after the other, the wait doubles up to {@link
 * #BACK_OFF_MAX}, or is the task's own where that is longer. Failures are counted in the metric
 * {@code ca.task.failures} by the task's name.
 */
public final class PeriodicTask implements AutoCloseable {

  /** What is done each time. */
  @FunctionalInterface
  public interface Step {

    /**
     * Does one step and returns how long to wait before the next; 0 for not at all.
     *
     * @param isStopping whether the task is to end: a long step looks now and then
     * @throws CaUnavailable if something that the step needs does not answer: a warning, without a
     *     stack trace
     */
    Duration run(BooleanSupplier isStopping) throws InterruptedException;
  }

  /**
   * How a task runs.
   *
   * @param owner whose logger says what fails
   * @param name of the thread
   * @param failure what the log says before the cause when a step has failed
   * @param first how long to wait before the first step, 0 or more
   * @param retry how long to wait after a step that failed, above 0; longer after several
   * @param stopMax how long {@link #close} waits for the step that runs, before it interrupts; 0
   *     for not at all
   */
  public record Terms(
      Class<?> owner,
      String name,
      String failure,
      Duration first,
      Duration retry,
      Duration stopMax) {

    public Terms {
      if (first.isNegative() || !retry.isPositive() || stopMax.isNegative()) {
        throw new IllegalArgumentException(
            name + ": waits of " + first + ", " + retry + " and " + stopMax);
      }
    }
  }

  static final double JITTER = 0.1;

  /** What a task does soon after a failure, it still does soon: claims end after 15 s. */
  static final Duration BACK_OFF_MAX = Duration.ofSeconds(10);

  private final Terms terms;
  private final Step step;
  private final Logger log;

  /** A permit wakes the thread. */
  private final Semaphore wake = new Semaphore(0);

  private volatile boolean isStopping;
  private final AtomicLong failures = new AtomicLong();
  private final Counter failed;
  private final Thread thread;

  // Owned by the thread: steps that failed one after the other.
  private int failedInTurn;

  /** Makes the task; {@link #start} starts its thread. */
  public PeriodicTask(Terms terms, Step step) {
    this.terms = terms;
    this.step = step;
    this.log = LoggerFactory.getLogger(terms.owner());
    // The registry of the whole process: a task has no other use for one.
    this.failed = Metrics.counter("ca.task.failures", "task", terms.name());
    this.thread = Thread.ofPlatform().name(terms.name()).daemon().unstarted(this::run);
  }

  /** Starts the thread. Once. */
  public void start() {
    thread.start();
  }

  /** Returns how many steps have failed. */
  public long failures() {
    return failures.get();
  }

  /** Has the next step begin now, or at once after the one that runs. Does not wait. */
  public void wake() {
    wake.release();
  }

  /** Returns whether {@link #wake} was called since the present step began. */
  public boolean isWoken() {
    return wake.availablePermits() > 0;
  }

  /** Returns whether the task has been closed. */
  public boolean isStopping() {
    return isStopping;
  }

  private void run() {
    Duration pause = terms.first();
    try {
      while (!isStoppedWithin(pause)) {
        pause = stepOrRetry();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isStoppedWithin(Duration pause) throws InterruptedException {
    double factor = 1 + JITTER * ThreadLocalRandom.current().nextDouble(-1, 1);
    if (wake.tryAcquire((long) (pause.toNanos() * factor), TimeUnit.NANOSECONDS)) {
      wake.drainPermits();
    }
    return isStopping;
  }

  private Duration stepOrRetry() throws InterruptedException {
    try {
      Duration next = step.run(this::isStopping);
      failedInTurn = 0;
      return next;
    } catch (CaUnavailable e) {
      log.warn("{}: {}", terms.failure(), e.getMessage());
    } catch (RuntimeException | Error e) {
      log.error("{}", terms.failure(), e);
    }
    failures.incrementAndGet();
    failed.increment();
    return retryAfter(terms.retry(), failedInTurn++);
  }

  /** The wait after a failure that followed this number of others, without jitter. */
  static Duration retryAfter(Duration retry, int failedBefore) {
    Duration most = retry.compareTo(BACK_OFF_MAX) > 0 ? retry : BACK_OFF_MAX;
    Duration doubled = retry;
    for (int i = 0; i < failedBefore && doubled.compareTo(most) < 0; i++) {
      doubled = doubled.multipliedBy(2);
    }
    return doubled.compareTo(most) < 0 ? doubled : most;
  }

  /**
   * Ends the task after its present step, waiting as long as the terms say. A step that goes on is
   * interrupted and left behind. Idempotent.
   */
  @Override
  public void close() {
    isStopping = true;
    wake.release();
    if (!terms.stopMax().isPositive() || !thread.isAlive()) {
      return;
    }
    try {
      if (!thread.join(terms.stopMax())) {
        log.warn("{} does not end; it is left behind", terms.name());
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
