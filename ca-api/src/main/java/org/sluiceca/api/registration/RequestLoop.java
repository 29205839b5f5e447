package org.sluiceca.api.registration;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import org.sluiceca.api.platform.PeriodicTask;
import org.sluiceca.api.registration.store.OldRequests;
import org.sluiceca.core.registration.Registration;

/**
 * Finishes requests whose client has gone, or whose node has, and removes those that are long over.
 * Every node runs it: of two that finish one request, one does, and both learn the same.
 */
public final class RequestLoop implements AutoCloseable {

  private static final Duration PERIOD = Duration.ofSeconds(5);
  private static final Duration RETRY = Duration.ofSeconds(5);
  private static final Duration STOP_MAX = Duration.ofSeconds(5);

  /** Longer than a client on a connection waits. */
  private static final Duration LEFT_ALONE = Duration.ofSeconds(15);

  /** One batch of them is some seconds of an HSM's work. */
  private static final int FINISHED_MAX = 50;

  /** What came to nothing; what came to a certificate lasts as long as that. */
  private static final Duration KEPT = Duration.ofDays(90);

  private static final int REMOVED_MAX = 1_000;

  private final Registration registration;
  private final RequestRemoval removal;
  private final InstantSource clock;
  private final PeriodicTask task;

  /** Does nothing before {@link #start}. */
  public RequestLoop(Registration registration, OldRequests old, InstantSource clock) {
    this.registration = registration;
    this.removal = new RequestRemoval(now -> old.remove(KEPT, now, REMOVED_MAX), REMOVED_MAX);
    this.clock = clock;
    this.task =
        new PeriodicTask(
            new PeriodicTask.Terms(
                RequestLoop.class,
                "requests",
                "waiting requests cannot be finished",
                PERIOD,
                RETRY,
                STOP_MAX),
            this::step);
  }

  private Duration step(BooleanSupplier isStopping) {
    Instant now = clock.instant();
    int finished = registration.finish(now.minus(LEFT_ALONE), FINISHED_MAX);
    boolean isMoreToRemove = removal.step(now);
    boolean isMore = finished == FINISHED_MAX || isMoreToRemove;
    return isMore ? Duration.ofMillis(200) : PERIOD;
  }

  /** Starts. */
  public void start() {
    task.start();
  }

  @Override
  public void close() {
    task.close();
  }
}
