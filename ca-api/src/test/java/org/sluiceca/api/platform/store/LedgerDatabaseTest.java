package org.sluiceca.api.platform.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.api.issuance.store.PostgresLedgerStore;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.time.Deadline;
import org.springframework.core.io.ClassPathResource;

/** The schema from nothing, and what an operator may get wrong about the database. */
class LedgerDatabaseTest {

  /** The files in db/migration. */
  private static final int MIGRATIONS = 32;

  private static final String FEED_WAITED_FOR =
      "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'certificate_feed'::regclass"
          + " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";

  private static final String REPEATABLE_READ_BY_DEFAULT =
      """
      DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I SET default_transaction_isolation = %L',
          current_database(), 'repeatable read');
      END $$
      """;

  /** As an administrator who ends what other programs of the role leave behind. */
  private static final String TIMEOUTS_OF_THE_ROLE =
      """
      DO $$
      DECLARE
        setting text;
      BEGIN
        FOREACH setting IN ARRAY ARRAY['statement_timeout', 'transaction_timeout',
            'idle_in_transaction_session_timeout', 'idle_session_timeout'] LOOP
          EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET %I = %L',
            current_database(), setting, '1ms');
        END LOOP;
      END $$
      """;

  private static final byte[] REFUSAL =
      "SFATAL\0VFATAL\0C42704\0Munrecognized configuration parameter\0\0"
          .getBytes(StandardCharsets.US_ASCII);

  private static final PostgresForTests SERVER = PostgresForTests.get();

  private static final String PARTITIONS =
      "SELECT count(*) FROM pg_inherits WHERE inhparent = '%s'::regclass";

  @TempDir private Path directory;

  @Test
  void migrate_emptyDatabase_tablesAndPartitionsAhead() {
    Address address = SERVER.emptyDatabase();
    try (LedgerDatabase database = new LedgerDatabase(address)) {

      database.migrate();

      for (String parent : List.of("intent", "outcome")) {
        assertThat(SERVER.number(address, String.format(Locale.ROOT, PARTITIONS, parent)))
            .isEqualTo(PartitionKeeper.WEEKS_AHEAD + 1);
      }
      assertThat(SERVER.number(address, "SELECT count(*) FROM recovery_watermark")).isOne();
    }
  }

