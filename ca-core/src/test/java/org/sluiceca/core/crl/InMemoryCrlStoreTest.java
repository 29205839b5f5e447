package org.sluiceca.core.crl;

import java.util.List;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.InMemoryRevocations;
import org.sluiceca.core.testkit.ManualTime;

/** The store in memory keeps the contract. */
class InMemoryCrlStoreTest extends CrlStoreContract {

  @Override
  protected Stores stores(List<LedgerEntry> entries) {
    InMemoryRevocations both = new InMemoryRevocations(new ManualTime(Fixtures.NOW));
    return new Stores(both, both);
  }
}
