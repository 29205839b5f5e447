package org.sluiceca.api.issuance.backlog.store;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;
import org.sluiceca.api.platform.store.ClaimedIntents;
import org.sluiceca.api.platform.store.LedgerColumns;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.LedgerStore.TakenOver;
import org.sluiceca.core.request.RequesterId;

/** Takes orders out of the backlog into this node's hands; rows that others hold are skipped. */
public final class BacklogTake {

  /** Of each requester's depth. */
  public static final int SLOTS = 16;

  /*
   * Whatever leaves the backlog undecided is listed as unresolved in the same statement, also if
   * the claim to it is another's: a node of an earlier version takes orders over as if they had
   * been left lying, and a node that cancels one claims it first.
   */
  private static final String TAKE =
      String.format(
          Locale.ROOT,
          """
      WITH slot AS (SELECT floor(random() * %1$d)::smallint AS slot),
      chosen AS (
        SELECT b.requester, b.seq
        FROM unnest(?, ?) AS n (requester, most)
        CROSS JOIN LATERAL (
          SELECT q.requester, q.seq FROM backlog q
          WHERE q.requester = n.requester
          ORDER BY q.seq LIMIT n.most
          FOR UPDATE SKIP LOCKED) b),
      gone AS (
        DELETE FROM backlog b USING chosen c
        WHERE b.requester = c.requester AND b.seq = c.seq
        RETURNING b.requester, b.seq, b.expiry_week, b.serial, b.recorded_at),
      counted AS (
        INSERT INTO backlog_depth AS d (requester, slot, orders, taken)
        SELECT g.requester, s.slot, -count(*), count(*)
        FROM gone g CROSS JOIN slot s
        GROUP BY g.requester, s.slot
        ORDER BY g.requester
        ON CONFLICT (requester, slot) DO UPDATE
        SET orders = d.orders + excluded.orders, taken = d.taken + excluded.taken),
      due AS (
        SELECT g.seq, g.expiry_week, g.serial, g.recorded_at,
          coalesce((SELECT max(c.epoch) FROM claim c
            WHERE c.expiry_week = g.expiry_week AND c.serial = g.serial), 0) + 1 AS next_epoch,
          NOT EXISTS (SELECT FROM claim c
            WHERE c.expiry_week = g.expiry_week AND c.serial = g.serial
              AND c.expires_at > now()) AS is_free
        FROM gone g
        WHERE NOT EXISTS (SELECT FROM outcome o
          WHERE o.expiry_week = g.expiry_week AND o.serial = g.serial)),
      listed AS (
        INSERT INTO unresolved_intent (expiry_week, serial, recorded_at)
        SELECT d.expiry_week, d.serial, d.recorded_at FROM due d
        ON CONFLICT (expiry_week, serial) DO NOTHING),
      taken AS (
        INSERT INTO claim (expiry_week, serial, epoch, owner, expires_at)
        SELECT d.expiry_week, d.serial, d.next_epoch, ?, now() + ? * interval '1 millisecond'
        FROM due d
        WHERE d.is_free
        ON CONFLICT (expiry_week, serial, epoch) DO NOTHING
        RETURNING expiry_week, serial)
      SELECT d.next_epoch, greatest(now(), i.recorded_at) AS taken_at, %2$s
      FROM due d
      JOIN taken t ON t.expiry_week = d.expiry_week AND t.serial = d.serial
      JOIN intent i ON i.expiry_week = d.expiry_week AND i.serial = d.serial
      ORDER BY d.seq
      """,
          SLOTS,
          LedgerColumns.INTENT);

  private BacklogTake() {}

  /**
   * Takes orders in one statement; blocks for a round trip.
   *
   * @param terms of the claims to them
   * @param most how many of whom
   */
  public static List<TakenOver> of(
      Connection connection, ClaimTerms terms, SequencedMap<RequesterId, Integer> most)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(TAKE)) {
      Array requesters =
          connection.createArrayOf(
              "text", most.sequencedKeySet().stream().map(RequesterId::value).toArray());
      statement.setArray(1, requesters);
      statement.setArray(2, connection.createArrayOf("int4", most.sequencedValues().toArray()));
      ClaimedIntents.setTerms(statement, 3, terms);
      return ClaimedIntents.of(statement, ClaimedIntents.Origin.BACKLOG);
    }
  }
}
