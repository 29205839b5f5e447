package org.sluiceca.core.revoke;

import java.util.List;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.InMemoryRevocations;
import org.sluiceca.core.testkit.ManualTime;

/** The store in memory keeps the contract. */
class InMemoryRevocationStoreTest extends RevocationStoreContract {

  @Override
  protected RevocationStore store(List<LedgerEntry> entries) {
    return new InMemoryRevocations(new ManualTime(Fixtures.NOW));
  }
}
