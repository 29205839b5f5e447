package org.sluiceca.api.issuance.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import org.sluiceca.api.issuance.backlog.store.BacklogTake;
import org.sluiceca.api.platform.store.LedgerColumns;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.LedgerStore.TakenOver;
import org.sluiceca.core.x509.SerialNumber;

/** Takes one intent over by the next epoch, whatever claim to it lives, or out of the backlog. */
final class TakeOver {

  // Of several takers of one epoch the primary key lets one insert, as in RecoverySweep. An outcome
  // that commits meanwhile stands: a node that decides after it finds it.
  private static final String TAKE =
      String.format(
          Locale.ROOT,
          """
      WITH taken AS (
        INSERT INTO claim (expiry_week, serial, epoch, owner, expires_at)
        SELECT i.expiry_week, i.serial,
          coalesce((SELECT max(c.epoch) FROM claim c
            WHERE c.expiry_week = i.expiry_week AND c.serial = i.serial), 0) + 1,
          ?, now() + ? * interval '1 millisecond'
        FROM intent i
        WHERE i.expiry_week = ? AND i.serial = ?
          AND NOT EXISTS (SELECT FROM outcome o
            WHERE o.expiry_week = i.expiry_week AND o.serial = i.serial)
        ON CONFLICT (expiry_week, serial, epoch) DO NOTHING
        RETURNING expiry_week, serial, epoch),
      gone AS (
        DELETE FROM backlog b USING taken t
        WHERE b.expiry_week = t.expiry_week AND b.serial = t.serial
        RETURNING b.requester, b.expiry_week, b.serial, b.recorded_at),
      counted AS (
        INSERT INTO backlog_depth AS d (requester, slot, orders, taken)
        SELECT g.requester, floor(random() * %2$d)::smallint, -1, 1 FROM gone g
        ON CONFLICT (requester, slot) DO UPDATE
        SET orders = d.orders + excluded.orders, taken = d.taken + excluded.taken),
      listed AS (
        INSERT INTO unresolved_intent (expiry_week, serial, recorded_at)
        SELECT g.expiry_week, g.serial, g.recorded_at FROM gone g
        ON CONFLICT (expiry_week, serial) DO NOTHING)
      SELECT t.epoch, greatest(now(), i.recorded_at) AS taken_at,
        t.epoch = 1 AND EXISTS (SELECT FROM gone) AS untouched, %1$s
      FROM taken t
      JOIN intent i ON i.expiry_week = t.expiry_week AND i.serial = t.serial
      """,
          LedgerColumns.INTENT,
          BacklogTake.SLOTS);

  // Locked before the claim, as a node that takes orders locks it: otherwise the two would wait for
  // one another.
  private static final String LOCK_ORDER =
      "SELECT FROM backlog b WHERE b.expiry_week = ? AND b.serial = ? FOR UPDATE";

  private TakeOver() {}

  static Optional<TakenOver> of(Connection connection, SerialNumber serialNumber, ClaimTerms terms)
      throws SQLException {
    connection.setAutoCommit(false);
    lockOrder(connection, serialNumber);
    Optional<TakenOver> taken = take(connection, serialNumber, terms);
    connection.commit();
    return taken;
  }

  private static void lockOrder(Connection connection, SerialNumber serialNumber)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(LOCK_ORDER)) {
      statement.setInt(1, serialNumber.expiryWeek().number());
      statement.setBytes(2, serialNumber.octets());
      statement.execute();
    }
  }

  private static Optional<TakenOver> take(
      Connection connection, SerialNumber serialNumber, ClaimTerms terms) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(TAKE)) {
      statement.setString(1, terms.owner().value());
      statement.setLong(2, terms.lifetime().toMillis());
      statement.setInt(3, serialNumber.expiryWeek().number());
      statement.setBytes(4, serialNumber.octets());
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(
                new TakenOver(
                    LedgerColumns.intent(row),
                    LedgerColumns.instant(row, "recorded_at"),
                    LedgerColumns.instant(row, "taken_at"),
                    row.getInt("epoch"),
                    row.getBoolean("untouched")))
            : Optional.empty();
      }
    }
  }
}
