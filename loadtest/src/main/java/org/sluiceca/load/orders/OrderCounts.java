package org.sluiceca.load.orders;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.sluiceca.load.call.Database;

/**
 * Counts the orders of a run in the trial's database, independently of what the service reports.
 *
 * @param run what the Idempotency-Keys begin with: letters and digits
 */
record OrderCounts(Database ledger, String run) {

  // An intent that no node has decided: in the backlog, in the list of recovery, or younger than
  // both. Asked every second, so it ends at the first that it finds.
  private static final String UNFINISHED =
      """
      SELECT EXISTS (SELECT FROM backlog)
        OR EXISTS (SELECT FROM unresolved_intent u
          WHERE NOT EXISTS (SELECT FROM outcome o
            WHERE o.expiry_week = u.expiry_week AND o.serial = u.serial))
        OR EXISTS (SELECT FROM intent i
          WHERE i.recorded_at >= (SELECT w.swept_before FROM recovery_watermark w)
            AND NOT EXISTS (SELECT FROM outcome o
              WHERE o.expiry_week = i.expiry_week AND o.serial = i.serial))
      """;

  private static final String COUNT =
      """
      SELECT count(*) AS intents, count(DISTINCT i.idempotency_key) AS keys,
        count(*) FILTER (WHERE o.kind = 'issued') AS issued,
        count(*) FILTER (WHERE o.kind = 'abandoned') AS failed,
        count(*) FILTER (WHERE o.kind IS NULL) AS pending,
        count(DISTINCT i.idempotency_key) FILTER (WHERE o.kind = 'issued') AS issued_keys,
        count(*) FILTER (WHERE o.epoch > 1) AS taken_over,
        count(*) FILTER (WHERE o.epoch > 0) AS taken
      FROM intent i
      LEFT JOIN outcome o ON o.expiry_week = i.expiry_week AND o.serial = i.serial
      WHERE i.idempotency_key LIKE ?
      """;

  /**
   * What became of the orders.
   *
   * @param keys distinct keys among the intents
   * @param issuedKeys distinct keys among those issued
   * @param taken outcomes of orders that waited in the backlog, or were taken over
   * @param takenOver outcomes of those whose first taker died, at least
   */
  record Counted(
      long intents,
      long keys,
      long issued,
      long failed,
      long pending,
      long issuedKeys,
      long taken,
      long takenOver) {}

  /** Returns whether every intent has an outcome, in this run or any other. */
  boolean haveAllEnded() {
    return !ledger.first(UNFINISHED, row -> row.getBoolean(1)).orElseThrow();
  }

  /** Returns what became of the run's orders. */
  Counted count() {
    return ledger.first(COUNT, OrderCounts::counted, run + "-%").orElseThrow();
  }

  private static Counted counted(ResultSet row) throws SQLException {
    return new Counted(
        row.getLong("intents"),
        row.getLong("keys"),
        row.getLong("issued"),
        row.getLong("failed"),
        row.getLong("pending"),
        row.getLong("issued_keys"),
        row.getLong("taken"),
        row.getLong("taken_over"));
  }
}
