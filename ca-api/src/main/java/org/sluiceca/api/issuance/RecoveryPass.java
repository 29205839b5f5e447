package org.sluiceca.api.issuance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.core.intent.ExpiredIntent;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.intent.RecordedIntent;

/**
 * One pass of recovery: takes over what has run out, batch by batch, decides about each intent and
 * sees each batch through. Owns no thread: a {@link org.sluiceca.api.platform.PeriodicTask} runs
 * it, and the simulation.
 */
public final class RecoveryPass {

  /** Small against the lane's queue: recovered work must not crowd out callers who wait. */
  private static final int BATCH_MAX = 64;

  /**
   * Between two passes. With a claim of 15 s an intent of a dead node is taken over within 20 s, if
   * pauses vary by a tenth, as those of a {@link org.sluiceca.api.platform.PeriodicTask} do.
   */
  public static final Duration PAUSE = Duration.ofMillis(4_500);

  private static final Logger LOG = LoggerFactory.getLogger(RecoveryPass.class);

  /** Finishes intents at the same time. */
  @FunctionalInterface
  public interface Finisher {

    /** Returns how many got an outcome; waits until the ends of their claims at most. */
    int finishAll(List<RecordedIntent> intents) throws InterruptedException;
  }

  private final Ledger ledger;
  private final Finisher finisher;
  private final RecoveryDecider reconsideration;

  /** Recovers what {@code ledger} has. */
  public RecoveryPass(Ledger ledger, Finisher finisher, RecoveryDecider reconsideration) {
    this.ledger = ledger;
    this.finisher = finisher;
    this.reconsideration = reconsideration;
  }

  /** Runs until nothing is left to take over, nothing can be finished, or it is stopped. */
  public void run(BooleanSupplier stopped) throws InterruptedException {
    List<ExpiredIntent> batch = ledger.takeOverExpired(BATCH_MAX);
    while (!batch.isEmpty() && !stopped.getAsBoolean()) {
      List<RecordedIntent> finishing = new ArrayList<>();
      int givenUp = 0;
      for (ExpiredIntent expired : batch) {
        switch (reconsideration.of(expired)) {
          case FINISH -> finishing.add(expired.intent());
          case GIVEN_UP -> givenUp++;
          case LEFT -> {}
        }
      }
      int finished = finisher.finishAll(finishing);
      LOG.info("took over {} intents, finished {}", batch.size(), finished);
      // Nothing ended: the signer is away, or all is for other nodes. Taking more would only churn
      // through claims.
      batch = finished + givenUp == 0 ? List.of() : ledger.takeOverExpired(BATCH_MAX);
    }
  }
}
