package org.sluiceca.api.revocation.blocked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.api.revocation.store.NodeNameStore;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;

/** At which looks a node reports its names, on a real PostgreSQL. */
class ReservedNameSourceTest {

  private static final String OWN = "ca.example";

  private final Address address = PostgresForTests.get().freshDatabase();
  private final LedgerDatabase database = new LedgerDatabase(address);
  private final NodeNameStore store = new NodeNameStore(database);
  private final ReservedNameSource source =
      new ReservedNameSource(store, List::of, "a", Set.of(OWN));

  @BeforeEach
  void login() {
    PostgresForTests.awaitLogin(database);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private void execute(String sql) {
    PostgresForTests.get().execute(address, sql);
  }

  @Test
  void look_reportsAtTheFirstAndAtEachTwelfthAfterIt() {
    source.look();
    for (int i = 0; i < 2; i++) {
      assertThat(store.names()).containsExactly(OWN);
      execute("DELETE FROM node_name");

      for (int look = 1; look < 12; look++) {
        source.look();
        assertThat(store.names()).isEmpty();
      }
      source.look();
    }
    assertThat(store.names()).containsExactly(OWN);
  }

  @Test
  void look_reportFailed_reportsAtTheNext() {
    execute("ALTER TABLE node_name RENAME TO away");
    assertThatExceptionOfType(LedgerUnavailable.class).isThrownBy(source::look);
    execute("ALTER TABLE away RENAME TO node_name");

    source.look();

    assertThat(store.names()).containsExactly(OWN);
  }
}
