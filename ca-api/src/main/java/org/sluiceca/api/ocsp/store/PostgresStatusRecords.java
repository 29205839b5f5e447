package org.sluiceca.api.ocsp.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.platform.store.LedgerColumns;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.ocsp.StatusRecords;
import org.sluiceca.core.revoke.Revocation;
import org.sluiceca.core.revoke.RevocationStatus;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;

/** The records of OCSP on PostgreSQL: one statement for many serial numbers. Thread-safe. */
public final class PostgresStatusRecords implements StatusRecords {

  // OFFSET 0 keeps each part a look-up by primary key in one partition for each serial number: a
  // join by hash would read whole tables. A serial number that was never used costs the first
  // look-up alone.
  private static final String FIND =
      """
      SELECT %1$s, %2$s, r.event, r.revocation_reason, r.revoked_at, r.invalidity_date
      FROM unnest(?::integer[], ?::bytea[]) AS q (week, serial)
      CROSS JOIN LATERAL (
        SELECT %1$s FROM intent i
        WHERE i.expiry_week = q.week AND i.serial = q.serial OFFSET 0) i
      LEFT JOIN LATERAL (
        SELECT %2$s FROM outcome o
        WHERE o.expiry_week = q.week AND o.serial = q.serial OFFSET 0) o ON true
      LEFT JOIN LATERAL (
        SELECT n.event, n.reason AS revocation_reason, n.revoked_at, n.invalidity_date
        FROM revocation n
        WHERE n.expiry_week = q.week AND n.serial = q.serial
        ORDER BY n.event DESC LIMIT 1) r ON true
      """
          .replace("%1$s", LedgerColumns.INTENT)
          .replace("%2$s", LedgerColumns.OUTCOME);

  private final LedgerDatabase database;

  /** Reads from a database that was migrated. */
  public PostgresStatusRecords(LedgerDatabase database) {
    this.database = database;
  }

  @Override
  public Map<SerialNumber, Known> find(List<SerialNumber> serialNumbers) {
    Integer[] weeks = new Integer[serialNumbers.size()];
    byte[][] serials = new byte[serialNumbers.size()][];
    for (int i = 0; i < serials.length; i++) {
      weeks[i] = serialNumbers.get(i).expiryWeek().number();
      serials[i] = serialNumbers.get(i).octets();
    }
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(FIND)) {
      statement.setArray(1, connection.createArrayOf("int4", weeks));
      statement.setArray(2, connection.createArrayOf("bytea", serials));
      Map<SerialNumber, Known> found = new HashMap<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          LedgerEntry entry = LedgerColumns.entry(row);
          found.put(entry.intent().serialNumber(), new Known(entry, revocation(row)));
        }
      }
      return found;
    } catch (SQLException e) {
      throw new LedgerUnavailable("the records of OCSP cannot be read", e);
    }
  }

  private static RevocationStatus revocation(ResultSet row) throws SQLException {
    @Nullable Integer events = row.getObject("event", Integer.class);
    if (events == null) {
      return RevocationStatus.NEVER_REVOKED;
    }
    @Nullable Integer reason = row.getObject("revocation_reason", Integer.class);
    return new RevocationStatus(
        events, reason == null ? Optional.empty() : Optional.of(revocation(row, reason)));
  }

  private static Revocation revocation(ResultSet row, int reason) throws SQLException {
    return new Revocation(
        RevocationReason.ofCode(reason)
            .orElseThrow(() -> new SQLException("revocation for an unknown reason " + reason)),
        row.getObject("revoked_at", OffsetDateTime.class).toInstant(),
        Optional.ofNullable(row.getObject("invalidity_date", OffsetDateTime.class))
            .map(OffsetDateTime::toInstant));
  }
}
