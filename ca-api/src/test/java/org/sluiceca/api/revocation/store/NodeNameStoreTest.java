package org.sluiceca.api.revocation.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;

/** The nodes' names, on a real PostgreSQL. */
class NodeNameStoreTest {

  private final Address address = PostgresForTests.get().freshDatabase();
  private final LedgerDatabase database = new LedgerDatabase(address);
  private final NodeNameStore store = new NodeNameStore(database);

  @BeforeEach
  void login() {
    PostgresForTests.awaitLogin(database);
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void report_severalNodes_namesOfAllOnceInLowerCase() {
    store.report("a", List.of("Ca.Example", "ca.example", "192.0.2.1"));
    store.report("b", List.of("ca.example", "b.example"));

    assertThat(store.names()).containsExactlyInAnyOrder("ca.example", "192.0.2.1", "b.example");
  }

  @Test
  void report_noName_nothing() {
    store.report("a", List.of());

    assertThat(store.names()).isEmpty();
  }

  @Test
  void names_notSeenForLong_left() {
    store.report("a", List.of("old.example", "ca.example"));
    PostgresForTests.get()
        .execute(
            address,
            "UPDATE node_name SET seen_at = now() - interval '91 days' WHERE name = 'old.example'");

    assertThat(store.names()).containsExactly("ca.example");
  }
}
