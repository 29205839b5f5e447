package org.sluiceca.api.warm;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.issuance.store.PostgresLedgerStore;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.stereotype.Component;

/**
 * Lets the database plan the ledger's statements before the node is ready. Nothing is recorded: no
 * row is bound. A fault is logged, and the node starts as it would without. Blocks for {@link
 * #TIME_MAX} at most, apart from one round of statements and the wait for a connection.
 */
@Component
final class LedgerStatements implements ApplicationRunner {

  private static final Logger LOG = LoggerFactory.getLogger(LedgerStatements.class);

  /** A tenth of a second where the database is on the same machine. */
  private static final Duration TIME_MAX = Duration.ofMillis(400);

  private final PostgresLedgerStore ledger;
  private final Ticker ticker;

  LedgerStatements(PostgresLedgerStore ledger, Ticker ticker) {
    this.ledger = ledger;
    this.ticker = ticker;
  }

  @Override
  public void run(ApplicationArguments arguments) {
    try {
      ledger.plan(Deadline.after(TIME_MAX, ticker));
    } catch (RuntimeException e) {
      LOG.warn("statements not planned, the first requests take longer: {}", e.toString());
    }
  }
}
