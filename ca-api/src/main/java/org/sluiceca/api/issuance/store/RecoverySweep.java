package org.sluiceca.api.issuance.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.sluiceca.api.platform.store.ClaimedIntents;
import org.sluiceca.api.platform.store.LedgerColumns;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.LedgerStore.TakenOver;

/** One pass of recovery over the ledger: finds intents that were left lying and takes them over. */
public final class RecoverySweep {

  /*
   * The watermark: every intent with recorded_at before it has an outcome or stands in
   * unresolved_intent or, as an order that no node has taken, in backlog. A pass reads the intents
   * from the watermark to one lifetime ago, lists those without an outcome, and moves the
   * watermark, in one transaction; the take-over looks at the list alone, which is short.
   *
   * Why no pending intent is skipped. It could be only if its transaction became visible after a
   * pass had moved the watermark beyond its recorded_at, r, which is no earlier than the start of
   * its transaction. At the pass's time t the new watermark is at most t - lifetime. A transaction
   * that is not visible at t
   *  - has not begun: then r is later than t;
   *  - runs, and has not begun to commit: transaction_timeout, which is shorter than the lifetime,
   *    has not ended it yet, so r is later than t - lifetime;
   *  - is committing: there PostgreSQL has stopped the transaction_timeout (CommitTransaction), and
   *    a stalled disk or replica may hold it for any time. It has a transaction id, so
   *    pg_stat_activity shows when it began, and the watermark stays there.
   * The activity is read by a statement of its own before the intents are: what is gone from it is
   * visible to the later statement.
   *
   * A clock that was set back makes r early. Therefore no intent is given a time before what was
   * announced (IntentInsert), and the watermark moves at most to what an earlier pass announced:
   * a transaction that writes later than this pass has read the activity sees that announcement.
   * The watermark alone would not do: an intent written while a pass commits sees the one before.
   *
   * What is announced is a third of a lifetime later than what this pass has read: the next pass,
   * if it comes within that time, moves the watermark over all that it reads, and no intent is read
   * twice. Any announcement would be sound; this one lies in the past, so that no intent is dated
   * later for it while the clock runs forward.
   */

  /**
   * A third of a lifetime: 5 s of 15. A node's passes are 4.5 s apart on average ({@code
   * RecoveryPass.PAUSE}), so the next one usually comes before that time is over.
   */
  private static final int ANNOUNCED_AHEAD = 3;

  // Roles that write intents see each other's sessions in full: one role its own, several of them
  // by pg_read_all_stats, without which grant_role and SchemaMigration refuse a role.
  private static final String READ_BOUNDS =
      """
      SELECT now() - ? * interval '1 millisecond' AS expirable_before,
        (SELECT w.announced FROM recovery_watermark w) AS announced,
        least(
          (SELECT min(a.xact_start) FROM pg_stat_activity a
            WHERE a.backend_xid IS NOT NULL AND a.datname = current_database()),
          (SELECT min(p.prepared) FROM pg_prepared_xacts p
            WHERE p.database = current_database())) AS oldest_writing
      """;

  // One pass at a time; the others wait a moment for it, or give up and come again.
  private static final String LOCK_WATERMARK =
      "SELECT w.swept_before FROM recovery_watermark w WHERE w.only_row FOR UPDATE";

  /*
   * By the B-tree on recorded_at where it is there: the BRIN index makes PostgreSQL read thousands
   * of pages of other times, at least all that it has not summarized yet. Only a BRIN index needs a
   * bitmap scan, so turning those off excludes it. LargeIndexes creates the one and drops the
   * other; without both, a pass would read all intents. Partition by partition, no outcome is
   * looked up in other weeks.
   */
  static final String PLAN_BY_TIME =
      """
      SELECT set_config('enable_partitionwise_join', 'on', true),
        set_config('enable_bitmapscan', CASE WHEN EXISTS (SELECT FROM pg_index i
          WHERE i.indexrelid = to_regclass('intent_recorded') AND i.indisvalid)
          THEN 'off' ELSE 'on' END, true)
      """;

  // OFFSET 0: the backlog is asked for the few without an outcome, not for all.
  static final String LIST_UNRESOLVED =
      """
      INSERT INTO unresolved_intent (expiry_week, serial, recorded_at)
      SELECT u.expiry_week, u.serial, u.recorded_at
      FROM (
        SELECT i.expiry_week, i.serial, i.recorded_at
        FROM intent i
        WHERE i.recorded_at >= (SELECT w.swept_before FROM recovery_watermark w)
          AND i.recorded_at < ?
          AND NOT EXISTS (SELECT FROM outcome o
            WHERE o.expiry_week = i.expiry_week AND o.serial = i.serial)
        OFFSET 0) u
      WHERE NOT EXISTS (SELECT FROM backlog b
        WHERE b.expiry_week = u.expiry_week AND b.serial = u.serial)
      ON CONFLICT (expiry_week, serial) DO NOTHING
      """;

