package org.sluiceca.api.platform.store.schema;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;

/**
 * Indexes of tables that grow with the CA, created without making writers wait. A migration cannot
 * do so: it is one transaction, in which an index is created under a lock that all inserts wait
 * for, and CREATE INDEX CONCURRENTLY takes no partitioned table. So the parent gets an index
 * without content, which takes moments, and each partition its own, concurrently; attached to the
 * parent's they become one. Partitions that are made later get theirs from the parent.
 *
 * <p>What they serve also works without them, only slowly, so that a node starts without them and
 * creates them in a thread of its own; the next start continues what this one has left. One node at
 * a time does so. Thread-safe.
 */
public final class LargeIndexes implements AutoCloseable {

  /**
   * An index over one column of a partitioned table.
   *
   * @param where what its rows have in common
   */
  record Index(String name, String table, String column, String where) {}

  /** How many single revocations were recorded before another (ADR 0070): all, and compromises. */
  static final List<Index> ALL =
      List.of(
          new Index("revocation_recorded", "revocation", "recorded_at", "reason IS NOT NULL"),
          new Index("revocation_compromised", "revocation", "recorded_at", "reason IN (1, 2, 10)"));

  /** Any number that nothing else of this program locks. */
  private static final long LOCK = 0x51_0070;

  /**
   * A statement that has all writers wait behind it while it waits itself. Theirs end after 1 s.
   */
  private static final int BRIEF_MILLIS = 100;

  /** Between two tries, so that those who waited get their turn. */
  private static final double PAUSE_SECONDS = 0.2;

  /** Some 30 s: longer than any transaction of a node lasts. */
  private static final int TRIES = 100;

  private static final String LOCK_NOT_AVAILABLE = "55P03";

  private static final String STATE =
      "SELECT i.indisvalid FROM pg_index i WHERE i.indexrelid = to_regclass(?)";

  /** Partitions whose own index is not part of the parent's. */
  private static final String MISSING =
      """
      SELECT h.inhrelid::regclass::text FROM pg_inherits h
      WHERE h.inhparent = to_regclass(?) AND NOT EXISTS (
        SELECT FROM pg_index i JOIN pg_inherits n ON n.inhrelid = i.indexrelid
        WHERE i.indrelid = h.inhrelid AND n.inhparent = to_regclass(?))
      ORDER BY h.inhrelid
      """;

  private static final String OWNS =
      """
      SELECT pg_has_role(current_user, c.relowner, 'USAGE') FROM pg_class c
      WHERE c.oid = to_regclass('revocation')
      """;

  private static final String MISSING_ADVICE =
      "indexes of revocation are missing: renewal information of revoked certificates is slow, and"
          + " may be refused, until a node whose role owns the tables starts, or `./sluice ceremony"
          + " migrate` runs again";

  private static final Logger LOG = LoggerFactory.getLogger(LargeIndexes.class);

  private final DataSource account;

  /** The connection that creates; empty while none does. */
  @GuardedBy("this")
  private @Nullable Connection creating;

  @GuardedBy("this")
  private boolean isClosed;

  /**
   * Creates them with {@code account}, which gives a new connection each time, with auto-commit.
   * Connects when it is asked to.
   */
  public LargeIndexes(DataSource account) {
    this.account = account;
  }

  /** Creates what is missing in a daemon thread, and returns at once. */
  public void start() {
    Thread _ =
        Thread.ofPlatform()
            .daemon()
            .name("large-indexes")
            .start(
                () -> {
                  boolean _ = create();
                });
  }

  /**
   * Creates what is missing. Blocks until done, or until it cannot continue: for minutes or hours,
   * by the size of the tables. A backup or an export that reads meanwhile is waited for, for as
   * long as a connection of the account waits for a lock. A failure is logged, not thrown.
   *
   * @return whether all are there; false also if another node creates them, or the account does not
   *     own the tables
   */
  public boolean create() {
    // The lock is the session's: it ends with the connection.
    try (Connection connection = account.getConnection()) {
      return begin(connection) && create(connection);
    } catch (SQLException e) {
      if (!hasClosed()) {
        LOG.warn(MISSING_ADVICE, e);
      }
      return false;
    } finally {
      end();
    }
  }

