package org.sluiceca.core.audit;

import org.sluiceca.core.testkit.InMemoryCheckpointStore;

/** The testkit's store keeps the promises of the real one. */
class InMemoryCheckpointStoreTest extends CheckpointStoreContract {

  private final InMemoryCheckpointStore store = new InMemoryCheckpointStore();

  @Override
  protected CheckpointStore store() {
    return store;
  }

  @Override
  protected void append(AuditRow row) {
    store.append(row);
  }
}
