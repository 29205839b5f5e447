package org.sluiceca.api.observe;

import java.time.Duration;
import org.sluiceca.api.platform.PeriodicTask;
import org.sluiceca.api.platform.store.LedgerProbe;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Ready while the ledger answers. A thread of its own asks every few seconds; a health request only
 * reads what it found, so that scrapes cost the database nothing.
 */
public final class LedgerHealth implements HealthIndicator, AutoCloseable {

  /** A load balancer asks about as often. */
  private static final Duration PERIOD = Duration.ofSeconds(3);

  private final PeriodicTask task;

  // Written by the probe thread only.
  private volatile boolean reachable = true;

  /** Probes {@code ledger} until closed. */
  public LedgerHealth(LedgerProbe ledger) {
    this.task =
        new PeriodicTask(
            new PeriodicTask.Terms(
                LedgerHealth.class,
                "ledger-probe",
                "the database is not probed",
                Duration.ZERO,
                PERIOD,
                Duration.ZERO),
            isStopping -> {
              reachable = ledger.isReachable();
              return PERIOD;
            });
    task.start();
  }

  @Override
  public Health health() {
    return reachable ? Health.up().build() : Health.down().build();
  }

  @Override
  public void close() {
    task.close();
  }
}