  /**
   * Returns the names of the indexes that are not there in full, each with how many partitions lack
   * it; empty if all are there. Blocks for some queries.
   *
   * @throws LedgerUnavailable if the database does not answer
   */
  public List<String> missing() {
    try (Connection connection = account.getConnection()) {
      List<String> missing = new ArrayList<>();
      for (Index index : ALL) {
        if (!isThere(connection, index)) {
          int partitions = texts(connection, MISSING, index.table(), index.name()).size();
          missing.add(
              String.format(
                  Locale.ROOT,
                  "%s (%d partitions of %s lack it)",
                  index.name(),
                  partitions,
                  index.table()));
        }
      }
      return missing;
    } catch (SQLException e) {
      throw new LedgerUnavailable("the indexes of large tables cannot be read", e);
    }
  }

  /** Closes the connection of a creation under way, and does not wait for its thread. */
  @Override
  public void close() {
    @Nullable Connection open;
    synchronized (this) {
      isClosed = true;
      open = creating;
    }
    if (open != null) {
      try {
        open.abort(Runnable::run);
      } catch (SQLException e) {
        LOG.debug("the connection that creates indexes is closed already", e);
      }
    }
  }

  private synchronized boolean begin(Connection connection) {
    creating = connection;
    return !isClosed;
  }

  private synchronized void end() {
    creating = null;
  }

  private synchronized boolean hasClosed() {
    return isClosed;
  }

  private static boolean create(Connection connection) throws SQLException {
    if (areThere(connection)) {
      return true;
    }
    if (!isTrue(connection, OWNS)) {
      LOG.warn(MISSING_ADVICE);
      return false;
    }
    if (!isTrue(connection, "SELECT pg_try_advisory_lock(" + LOCK + ")")) {
      LOG.info("another node creates indexes");
      return false;
    }
    String patience = texts(connection, "SELECT current_setting('lock_timeout')").getFirst();
    for (Index index : ALL) {
      create(connection, index, patience);
    }
    return areThere(connection);
  }

  private static boolean areThere(Connection connection) throws SQLException {
    for (Index index : ALL) {
      if (!isThere(connection, index)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isThere(Connection connection, Index index) throws SQLException {
    return "t".equals(text(connection, STATE, index.name()));
  }

  private static void create(Connection connection, Index index, String patience)
      throws SQLException {
    if (text(connection, STATE, index.name()) == null) {
      briefly(
          connection,
          String.format(
              Locale.ROOT,
              "CREATE INDEX %s ON ONLY %s (%s) WHERE %s",
              index.name(),
              index.table(),
              index.column(),
              index.where()));
    }
    List<String> missing = texts(connection, MISSING, index.table(), index.name());
    for (String partition : missing) {
      String own = index.name() + partition.substring(partition.lastIndexOf('_'));
      execute(connection, "SET lock_timeout = '" + patience + "'");
      if ("f".equals(text(connection, STATE, own))) {
        // Left by a start that was interrupted.
        execute(connection, "DROP INDEX CONCURRENTLY " + own);
      }
      execute(
          connection,
          String.format(
              Locale.ROOT,
              "CREATE INDEX CONCURRENTLY IF NOT EXISTS %s ON %s (%s) WHERE %s",
              own,
              partition,
              index.column(),
              index.where()));
      briefly(
          connection,
          String.format(Locale.ROOT, "ALTER INDEX %s ATTACH PARTITION %s", index.name(), own));
    }
    if (!missing.isEmpty()) {
      LOG.info("index {} is there, of {} partitions", index.name(), missing.size());
    }
  }

  /** Tries again and again, since all writers wait behind a statement that waits. */
  private static void briefly(Connection connection, String sql) throws SQLException {
    execute(connection, "SET lock_timeout = " + BRIEF_MILLIS);
    for (int tries = 1; ; tries++) {
      try {
        execute(connection, sql);
        return;
      } catch (SQLException e) {
        if (!LOCK_NOT_AVAILABLE.equals(e.getSQLState()) || tries == TRIES) {
          throw e;
        }
      }
      execute(connection, "SELECT pg_sleep(" + PAUSE_SECONDS + ")");
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static boolean isTrue(Connection connection, String question) throws SQLException {
    return "t".equals(text(connection, question));
  }

  private static @Nullable String text(Connection connection, String query, String... parameters)
      throws SQLException {
    List<String> all = texts(connection, query, parameters);
    return all.isEmpty() ? null : all.getFirst();
  }

  private static List<String> texts(Connection connection, String query, String... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setString(i + 1, parameters[i]);
      }
      List<String> all = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          all.add(rows.getString(1));
        }
      }
      return all;
    }
  }
}
