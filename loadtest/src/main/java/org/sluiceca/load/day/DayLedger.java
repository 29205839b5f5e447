package org.sluiceca.load.day;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.day.state.DayPlan;
import org.sluiceca.load.day.state.MarkFigures.Relation;
import org.sluiceca.load.watch.TrialNodes;

/**
 * Sizes and counts of the trial's database. A call opens a connection and blocks until it has its
 * answer: of twenty million certificates some minutes.
 */
final class DayLedger {

  private static final Duration CAUGHT_UP = Duration.ofMinutes(15);
  private static final Duration LOOK = Duration.ofMillis(50);

  /** The last eight octets of a serial number, which are random. */
  private static final String PRINT =
      "coalesce(bit_xor(('x' || encode(substring(serial FROM 12), 'hex'))::bit(64)::bigint), 0)";

  /** Tables with what is stored aside of them, and indexes; those of all weeks in one. */
  private static final String STORE =
      """
      SELECT regexp_replace(c.relname, '_w[0-9]+', '') AS name, c.relkind = 'i' AS is_index,
        sum(CASE WHEN c.relkind = 'i' THEN pg_relation_size(c.oid) ELSE pg_table_size(c.oid) END)
          AS octets
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'public' AND c.relkind IN ('r', 'i')
      GROUP BY 1, 2 ORDER BY 3 DESC, 1
      """;

  private static final String ISSUED =
      """
      SELECT (SELECT count(*) FROM intent), count(*), count(*) FILTER (WHERE kind = 'issued'),
        count(DISTINCT serial) FILTER (WHERE kind = 'issued'),
        coalesce(bit_xor(('x' || encode(substring(serial FROM 12), 'hex'))::bit(64)::bigint)
          FILTER (WHERE kind = 'issued'), 0)
      FROM outcome
      """;

  private final TrialNodes trial;

  DayLedger(TrialNodes trial) {
    this.trial = trial;
  }

  /**
   * What stands in the ledger and in the index of certificates; see the components of the same
   * names in {@link org.sluiceca.load.day.state.MarkFigures.Books}.
   */
  record Counts(
      long intents, long outcomes, long issued, long serials, long issuedPrint, Rows indexed) {}

  /** How many rows of the index, and the fingerprint of their serial numbers. */
  record Rows(long count, long print) {}

  /** Returns the octets of write-ahead log that the database has written since ever. */
  long walOctets() {
    return number("SELECT (pg_current_wal_lsn() - '0/0')::bigint");
  }

  /** Returns how many revocations there are. */
  long revocations() {
    return number("SELECT count(*) FROM revocation");
  }

  /** Returns tables and indexes with something in them, the largest first. */
  List<Relation> store() {
    List<Relation> relations = new ArrayList<>();
    ask(
        STORE,
        row -> {
          do {
            if (row.getLong(3) > 0) {
              relations.add(new Relation(row.getString(1), row.getBoolean(2), row.getLong(3)));
            }
          } while (row.next());
        });
    return relations;
  }

  /** Counts the whole ledger, and the whole index. */
  Counts counts() {
    Rows indexed = rows("");
    List<Counts> counts = new ArrayList<>();
    ask(
        ISSUED,
        row ->
            counts.add(
                new Counts(
                    row.getLong(1),
                    row.getLong(2),
                    row.getLong(3),
                    row.getLong(4),
                    row.getLong(5),
                    indexed)));
    return counts.getFirst();
  }

  /** Returns the rows of the batches' requesters. */
  Rows ofBatches() {
    return rows("WHERE requester LIKE '" + DayPlan.PREFIX + "%'");
  }

  /**
   * Returns the rows of one requester.
   *
   * @param requester letters, digits and hyphens
   */
  Rows of(String requester) {
    if (!requester.matches("[a-z0-9-]+")) {
      throw new IllegalArgumentException(requester);
    }
    return rows("WHERE requester = '" + requester + "'");
  }

  private Rows rows(String where) {
    List<Rows> rows = new ArrayList<>();
    ask(
        "SELECT count(*), " + PRINT + " FROM certificate_index " + where,
        row -> rows.add(new Rows(row.getLong(1), row.getLong(2))));
    return rows.getFirst();
  }

  /**
   * Waits until the index has all that was issued; returns how long that took, in seconds.
   *
   * @throws TrialException if it is behind for a quarter of an hour
   */
  double awaitIndexed() {
    long began = System.nanoTime();
    try {
      while (number("SELECT count(*) FROM certificate_feed") > 0) {
        if (System.nanoTime() - began > CAUGHT_UP.toNanos()) {
          throw new TrialException("the index is behind for more than " + CAUGHT_UP);
        }
        Thread.sleep(LOOK);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TrialException("interrupted", e);
    }
    return (System.nanoTime() - began) / 1e9;
  }

  /** Where a row is read; there is one. */
  @FunctionalInterface
  private interface Reader {
    void read(ResultSet row) throws SQLException;
  }

  private long number(String sql) {
    List<Long> numbers = new ArrayList<>();
    ask(sql, row -> numbers.add(row.getLong(1)));
    return numbers.getFirst();
  }

  private void ask(String sql, Reader reader) {
    try (Connection connection = trial.openLedger();
        Statement statement = connection.createStatement()) {
      try (ResultSet row = statement.executeQuery(sql)) {
        if (!row.next()) {
          throw new SQLException("no row");
        }
        reader.read(row);
      }
    } catch (SQLException e) {
      throw new TrialException("cannot ask the ledger: " + sql.lines().findFirst().orElse(""), e);
    }
  }
}