  private static final String MOVE_WATERMARK =
      """
      UPDATE recovery_watermark
      SET swept_before = greatest(swept_before, ?), announced = greatest(announced, ?)
      WHERE only_row
      """;

  private static final String DROP_RESOLVED =
      """
      DELETE FROM unresolved_intent u
      WHERE EXISTS (SELECT FROM outcome o
        WHERE o.expiry_week = u.expiry_week AND o.serial = u.serial)
      """;

  private static final String TAKE_OVER =
      String.format(
          Locale.ROOT,
          """
      WITH due AS (
        SELECT i.expiry_week, coalesce(newest.epoch, 0) + 1 AS next_epoch, %1$s
        FROM unresolved_intent u
        JOIN intent i ON i.expiry_week = u.expiry_week AND i.serial = u.serial
        LEFT JOIN LATERAL (SELECT c.epoch, c.expires_at FROM claim c
          WHERE c.expiry_week = u.expiry_week AND c.serial = u.serial
          ORDER BY c.epoch DESC LIMIT 1) newest ON true
        WHERE coalesce(newest.expires_at, i.claim_until) <= now()
          AND NOT EXISTS (SELECT FROM backlog b
            WHERE b.expiry_week = u.expiry_week AND b.serial = u.serial)
        ORDER BY u.recorded_at, u.serial
        LIMIT ?
        FOR UPDATE OF u SKIP LOCKED),
      taken AS (
        INSERT INTO claim (expiry_week, serial, epoch, owner, expires_at)
        SELECT d.expiry_week, d.serial, d.next_epoch, ?, now() + ? * interval '1 millisecond'
        FROM due d
        ON CONFLICT (expiry_week, serial, epoch) DO NOTHING
        RETURNING expiry_week, serial)
      SELECT i.next_epoch, greatest(now(), i.recorded_at) AS taken_at, %1$s
      FROM due i
      JOIN taken t ON t.expiry_week = i.expiry_week AND t.serial = i.serial
      ORDER BY i.recorded_at, i.serial
      """,
          LedgerColumns.INTENT);

  private record Bounds(
      OffsetDateTime expirableBefore,
      OffsetDateTime announced,
      Optional<OffsetDateTime> oldestWriting) {

    OffsetDateTime watermark() {
      OffsetDateTime latest = expirableBefore.isBefore(announced) ? expirableBefore : announced;
      return oldestWriting.filter(o -> o.isBefore(latest)).orElse(latest);
    }
  }

  private final Connection connection;
  private final ClaimTerms terms;

  RecoverySweep(Connection connection, ClaimTerms terms) {
    this.connection = connection;
    this.terms = terms;
  }

  /** Moves the watermark and takes over at most {@code max} intents; commits. */
  List<TakenOver> claimExpired(int max) throws SQLException {
    connection.setAutoCommit(false);
    Bounds bounds = readBounds(terms.lifetime());
    execute(LOCK_WATERMARK);
    execute(PLAN_BY_TIME);
    execute(LIST_UNRESOLVED, bounds.expirableBefore());
    OffsetDateTime announced =
        bounds.expirableBefore().plus(terms.lifetime().dividedBy(ANNOUNCED_AHEAD));
    execute(MOVE_WATERMARK, bounds.watermark(), announced);
    execute(DROP_RESOLVED);
    List<TakenOver> taken = takeOver(max);
    connection.commit();
    return taken;
  }

  private Bounds readBounds(Duration lifetime) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(READ_BOUNDS)) {
      statement.setLong(1, lifetime.toMillis());
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        return new Bounds(
            result.getObject("expirable_before", OffsetDateTime.class),
            result.getObject("announced", OffsetDateTime.class),
            Optional.ofNullable(result.getObject("oldest_writing", OffsetDateTime.class)));
      }
    }
  }

  private void execute(String sql, Object... parameters) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      statement.execute();
    }
  }

  private List<TakenOver> takeOver(int max) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(TAKE_OVER)) {
      statement.setInt(1, max);
      ClaimedIntents.setTerms(statement, 2, terms);
      return ClaimedIntents.of(statement, ClaimedIntents.Origin.NODE);
    }
  }
}
