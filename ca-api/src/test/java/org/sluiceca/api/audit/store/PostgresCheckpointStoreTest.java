package org.sluiceca.api.audit.store;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.audit.CheckpointStore;
import org.sluiceca.core.audit.CheckpointStoreContract;

/** The contract on a real PostgreSQL. */
class PostgresCheckpointStoreTest extends CheckpointStoreContract {

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private LedgerDatabase database;

  @BeforeEach
  void open() {
    database = new LedgerDatabase(PostgresForTests.get().freshDatabase());
    PostgresForTests.awaitLogin(database);
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Override
  protected CheckpointStore store() {
    return new PostgresCheckpointStore(database);
  }

  @Override
  protected void append(AuditRow row) {
    new AuditStore(database).append(List.of(row));
  }
}
