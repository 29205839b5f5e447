package org.sluiceca.load.day;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.sluiceca.load.call.Database;
import org.sluiceca.load.call.Wait;
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

  private final Database ledger;

  DayLedger(TrialNodes trial) {
    this.ledger = trial.ledger();
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
    return ledger.number("SELECT (pg_current_wal_lsn() - '0/0')::bigint");
  }

  /** Returns how many revocations there are. */
  long revocations() {
    return ledger.number("SELECT count(*) FROM revocation");
  }

  /** Returns tables and indexes with something in them, the largest first. */
  List<Relation> store() {
    return ledger
        .all(STORE, row -> new Relation(row.getString(1), row.getBoolean(2), row.getLong(3)))
        .stream()
        .filter(relation -> relation.bytes() > 0)
        .toList();
  }

  /** Counts the whole ledger, and the whole index. */
  Counts counts() {
    Rows indexed = rows("");
    return ledger.first(ISSUED, row -> counts(row, indexed)).orElseThrow();
  }

  private static Counts counts(ResultSet row, Rows indexed) throws SQLException {
    return new Counts(
        row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4), row.getLong(5), indexed);
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
    String sql = "SELECT count(*), " + PRINT + " FROM certificate_index " + where;
    return ledger.first(sql, row -> new Rows(row.getLong(1), row.getLong(2))).orElseThrow();
  }

  /**
   * Waits until the index has all that was issued; returns how long that took, in seconds.
   *
   * @throws TrialException if it is behind for a quarter of an hour
   */
  double awaitIndexed() {
    long began = System.nanoTime();
    Wait.require(
        CAUGHT_UP,
        LOOK,
        "the index is behind",
        () -> ledger.number("SELECT count(*) FROM certificate_feed") == 0);
    return (System.nanoTime() - began) / 1e9;
  }
}
