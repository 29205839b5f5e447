package org.sluiceca.api.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.ledger.LedgerDatabase;
import org.sluiceca.api.ledger.LedgerDatabase.Address;
import org.sluiceca.api.ledger.PostgresUnderTest;
import org.sluiceca.hsm.limit.NodeReport;
import org.sluiceca.hsm.limit.Sample;
import org.sluiceca.hsm.limit.lease.LeaseStore;
import org.sluiceca.hsm.limit.lease.LeaseStoreContract;

/** Leases on a real PostgreSQL keep the contract, and a database that stalls is left soon. */
class PostgresLeaseStoreTest extends LeaseStoreContract {

  private static final PostgresUnderTest SERVER = PostgresUnderTest.get();
  private static final Address ADDRESS = SERVER.freshDatabase();

  private static final Sample SAMPLE = new Sample(1, 0, 0, 1, 0, 0, 1, 1);

  /** Nodes that ask at once need connections of their own. */
  private static final int NODES = 4;

  private static final AtomicInteger NEXT = new AtomicInteger();

  private static List<LedgerDatabase> databases = List.of();
  private static List<LeaseStore> stores = List.of();

  @BeforeAll
  static void open() {
    databases = Stream.generate(() -> new LedgerDatabase(ADDRESS)).limit(NODES).toList();
    databases.getFirst().migrate();
    stores = databases.stream().<LeaseStore>map(PostgresLeaseStore::new).toList();
  }

  @AfterAll
  static void close() {
    databases.forEach(LedgerDatabase::close);
  }

  @BeforeEach
  void empty() {
    SERVER.execute(
        ADDRESS, "DELETE FROM hsm_node", "DELETE FROM hsm_lease", "DELETE FROM hsm_grant");
  }

  /** It knows no clock of a node that could be skewed. */
  @Override
  protected LeaseStore store(Duration clockSkew) {
    return stores.get(NEXT.getAndIncrement() % NODES);
  }

  /** The database's clock cannot be moved, but everything kept can grow older. */
  @Override
  protected void pass(Duration time) {
    String passed = "interval '" + time.toMillis() + " milliseconds'";
    SERVER.execute(
        ADDRESS,
        "UPDATE hsm_node SET reported_at = reported_at - " + passed,
        "UPDATE hsm_lease SET ends_at = ends_at - " + passed,
        "UPDATE hsm_grant SET ends_at = ends_at - " + passed);
  }

  @Override
  protected Instant aged(Instant readAt, Duration passed) {
    return readAt.minus(passed);
  }

  @Override
  protected int rows(String hsm) {
    return (int)
        SERVER.number(
            ADDRESS,
            """
            SELECT (SELECT count(*) FROM hsm_node WHERE hsm = '%1$s')
              + (SELECT count(*) FROM hsm_grant WHERE hsm = '%1$s')
            """
                .formatted(hsm));
  }

  @Test
  void exchange_rowsHeldByAStalledNode_givesUpBeforeALeaseEnds() throws SQLException {
    NodeReport report = new NodeReport("a", 1, 1, 0, SAMPLE, 0);
    LeaseStore store = store(Duration.ZERO);
    assertThat(store.exchange("token", report, OptionalInt.empty()).leadership()).isPresent();

    try (Connection stalled = SERVER.connect(ADDRESS);
        Statement statement = stalled.createStatement()) {
      stalled.setAutoCommit(false);
      statement.execute("SELECT epoch FROM hsm_lease FOR UPDATE");
      long start = System.nanoTime();
      assertThatExceptionOfType(LeaseStore.Unavailable.class)
          .isThrownBy(() -> store.exchange("token", report, OptionalInt.of(1)));
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
      stalled.rollback();
    }

    assertThat(store.exchange("token", report, OptionalInt.of(1)).leadership()).isPresent();
  }
}
