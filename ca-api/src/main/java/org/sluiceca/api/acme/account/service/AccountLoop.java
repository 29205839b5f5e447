package org.sluiceca.api.acme.account.service;

import java.time.Duration;
import java.time.InstantSource;
import org.sluiceca.api.acme.account.store.AccountStore;
import org.sluiceca.api.platform.PeriodicTask;

/**
 * Removes accounts without a binding that have never made an order. Their owner is answered
 * accountDoesNotExist and may register again. Every node runs it.
 */
public final class AccountLoop implements AutoCloseable {

  /** Longer than anyone takes to set a client up. */
  static final Duration KEPT = Duration.ofDays(30);

  private static final Duration PERIOD = Duration.ofMinutes(10);
  private static final Duration AGAIN = Duration.ofMillis(200);
  private static final int REMOVED_MAX = 1_000;

  private final PeriodicTask task;

  /** Does nothing before {@link #start}. */
  public AccountLoop(AccountStore accounts, InstantSource clock) {
    this.task =
        new PeriodicTask(
            new PeriodicTask.Terms(
                AccountLoop.class,
                "accounts",
                "unused accounts cannot be removed",
                PERIOD,
                PERIOD,
                Duration.ofSeconds(5)),
            isStopping ->
                accounts.removeUnused(clock.instant().minus(KEPT), REMOVED_MAX) == REMOVED_MAX
                        && !isStopping.getAsBoolean()
                    ? AGAIN
                    : PERIOD);
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
