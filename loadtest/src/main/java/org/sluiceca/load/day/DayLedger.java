package org.sluiceca.load.day;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.sluiceca.load.call.Database;
import org.sluiceca.load.call.Wait;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.day.state.DayPlan;
import org.sluiceca.load.day.state.History;
import org.sluiceca.load.day.state.MarkFigures.Books;
import org.sluiceca.load.day.state.MarkFigures.Relation;

/**
 * Sizes and counts of the trial's database. A call opens a connection and blocks until it has its
 * answer: of twenty million certificates some minutes.
 */
record DayLedger(Database ledger) {

  private static final Duration CAUGHT_UP = Duration.ofMinutes(15);
  private static final Duration LOOK = Duration.ofMillis(50);

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

  /** Fingerprints are of the last eight octets of serial numbers, which are random. */
  private static final String BOOKS =
      """
      SELECT (SELECT count(*) FROM intent), o.*, x.* FROM (
        SELECT count(*), count(*) FILTER (WHERE kind = 'issued'),
          count(DISTINCT serial) FILTER (WHERE kind = 'issued'),
          coalesce(bit_xor(('x' || encode(substring(serial FROM 12), 'hex'))::bit(64)::bigint)
            FILTER (WHERE kind = 'issued'), 0)
        FROM outcome) AS o, (
        SELECT count(*),
          coalesce(bit_xor(('x' || encode(substring(serial FROM 12), 'hex'))::bit(64)::bigint), 0),
          count(*) FILTER (WHERE requester LIKE ?),
          coalesce(bit_xor(('x' || encode(substring(serial FROM 12), 'hex'))::bit(64)::bigint)
            FILTER (WHERE requester LIKE ?), 0),
          count(*) FILTER (WHERE requester = ?)
        FROM certificate_index) AS x
      """;

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

  /**
   * Counts the whole ledger, and the whole index.
   *
   * @param history of what was answered in batches
   * @param probes how many single requests of {@code requester} were answered
   */
  Books books(History history, long probes, String requester) {
    String batches = DayPlan.PREFIX + "%";
    return ledger
        .first(BOOKS, row -> books(row, history, probes), batches, batches, requester)
        .orElseThrow();
  }

  private static Books books(ResultSet row, History history, long probes) throws SQLException {
    return new Books(
        history.answered(),
        history.fingerprint(),
        probes,
        row.getLong(1),
        row.getLong(2),
        row.getLong(3),
        row.getLong(4),
        row.getLong(5),
        row.getLong(6),
        row.getLong(7),
        row.getLong(8),
        row.getLong(9),
        row.getLong(10));
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
