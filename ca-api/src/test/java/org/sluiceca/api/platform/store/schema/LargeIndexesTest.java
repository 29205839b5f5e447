package org.sluiceca.api.platform.store.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;
import org.sluiceca.api.platform.store.Await;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;

/** Indexes of a database that is in use: as at an upgrade, while nodes revoke. */
@Timeout(120)
class LargeIndexesTest {

  private static final PostgresForTests SERVER = PostgresForTests.get();

  private static final String PARTITIONS =
      "SELECT count(*) FROM pg_inherits WHERE inhparent = 'revocation'::regclass";

  private static final String VALID =
      """
      SELECT count(*) FROM pg_index i JOIN pg_inherits n ON n.inhrelid = i.indexrelid
      WHERE i.indisvalid AND n.inhparent IN
        ('revocation_recorded'::regclass, 'revocation_compromised'::regclass)
      """;

  /** What an index that is created concurrently waits for: it holds no lock against writers. */
  private static final String CREATING =
      "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX%' AND state = 'active'"
          + " AND datname = current_database() AND wait_event_type = 'Lock'";

  /** Locks that an INSERT would wait for, held or waited for. */
  private static final String AGAINST_WRITERS =
      """
      SELECT count(*) FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
      WHERE c.relname LIKE 'revocation%' AND l.database =
        (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
        AND l.mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
      """;

  private static final String REPLACED =
      "SELECT count(*) FROM pg_class WHERE oid = to_regclass('intent_recorded_at')";

  private static final String BRIN =
      "SELECT count(*) FROM pg_class c JOIN pg_am a ON a.oid = c.relam WHERE a.amname = 'brin'";

  /** A statement that waited for a lock has given up. */
  private static final String TRIES_AGAIN =
      "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%'"
          + " AND state = 'active' AND datname = current_database()";

  private final Address address = SERVER.emptyDatabase();

  /** As a release before left it: partitions with rows, and no index by time. */
  @BeforeEach
  void migrateWithoutTheIndexes() {
    try (LedgerDatabase database = new LedgerDatabase(address)) {
      database.migrate();
    }
    for (int i = 0; i < 50; i++) {
      SERVER.execute(address, revocation(i));
    }
  }

  private static String revocation(int number) {
    return "INSERT INTO revocation (expiry_week, serial, event, issuer, shard, revision,"
        + " requester, reason, revoked_at, not_after) SELECT min(substring(c.relname FROM"
        + " 'revocation_w(\\d+)$')::integer), decode(lpad(to_hex("
        + number
        + "), 38, '0'), 'hex'), 1, 'issuing', 0, 1, 'bob', 1, now(), now()"
        + " FROM pg_class c WHERE c.relname ~ '^revocation_w\\d+$'";
  }

  /** Waits for a lock as long as a node does, so that no failure of a test leaves it waiting. */
  private boolean create() throws IOException {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(address.url());
    source.setUser(address.user());
    source.setPassword(Files.readString(address.passwordFile()).strip());
    source.setOptions("-c lock_timeout=60000");
    try (LargeIndexes indexes = new LargeIndexes(source)) {
      return indexes.create();
    }
  }

  private void createParents() {
    SERVER.execute(
        address,
        "CREATE INDEX revocation_recorded ON ONLY revocation (recorded_at)"
            + " WHERE reason IS NOT NULL",
        "CREATE INDEX revocation_compromised ON ONLY revocation (recorded_at)"
            + " WHERE reason IN (1, 2, 10)");
  }

  /** A revocation as a node records it: it waits for a lock for a second at most. */
  private void revoke(int number) throws SQLException {
    try (Connection connection = SERVER.connect(address);
        Statement statement = connection.createStatement()) {
      statement.execute("SET lock_timeout = '1s'");
      statement.execute(revocation(number));
    }
  }

  private void assertComplete() {
    assertThat(SERVER.number(address, VALID)).isEqualTo(2 * SERVER.number(address, PARTITIONS));
    assertThat(
            SERVER.number(
                address,
                "SELECT count(*) FROM pg_index WHERE indisvalid AND indexrelid IN"
                    + " ('revocation_recorded'::regclass, 'revocation_compromised'::regclass)"))
        .isEqualTo(2);
  }

