package org.sluiceca.api.hsm.lease.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
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
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.hsm.limit.NodeReport;
import org.sluiceca.hsm.limit.Sample;
import org.sluiceca.hsm.limit.lease.LeaseController;
import org.sluiceca.hsm.limit.lease.LeaseStore;
import org.sluiceca.hsm.limit.lease.LeaseStoreContract;

/** Leases on a real PostgreSQL keep the contract, and a database that stalls is left soon. */
class PostgresLeaseStoreTest extends LeaseStoreContract {

  private static final PostgresForTests SERVER = PostgresForTests.get();
  private static final Address ADDRESS = SERVER.freshDatabase();

  private static final Sample SAMPLE = new Sample(1, 0, 0, 1, 0, 0, 1, 1);

  /** Nodes that ask at once need connections of their own. */
  private static final int NODES = 4;

  private static final AtomicInteger NEXT = new AtomicInteger();

  private static final LedgerDatabase DATABASE = new LedgerDatabase(ADDRESS);

  private static List<HikariDataSource> connections = List.of();
  private static List<LeaseStore> stores = List.of();

  @BeforeAll
  static void open() {
    PostgresForTests.awaitLogin(DATABASE);
    connections = Stream.generate(PostgresLeaseStoreTest::patient).limit(NODES).toList();
    stores = connections.stream().<LeaseStore>map(PostgresLeaseStore::new).toList();
  }

  /** A node's own connections give up within a second, as a slow disk may make them. */
  private static HikariDataSource patient() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(ADDRESS.url());
    config.setUsername(ADDRESS.user());
    config.setPassword(read(ADDRESS.passwordFile()));
    config.setMaximumPoolSize(1);
    config.setConnectionTimeout(Duration.ofSeconds(60).toMillis());
    // What a lease is compared with is the database's clock; a slow disk is not to use it up.
    config.addDataSourceProperty("options", "-c synchronous_commit=off");
    return new HikariDataSource(config);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterAll
  static void close() {
    connections.forEach(HikariDataSource::close);
    DATABASE.close();
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
        "SET synchronous_commit = off",
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

  /** How long it is, by the one clock that there is, however slow the database. */
  @Test
  void exchange_leads_untilALeaseAfterItsReport() {
    NodeReport report = new NodeReport("a", 1, 1, 0, SAMPLE, 0);

    store(Duration.ZERO).exchange("token", report, OptionalInt.empty());

    assertThat(
            SERVER.number(
                ADDRESS,
                "SELECT extract(epoch FROM l.ends_at - n.reported_at) * 1000"
                    + " FROM hsm_lease l JOIN hsm_node n USING (hsm, node)"))
        .isEqualTo(LeaseController.LEASE.toMillis());
  }

  @Test
  void exchange_rowsHeldByAStalledNode_givesUpBeforeALeaseEnds() throws SQLException {
    NodeReport report = new NodeReport("a", 1, 1, 0, SAMPLE, 0);
    LeaseStore patient = store(Duration.ZERO);
    LeaseStore store = new PostgresLeaseStore(DATABASE);
    assertThat(patient.exchange("token", report, OptionalInt.empty()).leadership()).isPresent();

    try (Connection stalled = SERVER.connect(ADDRESS);
        Statement statement = stalled.createStatement()) {
      stalled.setAutoCommit(false);
      statement.execute("SELECT epoch FROM hsm_lease FOR UPDATE");
      assertThatExceptionOfType(LeaseStore.Unavailable.class)
          .isThrownBy(() -> store.exchange("token", report, OptionalInt.of(1)));
      stalled.rollback();
    }

    assertThat(patient.exchange("token", report, OptionalInt.of(1)).leadership()).isPresent();
    // How soon it gave up, the server says: a busy machine says nothing of it.
    assertThat(transactionMillisMax()).isBetween(1L, LeaseController.LEASE.toMillis() / 2);
  }

  private static long transactionMillisMax() throws SQLException {
    try (Connection connection = DATABASE.leasing().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT 1000 * extract(epoch FROM"
                    + " current_setting('transaction_timeout')::interval)")) {
      row.next();
      return row.getLong(1);
    }
  }
}
