package org.sluiceca.api.platform;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.core.failure.CaUnavailable;

/**
 * Runs a step again and again on one platform thread, because it runs for the life of the node.
 * Whatever a step throws, the next one follows. Thread-safe; steps never overlap.
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
   * @param retry how long to wait after a step that failed, above 0
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

  private final Terms terms;
  private final Step step;
  private final Logger log;

  /** A permit wakes the thread. */
  private final Semaphore wake = new Semaphore(0);

  private volatile boolean isStopping;
  private final AtomicLong failures = new AtomicLong();
  private final Thread thread;

  /** Makes the task; {@link #start} starts its thread. */
  public PeriodicTask(Terms terms, Step step) {
    this.terms = terms;
    this.step = step;
    this.log = LoggerFactory.getLogger(terms.owner());
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
    if (wake.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS)) {
      wake.drainPermits();
    }
    return isStopping;
  }

  private Duration stepOrRetry() throws InterruptedException {
    try {
      return step.run(this::isStopping);
    } catch (CaUnavailable e) {
      failures.incrementAndGet();
      log.warn("{}: {}", terms.failure(), e.getMessage());
    } catch (RuntimeException | Error e) {
      failures.incrementAndGet();
      log.error("{}", terms.failure(), e);
    }
    return terms.retry();
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