  @Test
  void migrate_severalNodesAtOnceAndAgain_once() throws Exception {
    Address address = SERVER.emptyDatabase();
    List<Future<?>> nodes = new ArrayList<>();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 3; i++) {
        nodes.add(
            executor.submit(
                () -> {
                  try (LedgerDatabase database = new LedgerDatabase(address)) {
                    database.migrate();
                    database.partitions().createAhead();
                  }
                }));
      }
    }
    for (Future<?> node : nodes) {
      node.get();
    }

    assertThat(SERVER.number(address, "SELECT count(*) FROM flyway_schema_history"))
        .isEqualTo(MIGRATIONS);
    assertThat(SERVER.number(address, String.format(Locale.ROOT, PARTITIONS, "intent")))
        .isEqualTo(PartitionKeeper.WEEKS_AHEAD + 1);
  }

  @Test
  void migrate_schemaOfAnotherProgram_refused() {
    Address address = SERVER.emptyDatabase();
    SERVER.execute(address, "CREATE TABLE somebody_elses (id integer)");
    try (LedgerDatabase database = new LedgerDatabase(address)) {

      assertThatExceptionOfType(IllegalStateException.class).isThrownBy(database::migrate);
    }
  }

  @Test
  void migrate_roleWithTimeouts_migratedAllTheSame() throws Exception {
    assumeTrue(SERVER.hasRoles(), "nodes would serve with the role that has the timeouts");
    Address owner = SERVER.emptyDatabase();
    SERVER.execute(owner, TIMEOUTS_OF_THE_ROLE);
    try (LedgerDatabase database = new LedgerDatabase(SERVER.serviceMigratedByOwner(owner))) {

      database.migrate();

      assertThat(database.largeIndexes().create()).isTrue();
      try (Connection general = database.general().getConnection();
          Statement statement = general.createStatement();
          ResultSet row = statement.executeQuery("SELECT count(*) FROM flyway_schema_history")) {
        row.next();
        assertThat(row.getInt(1)).isEqualTo(MIGRATIONS);
      }
    }
  }

  /** An export of the audit trail waits for its reader between two rows. */
  @Test
  void reading_roleWithTimeouts_hasNone() throws Exception {
    Address owner = SERVER.emptyDatabase();
    SERVER.execute(owner, TIMEOUTS_OF_THE_ROLE);
    try (LedgerDatabase database = new LedgerDatabase(owner);
        Connection reading = database.reading();
        Statement statement = reading.createStatement()) {
      for (String setting :
          List.of(
              "statement_timeout",
              "transaction_timeout",
              "idle_in_transaction_session_timeout",
              "idle_session_timeout")) {
        try (ResultSet row = statement.executeQuery("SHOW " + setting)) {
          row.next();
          assertThat(row.getString(1)).as(setting).isEqualTo("0");
        }
      }
    }
  }

  @Test
  void migrate_olderServer_refusedWithTheVersionThatIsNeeded() throws Exception {
    Path passwordFile = Files.writeString(directory.resolve("password"), "secret\n");
    try (ServerSocket old = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        LedgerDatabase database =
            new LedgerDatabase(
                new Address(
                    "jdbc:postgresql://127.0.0.1:" + old.getLocalPort() + "/sluice",
                    "sluice",
                    passwordFile))) {
      Thread _ = Thread.ofVirtual().start(() -> refuseSettings(old));

      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(database::migrate)
          .withMessageContaining("PostgreSQL 17");
    }
  }

  /** Answers each login as a server that lacks a setting which the client asks for. */
  private static void refuseSettings(ServerSocket server) {
    while (!server.isClosed()) {
      try (Socket client = server.accept()) {
        ByteBuffer _ = DatabaseProxy.readStartup(client);
        DataOutputStream out = new DataOutputStream(client.getOutputStream());
        out.writeByte('E');
        out.writeInt(Integer.BYTES + REFUSAL.length);
        out.write(REFUSAL);
      } catch (IOException e) {
        // This client has given up, or the test is over.
      }
    }
  }

  /** As a ledger that nodes have used as its owner, until now. */
  @Test
  void migrate_roleWithoutGrants_refusedWithTheCommandThatGrants() {
    assumeTrue(SERVER.hasRoles(), "the role owns the tables");
    Address owner = SERVER.emptyDatabase();
    try (LedgerDatabase database = new LedgerDatabase(owner)) {
      database.migrate();
    }
    try (LedgerDatabase database = new LedgerDatabase(SERVER.service(owner))) {

      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(database::migrate)
          .withMessageContaining("cannot read the database's schema")
          .withMessageContaining("ceremony migrate");
    }
  }

  /** Such a server is not asked for a setting that it does not know. */
  @Test
  void migrate_olderServerBehindAPoolerWithoutOptions_refusedWithTheVersionThatIsNeeded()
      throws IOException {
    try (DatabaseProxy old = DatabaseProxy.withoutOptions(SERVER.emptyDatabase(), "16.4");
        LedgerDatabase database = new LedgerDatabase(old.address())) {

      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(database::migrate)
          .withMessageContaining("PostgreSQL 17");
    }
  }

  /** Without them no statement of a frozen node ends, and recovery stands on that it does. */
  @Test
  void migrate_poolerWithoutOptions_refusedBeforeAnythingIsChanged() throws IOException {
    Address address = SERVER.emptyDatabase();
    try (DatabaseProxy pooler = DatabaseProxy.withoutOptions(address);
        LedgerDatabase database = new LedgerDatabase(pooler.address())) {

      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(database::migrate)
          .withMessageContaining("drops connection settings")
          .withMessageContaining("lock_timeout is '0', not '60000'");
    }
    assertThat(SERVER.number(address, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"))
        .isZero();
  }

  /** Longer than a caller waits for a connection. */
  @Test
  // Four logins, each longer than a wait of three seconds.
  @Tag("slow")
  void migrate_eachLoginTakesSeconds_isWaitedFor() throws Exception {
    Address address = SERVER.emptyDatabase();
    try (DatabaseProxy slow = DatabaseProxy.slow(address, Duration.ofMillis(3_500));
        LedgerDatabase database = new LedgerDatabase(slow.address())) {

      database.migrate();

      try (Connection general = database.general().getConnection();
          Connection auditing = database.auditing().getConnection()) {
        assertThat(general.isValid(60)).isTrue();
        assertThat(auditing.isValid(60)).isTrue();
      }
    }
  }

  @Test
  void connections_carryTheLimits() throws Exception {
    Address plain = SERVER.emptyDatabase();
    SERVER.execute(plain, REPEATABLE_READ_BY_DEFAULT);
    Address address =
        new Address(
            plain.url() + (plain.url().contains("?") ? "&" : "?") + "defaultRowFetchSize=7",
            plain.user(),
            plain.passwordFile());
    try (LedgerDatabase database = new LedgerDatabase(address)) {
      try (Connection writing = database.writing().getConnection();
          Statement statement = writing.createStatement()) {
        assertThat(statement.getFetchSize()).isZero();
        assertThat(limits(writing)).isEqualTo("10s 5s 1s on read committed");
        assertThat(writing.getAutoCommit()).isFalse();
      }
      // Loops rest for 30 s, as long as a look of the change watch ends in time.
      try (Connection watching = database.watching().getConnection()) {
        assertThat(limits(watching)).isEqualTo("2s 1s 500ms on read committed");
      }
      // An exchange of leases is one statement without a transaction around it.
      try (Connection leasing = database.leasing().getConnection()) {
        assertThat(leasing.getAutoCommit()).isTrue();
      }
    }
  }

  /** A dump reads the feed meanwhile: certificates are issued all the same. */
  @Test
  void migrationOfTheFeed_tableIsRead_givesWayToThoseWhoWrite() throws Exception {
    Address address = SERVER.freshDatabase();
    String migration =
        new ClassPathResource("db/migration/V30__cheaper_feed.sql")
            .getContentAsString(StandardCharsets.UTF_8);
    String lock = migration.substring(0, migration.indexOf("$$;") + "$$;".length());
    try (ExecutorService threads = Executors.newSingleThreadExecutor();
        Connection reading = SERVER.connect(address)) {
      reading.setAutoCommit(false);
      reading.createStatement().execute("SELECT FROM certificate_feed");

      Future<?> migrated = threads.submit(() -> SERVER.execute(address, lock));
      Await.until("the lock is waited for", () -> SERVER.number(address, FEED_WAITED_FOR) == 1);
      SERVER.execute(
          address,
          "SET lock_timeout = '1s'",
          "INSERT INTO certificate_feed (serials) VALUES ('\\x01')");
      assertThat(migrated.isDone()).isFalse();
      reading.rollback();

      migrated.get(30, TimeUnit.SECONDS);
    }
  }

  private static String limits(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery(
                "SELECT current_setting('transaction_timeout')"
                    + " || ' ' || current_setting('statement_timeout')"
                    + " || ' ' || current_setting('lock_timeout')"
                    + " || ' ' || current_setting('synchronous_commit')"
                    + " || ' ' || current_setting('transaction_isolation')")) {
      result.next();
      return result.getString(1);
    }
  }

  @Test
  // The pools wait for their last attempts at a connection before they are closed.
  @Tag("slow")
  void anyUse_databaseGone_unavailable() throws IOException {
    Path passwordFile = Files.writeString(directory.resolve("password"), "secret\n");
    ClaimTerms terms = new ClaimTerms(new NodeId("node"), Duration.ofSeconds(15));
    // Bound and not listening: no other process of this machine can answer there.
    try (Socket taken = bound();
        LedgerDatabase database =
            new LedgerDatabase(
                new Address(
                    "jdbc:postgresql://127.0.0.1:" + taken.getLocalPort() + "/sluice",
                    "sluice",
                    passwordFile));
        PostgresLedgerStore store =
            new PostgresLedgerStore(
                database, terms.lifetime(), (size, nanos) -> {}, System::nanoTime)) {

      assertThatExceptionOfType(LedgerUnavailable.class).isThrownBy(database::migrate);
      assertThatExceptionOfType(LedgerUnavailable.class)
          .isThrownBy(
              () ->
                  store.recordIntent(
                      new Intents(1).next(),
                      terms,
                      Deadline.after(Duration.ofSeconds(1), System::nanoTime)));
    }
  }

  private static Socket bound() throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    return socket;
  }

  @Test
  void construct_passwordFileMissing_refusedInOneLine() {
    Address address =
        new Address("jdbc:postgresql://127.0.0.1/sluice", "sluice", directory.resolve("none"));

    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> new LedgerDatabase(address))
        .withMessageContaining("password file");
  }

  @Test
  void address_otherUrl_refused() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> new Address("jdbc:h2:mem:", "sluice", directory));
  }
}
