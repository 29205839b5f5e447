package org.sluiceca.core.intent;

import java.time.Duration;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.InMemoryLedgerStore;
import org.sluiceca.core.testkit.ManualTime;
import org.sluiceca.core.time.Ticker;

/** The fake keeps the contract of the real ledger. */
class InMemoryLedgerStoreTest extends OrderStoreContract {

  private final ManualTime time = new ManualTime(Fixtures.NOW);
  private final InMemoryLedgerStore store = new InMemoryLedgerStore(time, time);

  @Override
  protected LedgerStore store() {
    return store;
  }

  @Override
  protected OrderStore orders() {
    return store;
  }

  @Override
  protected Ticker ticker() {
    return time;
  }

  @Override
  protected void pass(Duration databaseTime) {
    time.pass(databaseTime);
  }
}