  @Test
  void create_usedDatabase_indexOfEachPartitionAndOfLaterOnes() {
    try (LedgerDatabase database = new LedgerDatabase(address)) {
      database.migrate();
      assertThat(database.largeIndexes().create()).isTrue();
    }
    assertComplete();

    SERVER.execute(address, "SELECT ensure_expiry_weeks(ARRAY[3999])");
    assertComplete();
  }

  /** CREATE INDEX of a partition waits for a transaction that writes; a revocation does not. */
  @Test
  void create_whileARevocationIsOpen_othersDoNotWait() throws Exception {
    createParents();
    try (ExecutorService thread = Executors.newSingleThreadExecutor();
        Connection open = SERVER.connect(address);
        Statement revoking = open.createStatement()) {
      open.setAutoCommit(false);
      revoking.execute(revocation(100));
      Future<?> creating = thread.submit(this::create);
      Await.until("it waits", () -> SERVER.number(address, CREATING) == 1);

      assertThat(SERVER.number(address, AGAINST_WRITERS)).isZero();
      revoke(101);

      open.commit();
      creating.get(60, TimeUnit.SECONDS);
    }
    assertComplete();
  }

  /** The index of the parent needs a lock against writers, for which it waits only for a moment. */
  @Test
  void create_parentWhileARevocationIsOpen_othersWaitForAMomentAtMost() throws Exception {
    try (ExecutorService thread = Executors.newSingleThreadExecutor();
        Connection open = SERVER.connect(address);
        Statement revoking = open.createStatement()) {
      open.setAutoCommit(false);
      revoking.execute(revocation(100));
      Future<?> creating = thread.submit(this::create);
      Await.until("it waits", () -> SERVER.number(address, AGAINST_WRITERS) > 0);

      for (int i = 101; i < 110; i++) {
        revoke(i);
      }
      open.commit();
      creating.get(60, TimeUnit.SECONDS);
    }
    assertComplete();
  }

  /**
   * The index waits for the open transaction all the while: a node starts and stops next to it, and
   * what it leaves is completed by another.
   */
  @Test
  void start_whileAnIndexIsBuilt_nodesStartAndStopWithoutWaiting() throws Exception {
    createParents();
    try (Connection open = SERVER.connect(address);
        Statement revoking = open.createStatement()) {
      open.setAutoCommit(false);
      revoking.execute(revocation(100));
      try (LedgerDatabase node = new LedgerDatabase(address)) {
        node.migrate();
        node.largeIndexes().start();
        Await.until("it waits", () -> SERVER.number(address, CREATING) == 1);
        try (LedgerDatabase other = new LedgerDatabase(address)) {
          other.migrate();
          assertThat(other.largeIndexes().create()).isFalse();
        }
      }

      assertThat(SERVER.number(address, VALID)).isZero();
      open.rollback();
    }
    // The server may be ending what the node has left.
    try (LedgerDatabase next = new LedgerDatabase(address)) {
      Await.until("another completes it", () -> next.largeIndexes().create());
    }
    assertComplete();
  }

  /** An earlier start created all indexes, as one of an earlier release does. */
  private void leaveOnlyTheReplacedIndex() throws IOException {
    assertThat(create()).isTrue();
    SERVER.execute(
        address,
        "CREATE INDEX intent_recorded_at ON intent USING brin (recorded_at)"
            + " WITH (pages_per_range = 16, autosummarize = on)");
  }

  @Test
  void create_usedDatabase_dropsTheReplacedIndexWithThoseOfItsPartitions() throws IOException {
    assertThat(SERVER.number(address, BRIN)).isPositive();

    assertThat(create()).isTrue();
    SERVER.execute(address, "SELECT ensure_expiry_weeks(ARRAY[3999])");

    assertThat(SERVER.number(address, BRIN)).isZero();
  }

