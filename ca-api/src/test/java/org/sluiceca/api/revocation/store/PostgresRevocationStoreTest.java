package org.sluiceca.api.revocation.store;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.revoke.RevocationStore;
import org.sluiceca.core.revoke.RevocationStoreContract;

/** Revocations on a real PostgreSQL keep the contract. */
class PostgresRevocationStoreTest extends RevocationStoreContract {

  private static final RevocationDatabase DATABASE = new RevocationDatabase();

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @BeforeEach
  void empty() {
    DATABASE.empty();
  }

  @Override
  protected RevocationStore store(List<LedgerEntry> entries) {
    DATABASE.expect(entries);
    return new PostgresRevocationStore(DATABASE.database());
  }
}
