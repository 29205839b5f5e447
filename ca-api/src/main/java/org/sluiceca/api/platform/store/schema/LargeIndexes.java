package org.sluiceca.api.platform.store.schema;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;

/**
 * Indexes of tables that grow with the CA, created without making writers wait, as {@link
 * PartitionedIndex} does. A migration cannot do so: it is one transaction, in which an index is
 * created under a lock that all inserts wait for.
 *
 * <p>What they serve also works without them, only slowly, so that a node starts without them and
 * creates them in a thread of its own; the next start continues what this one has left. One node at
 * a time does so. Thread-safe.
 */
public final class LargeIndexes implements AutoCloseable {

  /**
   * How many single revocations were recorded before another (ADR 0070): all, and compromises. And
   * the intents of the last seconds, for recovery (ADR 0005).
   */
  private static final List<PartitionedIndex> ALL =
      List.of(
          new PartitionedIndex(
              "revocation_recorded", "revocation", "recorded_at", "WHERE reason IS NOT NULL"),
          new PartitionedIndex(
              "revocation_compromised", "revocation", "recorded_at", "WHERE reason IN (1, 2, 10)"),
          new PartitionedIndex("intent_recorded", "intent", "recorded_at", ""));

  /**
   * The BRIN index that {@code intent_recorded} replaces. It asks autovacuum for a summary of each
   * 16 pages, some 110 intents; above some 400 certificates/s PostgreSQL cannot note all of these,
   * and logs a line for each that it leaves out.
   */
  private static final String REPLACED = "intent_recorded_at";

  /** Any number that nothing else of this program locks. */
  private static final long LOCK = 0x51_0070;

  private static final String OWNS =
      """
      SELECT pg_has_role(current_user, c.relowner, 'USAGE') FROM pg_class c
      WHERE c.oid = to_regclass('revocation')
      """;

  private static final String MISSING_ADVICE =
      "indexes of large tables are missing: renewal information of revoked certificates is slow,"
          + " and may be refused, and recovery reads more than it needs, until a node whose role"
          + " owns the tables starts, or `./sluice ceremony migrate` runs again";

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
   * @return whether all are there when this returns; the index that they replace may be there, too
   */
  public boolean create() {
    // The lock is the session's: it ends with the connection.
    try (Connection connection = account.getConnection()) {
      return begin(connection) && create(new IndexSession(connection));
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
      IndexSession session = new IndexSession(connection);
      List<String> missing = new ArrayList<>();
      for (PartitionedIndex index : ALL) {
        if (!index.isThere(session)) {
          int partitions = index.lacking(session).size();
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

  private static boolean create(IndexSession session) throws SQLException {
    boolean isComplete = areThere(session);
    if (isComplete && !isReplacedThere(session)) {
      return true;
    }
    if (!session.isTrue(OWNS)) {
      if (!isComplete) {
        LOG.warn(MISSING_ADVICE);
      }
      return isComplete;
    }
    if (!session.isTrue("SELECT pg_try_advisory_lock(" + LOCK + ")")) {
      LOG.info("another node creates or drops indexes");
      return isComplete;
    }
    String patience = session.texts("SELECT current_setting('lock_timeout')").getFirst();
    for (PartitionedIndex index : ALL) {
      index.create(session, patience);
    }
    dropReplaced(session);
    return areThere(session);
  }

  private static boolean isReplacedThere(IndexSession session) throws SQLException {
    return session.isTrue("SELECT to_regclass('" + REPLACED + "') IS NOT NULL");
  }

  /** Where something reads intents all the while, as a dump does, the next start drops it. */
  private static void dropReplaced(IndexSession session) throws SQLException {
    try {
      session.executeBriefly("DROP INDEX IF EXISTS " + REPLACED);
    } catch (SQLException e) {
      if (IndexSession.isLockNotAvailable(e)) {
        LOG.info(
            "something, perhaps a dump, reads or writes intents all the time: the next start tries"
                + " DROP INDEX {} again, of an index that is not used any more",
            REPLACED);
      } else if (IndexSession.isConnectionLost(e)) {
        throw e;
      } else {
        LOG.warn("DROP INDEX {} failed, of an index that is not used any more", REPLACED, e);
      }
    }
  }

  private static boolean areThere(IndexSession session) throws SQLException {
    for (PartitionedIndex index : ALL) {
      if (!index.isThere(session)) {
        return false;
      }
    }
    return true;
  }
}
