package org.sluiceca.api.cli.ceremony.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.x509.SerialNumber;

/**
 * The intents that a restored ledger takes for undecided: their outcomes may be among what was
 * lost, so no node may sign them again. For one thread; each call blocks for as long as its rows
 * take, and throws {@link LedgerUnavailable} if the database does not answer: it can then be done
 * again on a new one.
 */
public final class UndecidedIntents implements AutoCloseable {

  /** Given up in one commit: some 2 MB. */
  private static final int BATCH = 5_000;

  /** A node's connections are made when it starts, and kept for half an hour. */
  private static final String OTHERS =
      """
      SELECT count(*) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
        AND (usename = current_user OR EXISTS (SELECT FROM pg_roles r WHERE r.oid = usesysid
          AND NOT r.rolsuper AND has_table_privilege(r.oid, 'intent', 'INSERT')))
        AND backend_start < clock_timestamp() - ? * interval '1 millisecond'
      """;

  private static final String GIVE_UP =
      """
      INSERT INTO outcome (expiry_week, serial, kind, reason, maybe_signed, owner, epoch)
      SELECT u.expiry_week, u.serial, 'abandoned', ?, true, ?, coalesce((SELECT max(c.epoch)
        FROM claim c WHERE c.expiry_week = u.expiry_week AND c.serial = u.serial), 0) + 1
      FROM undecided u
      WHERE NOT EXISTS (SELECT FROM outcome o
        WHERE o.expiry_week = u.expiry_week AND o.serial = u.serial)
      ON CONFLICT (expiry_week, serial) DO NOTHING
      RETURNING serial
      """;

  /** The lists of intents without an outcome, each with its key. */
  private static final List<IntentList> LISTS =
      List.of(
          IntentList.of("backlog", "requester", "seq"),
          IntentList.of("unresolved_intent", "expiry_week", "serial"));

  /** Behind the watermark every intent is decided or in one of the two lists. */
  private static final String FROM_INTENTS =
      String.format(
              Locale.ROOT,
              """
              WITH undecided AS (SELECT i.expiry_week, i.serial FROM intent i
                WHERE i.recorded_at >= (SELECT w.swept_before FROM recovery_watermark w)
                  AND NOT EXISTS (SELECT FROM outcome o
                    WHERE o.expiry_week = i.expiry_week AND o.serial = i.serial)
                LIMIT %d)
              """,
              BATCH)
          + GIVE_UP;

  private static final String NONE_WAITS = "UPDATE backlog_depth SET orders = 0 WHERE orders <> 0";

  private final Connection connection;
  private final NodeId owner;

  /** A list of intents without an outcome: the queries that look into it and take from it. */
  private record IntentList(String isFull, String giveUp) {

    static IntentList of(String table, String key1, String key2) {
      return new IntentList(
          String.format(Locale.ROOT, "SELECT 1 FROM %s LIMIT 1", table),
          String.format(
                  Locale.ROOT,
                  """
                  WITH undecided AS (DELETE FROM %1$s b
                    USING (SELECT q.%2$s, q.%3$s FROM %1$s q LIMIT %4$d) c
                    WHERE b.%2$s = c.%2$s AND b.%3$s = c.%3$s
                    RETURNING b.expiry_week, b.serial)
                  """,
                  table,
                  key1,
                  key2,
                  BATCH)
              + GIVE_UP);
    }
  }

  /**
   * Opens a ledger that was migrated.
   *
   * @param owner whose the outcomes are
   */
  public UndecidedIntents(LedgerDatabase database, NodeId owner) {
    this.owner = owner;
    this.connection = RestoredCertificates.open(database);
  }

  /** Returns how many connections of the ledger's user are older than {@code age}: nodes'. */
  public int connectionsOlderThan(Duration age) {
    try (PreparedStatement statement = connection.prepareStatement(OTHERS)) {
      statement.setLong(1, age.toMillis());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        int count = row.getInt(1);
        // A row that is recorded later has the time of its own transaction.
        connection.rollback();
        return count;
      }
    } catch (SQLException e) {
      throw new LedgerUnavailable("the sessions cannot be read", e);
    }
  }

  /**
   * Gives up every intent that has no outcome, orders that wait among them, as maybe signed. Nodes
   * put their serial numbers onto the CRL.
   *
   * @param each is handed the serial numbers of each commit, 5,000 at most
   */
  public void giveUp(Consumer<List<SerialNumber>> each) {
    try {
      for (IntentList list : LISTS) {
        while (isFull(list)) {
          int _ = giveUpSome(list.giveUp(), each);
        }
      }
      int given;
      do {
        given = giveUpSome(FROM_INTENTS, each);
      } while (given > 0);
      try (PreparedStatement statement = connection.prepareStatement(NONE_WAITS)) {
        int _ = statement.executeUpdate();
      }
      connection.commit();
    } catch (SQLException e) {
      throw new LedgerUnavailable("what is undecided cannot be given up", e);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new LedgerUnavailable("the database does not answer", e);
    }
  }

  private boolean isFull(IntentList list) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(list.isFull());
        ResultSet row = statement.executeQuery()) {
      return row.next();
    }
  }

  private int giveUpSome(String sql, Consumer<List<SerialNumber>> each) throws SQLException {
    List<SerialNumber> serialNumbers = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, Outcome.Reason.RESTORED.name());
      statement.setString(2, owner.value());
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          serialNumbers.add(SerialNumber.of(row.getBytes(1)));
        }
      }
    }
    connection.commit();
    if (!serialNumbers.isEmpty()) {
      each.accept(serialNumbers);
    }
    return serialNumbers.size();
  }
}
