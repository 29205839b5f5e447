package org.sluiceca.api.acme.nonce;

import java.time.Duration;
import org.sluiceca.api.platform.PeriodicTask;

/** Removes spent nonces that are too old to be taken. Every node runs it. */
public final class NonceLoop implements AutoCloseable {

  private static final Duration PERIOD = Duration.ofMinutes(5);
  private static final Duration AGAIN = Duration.ofMillis(200);

  private final PeriodicTask task;

  /** Does nothing before {@link #start}. */
  public NonceLoop(Nonces nonces) {
    this.task =
        new PeriodicTask(
            new PeriodicTask.Terms(
                NonceLoop.class,
                "nonces",
                "spent nonces cannot be removed",
                PERIOD,
                PERIOD,
                Duration.ofSeconds(5)),
            isStopping -> nonces.remove() && !isStopping.getAsBoolean() ? AGAIN : PERIOD);
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