  /** To drop it, all that read or write intents must end; those that come meanwhile go first. */
  @Test
  // Tries for 30 s.
  @Tag("slow")
  void create_intentsAreReadAllTheTime_replacedIndexStaysUntilTheNext() throws Exception {
    leaveOnlyTheReplacedIndex();
    try (Connection open = SERVER.connect(address);
        Statement reading = open.createStatement()) {
      open.setAutoCommit(false);
      reading.execute("SELECT count(*) FROM intent");

      assertThat(create()).isTrue();
      assertThat(SERVER.number(address, REPLACED)).isOne();
      open.commit();
    }

    assertThat(create()).isTrue();
    assertThat(SERVER.number(address, REPLACED)).isZero();
  }

  /** A reader that ends after a first try: a later one drops it. */
  @Test
  void create_intentsAreReadForAWhile_dropsTheReplacedIndexAfterwards() throws Exception {
    leaveOnlyTheReplacedIndex();
    try (ExecutorService thread = Executors.newSingleThreadExecutor();
        Connection open = SERVER.connect(address);
        Statement reading = open.createStatement()) {
      open.setAutoCommit(false);
      reading.execute("SELECT count(*) FROM intent");
      Future<Boolean> creating = thread.submit(this::create);
      // Between two tries.
      Await.until("it has tried", () -> SERVER.number(address, TRIES_AGAIN) == 1);
      assertThat(SERVER.number(address, REPLACED)).isOne();

      open.commit();

      assertThat(creating.get(60, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(SERVER.number(address, REPLACED)).isZero();
  }

  /** Nothing is missing that the node's log should name. */
  @Test
  void create_roleThatOwnsNoTables_replacedIndexAlone_complete() throws IOException {
    assumeTrue(SERVER.hasRoles(), "the role owns the tables");
    leaveOnlyTheReplacedIndex();
    Address both = SERVER.serviceMigratedByOwner(address);
    try (LedgerDatabase service =
        new LedgerDatabase(new Address(both.url(), both.user(), both.passwordFile()))) {

      assertThat(service.largeIndexes().create()).isTrue();
    }
    assertThat(SERVER.number(address, REPLACED)).isOne();
  }

  @Test
  void create_closedOrWithoutADatabase_returnsFalse() {
    LedgerDatabase closed = new LedgerDatabase(address);
    closed.close();
    assertThat(closed.largeIndexes().create()).isFalse();
    try (LedgerDatabase gone =
        new LedgerDatabase(
            new Address(address.url() + "_gone", address.user(), address.passwordFile()))) {
      assertThat(gone.largeIndexes().create()).isFalse();
    }
  }

  /** The same checks find an index that is created as a migration would. */
  @Test
  void plantedFault_indexInATransaction_revocationWaits() throws Exception {
    try (Connection migrating = SERVER.connect(address);
        Statement statement = migrating.createStatement()) {
      migrating.setAutoCommit(false);
      statement.execute("CREATE INDEX planted ON revocation (recorded_at)");

      assertThat(SERVER.number(address, AGAINST_WRITERS)).isPositive();
      assertThat(catchThrowable(() -> revoke(100))).hasMessageContaining("lock timeout");
      migrating.rollback();
    }
  }

  /** What an interrupted start left is replaced. */
  @Test
  void create_invalidIndexLeft_replaced() throws IOException {
    SERVER.execute(
        address,
        "CREATE INDEX revocation_recorded ON ONLY revocation (recorded_at)"
            + " WHERE reason IS NOT NULL");
    String week =
        "w"
            + SERVER.number(
                address,
                "SELECT min(substring(c.relname FROM 'revocation_w(\\d+)$')::integer)"
                    + " FROM pg_class c WHERE c.relname ~ '^revocation_w\\d+$'");
    // Two rows with the same issuer: a unique index fails, and stays there, invalid.
    assertThat(
            catchThrowable(
                () ->
                    SERVER.execute(
                        address,
                        "CREATE UNIQUE INDEX CONCURRENTLY revocation_recorded_"
                            + week
                            + " ON revocation_"
                            + week
                            + " (issuer)")))
        .isNotNull();

    assertThat(create()).isTrue();

    assertComplete();
  }
}
