package org.sluiceca.api.observe;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.sluiceca.api.ledger.LedgerProbe;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Ready while the ledger answers. A thread of its own asks every few seconds; a health request only
 * reads what it found, so that scrapes cost the database nothing.
 */
public final class LedgerHealth implements HealthIndicator, AutoCloseable {

  /** A load balancer asks about as often. */
  private static final Duration PERIOD = Duration.ofSeconds(3);

  private final LedgerProbe ledger;
  private final CountDownLatch stopped = new CountDownLatch(1);

  // Written by the probe thread only.
  private volatile boolean reachable = true;

  /** Probes {@code ledger} until closed. */
  public LedgerHealth(LedgerProbe ledger) {
    this.ledger = ledger;
    Thread.ofPlatform().name("ledger-probe").daemon().start(this::probe);
  }

  private void probe() {
    try {
      do {
        reachable = ledger.isReachable();
      } while (!stopped.await(PERIOD.toNanos(), TimeUnit.NANOSECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public Health health() {
    return reachable ? Health.up().build() : Health.down().build();
  }

  @Override
  public void close() {
    stopped.countDown();
  }
}
