package org.sluiceca.api.platform.store.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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

  private final Address address = SERVER.emptyDatabase();

  /** As a release before left it: partitions with rows, and no index by time. */
  @BeforeEach
  void migrateAndDropTheIndexes() {
    try (LedgerDatabase database = new LedgerDatabase(address)) {
      database.migrate();
    }
    for (int i = 0; i < 50; i++) {
      SERVER.execute(address, revocation(i));
    }
    SERVER.execute(address, "DROP INDEX revocation_recorded", "DROP INDEX revocation_compromised");
  }

  private static String revocation(int number) {
    return "INSERT INTO revocation (expiry_week, serial, event, issuer, shard, revision,"
        + " requester, reason, revoked_at, not_after) SELECT min(substring(c.relname FROM"
        + " 'revocation_w(\\d+)$')::integer), decode(lpad(to_hex("
        + number
        + "), 38, '0'), 'hex'), 1, 'issuing', 0, 1, 'bob', 1, now(), now()"
        + " FROM pg_class c WHERE c.relname ~ '^revocation_w\\d+$'";
  }

  private void create() throws SQLException {
    try (Connection connection = SERVER.connect(address)) {
      LargeIndexes.create(connection);
    }
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
  void migrate_usedDatabase_indexOfEachPartitionAndOfLaterOnes() {
    try (LedgerDatabase database = new LedgerDatabase(address)) {
      database.migrate();
    }
    assertComplete();

    SERVER.execute(address, "SELECT ensure_expiry_weeks(ARRAY[3999])");
    assertComplete();
  }

  /** CREATE INDEX of a partition waits for a transaction that writes; a revocation does not. */
  @Test
  void create_whileARevocationIsOpen_othersDoNotWait() throws Exception {
    SERVER.execute(
        address,
        "CREATE INDEX revocation_recorded ON ONLY revocation (recorded_at)"
            + " WHERE reason IS NOT NULL",
        "CREATE INDEX revocation_compromised ON ONLY revocation (recorded_at)"
            + " WHERE reason IN (1, 2, 10)");
    try (Connection open = SERVER.connect(address);
        Statement revoking = open.createStatement();
        ExecutorService thread = Executors.newSingleThreadExecutor()) {
      open.setAutoCommit(false);
      revoking.execute(revocation(100));
      Future<?> creating =
          thread.submit(
              () -> {
                create();
                return 0;
              });
      Await.until("it waits", () -> SERVER.number(address, CREATING) == 1);

      assertThat(SERVER.number(address, AGAINST_WRITERS)).isZero();
      revoke(101);

      open.commit();
      creating.get(60, TimeUnit.SECONDS);
    }
    assertComplete();
  }

  /** The index of the parent needs a lock against writers, for which it waits but a moment. */
  @Test
  void create_parentWhileARevocationIsOpen_othersWaitForAMomentAtMost() throws Exception {
    try (Connection open = SERVER.connect(address);
        Statement revoking = open.createStatement();
        ExecutorService thread = Executors.newSingleThreadExecutor()) {
      open.setAutoCommit(false);
      revoking.execute(revocation(100));
      Future<?> creating =
          thread.submit(
              () -> {
                create();
                return 0;
              });
      Await.until("it waits", () -> SERVER.number(address, AGAINST_WRITERS) > 0);

      for (int i = 101; i < 110; i++) {
        revoke(i);
      }
      open.commit();
      creating.get(60, TimeUnit.SECONDS);
    }
    assertComplete();
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
  void create_invalidIndexLeft_replaced() throws SQLException {
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

    create();

    assertComplete();
  }
}
