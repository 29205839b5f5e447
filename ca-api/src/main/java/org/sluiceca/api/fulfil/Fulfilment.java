package org.sluiceca.api.fulfil;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.core.enroll.Acceptance;
import org.sluiceca.core.enroll.Enrollment;
import org.sluiceca.core.enroll.Finish;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.core.failure.CaUnavailable;
import org.sluiceca.core.intent.RecordedIntent;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;

/**
 * Finishes promised intents, whether somebody waits for them or not. Thread-safe.
 *
 * <p>One virtual thread an intent. Their number is bounded by the places that admission gives and
 * by the batch of the recovery loop, not here.
 */
public final class Fulfilment implements AutoCloseable {

  /** Longer than a claim lives, after which no thread here can still be signing. */
  private static final Duration CLOSE_WAIT_MAX = Duration.ofSeconds(20);

  private static final Logger LOG = LoggerFactory.getLogger(Fulfilment.class);

  private final Enrollment enrollment;
  private final EventSink events;
  private final Ticker ticker;
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("finish-", 0).factory());

  /** Finishes by {@code enrollment}. */
  public Fulfilment(Enrollment enrollment, EventSink events, Ticker ticker) {
    this.enrollment = enrollment;
    this.events = events;
    this.ticker = ticker;
  }

  /** Starts to keep a promise; its place on the line is given back when that is over. */
  public Future<Optional<Finish>> start(Acceptance.Promised promised) {
    return threads.submit(
        () -> {
          try (var place = promised.place()) {
            Optional<Finish> finish = finish(promised.intent());
            if (finish.isPresent()) {
              place.completed();
            }
            return finish;
          }
        });
  }

  /** Starts to finish an intent that this node took over. */
  public Future<Optional<Finish>> start(RecordedIntent intent) {
    return threads.submit(() -> finish(intent));
  }

  /** Waits for a finish until {@code deadline}; empty if there is none by then, or none at all. */
  public Optional<Finish> await(Future<Optional<Finish>> started, Deadline deadline)
      throws InterruptedException {
    try {
      return started.get(Math.max(0, deadline.remainingNanos(ticker)), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return Optional.empty();
    } catch (ExecutionException e) {
      throw new IllegalStateException("finishing an intent failed", e.getCause());
    }
  }

  /** Finishes, or leaves the intent to recovery: empty says there is no outcome yet. */
  private Optional<Finish> finish(RecordedIntent intent) {
    try {
      return Optional.of(enrollment.finish(intent));
    } catch (CaUnavailable e) {
      LOG.warn("intent {} left pending: {}", intent.serialNumber(), e.getMessage());
      events.accept(
          new CaEvent.IntentLeftPending(intent.serialNumber(), e.getClass().getSimpleName()));
      return Optional.empty();
    } catch (IllegalArgumentException | IllegalStateException e) {
      // A broken invariant or a token's nonsense. The promise is durable, so it is not the client's
      // error: recovery tries again, and the log calls for help.
      LOG.error("intent {} left pending", intent.serialNumber(), e);
      events.accept(
          new CaEvent.IntentLeftPending(intent.serialNumber(), e.getClass().getSimpleName()));
      return Optional.empty();
    }
  }

  /** Takes nothing more and waits, for 20 s at most, for what is being finished. */
  @Override
  public void close() {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(CLOSE_WAIT_MAX.toNanos(), TimeUnit.NANOSECONDS)) {
        LOG.warn("intents are still being finished; their claims run out, another node goes on");
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
