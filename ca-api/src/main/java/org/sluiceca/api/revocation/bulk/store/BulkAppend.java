package org.sluiceca.api.revocation.bulk.store;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.sluiceca.api.revocation.store.PostgresCrlStore;
import org.sluiceca.api.revocation.store.PostgresRevocationStore;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.revoke.RevocationEvent;
import org.sluiceca.core.revoke.RevocationStatus;
import org.sluiceca.core.revoke.bulk.BulkRevocation;
import org.sluiceca.core.x509.SerialNumber;

/** Appends the revocations of a batch in the caller's transaction, a few statements for all. */
final class BulkAppend {

  private static final String OPEN =
      "INSERT INTO crl_scope (issuer, shard) VALUES (?, ?) ON CONFLICT DO NOTHING";

  // The lock that a single revocation takes by raising the revision.
  private static final String LOCK =
      "SELECT revision FROM crl_scope WHERE issuer = ? AND shard = ? FOR NO KEY UPDATE";

  private static final String RAISE =
      "UPDATE crl_scope SET revision = ? WHERE issuer = ? AND shard = ?";

  private static final String STATUSES =
      """
      SELECT n.serial, l.event, l.reason, l.revoked_at, l.invalidity_date
      FROM unnest(?, ?) AS n (week, serial)
      JOIN LATERAL (
        SELECT r.event, r.reason, r.revoked_at, r.invalidity_date FROM revocation r
        WHERE r.expiry_week = n.week AND r.serial = n.serial
        ORDER BY r.event DESC LIMIT 1) l ON true
      """;

  // No conflict is expected under the lock: one would fail the batch, which is right.
  private static final String APPEND =
      """
      INSERT INTO revocation (expiry_week, serial, event, issuer, shard, revision, not_after,
        requester, reason, revoked_at, invalidity_date)
      SELECT n.week, n.serial, n.event, n.issuer, n.shard, n.revision, to_timestamp(n.not_after),
        ?, ?, date_trunc('second', now()), least(?::timestamptz, date_trunc('second', now()))
      FROM unnest(?, ?, ?, ?, ?, ?, ?) AS n (week, serial, event, issuer, shard, revision, not_after)
      """;

  private static final String INTEGER = "int4";
  private static final String BIGINT = "int8";

  private BulkAppend() {}

  /** Locks a scope, which is made if need be, and returns its revision. */
  static long lock(Connection connection, CrlScope scope) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(OPEN)) {
      PostgresCrlStore.bind(statement, scope);
      statement.executeUpdate();
    }
    try (PreparedStatement statement = connection.prepareStatement(LOCK)) {
      PostgresCrlStore.bind(statement, scope);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  /** Returns what the events of these have come to; nothing of those that have none. */
  static Map<SerialNumber, RevocationStatus> statuses(
      Connection connection, List<SerialNumber> serialNumbers) throws SQLException {
    Map<SerialNumber, RevocationStatus> statuses = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(STATUSES)) {
      statement.setArray(1, weeks(connection, serialNumbers, s -> s));
      statement.setArray(2, octets(connection, serialNumbers, s -> s));
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          statuses.put(
              SerialNumber.of(row.getBytes("serial")), PostgresRevocationStore.status(row));
        }
      }
    }
    return statuses;
  }

  /**
   * Appends events, all with the wish's reason and the revocationDate of now.
   *
   * @param revisions those of the locked scopes
   */
  static void append(
      Connection connection,
      BulkRevocation wish,
      List<RevocationEvent> events,
      Map<CrlScope, Long> revisions)
      throws SQLException {
    if (events.isEmpty()) {
      return;
    }
    Map<CrlScope, Long> raised = new HashMap<>();
    List<Long> revisionOf = new ArrayList<>();
    for (RevocationEvent event : events) {
      CrlScope scope = event.scope();
      long next = raised.getOrDefault(scope, revisions.getOrDefault(scope, 0L)) + 1;
      raised.put(scope, next);
      revisionOf.add(next);
    }
    try (PreparedStatement statement = connection.prepareStatement(APPEND)) {
      statement.setString(1, wish.by().value());
      statement.setInt(2, wish.reason().code());
      BulkReading.time(statement, 3, wish.invalidityDate());
      statement.setArray(4, weeks(connection, events, RevocationEvent::serialNumber));
      statement.setArray(5, octets(connection, events, RevocationEvent::serialNumber));
      statement.setArray(6, array(connection, INTEGER, events, RevocationEvent::number));
      statement.setArray(7, array(connection, "text", events, e -> e.scope().issuer().value()));
      statement.setArray(8, array(connection, INTEGER, events, e -> e.scope().shard()));
      statement.setArray(9, connection.createArrayOf(BIGINT, revisionOf.toArray()));
      statement.setArray(10, array(connection, BIGINT, events, e -> e.notAfter().getEpochSecond()));
      int appended = statement.executeUpdate();
      if (appended != events.size()) {
        throw new SQLException("appended " + appended + " of " + events.size() + " events");
      }
    }
    raise(connection, raised);
  }

  private static void raise(Connection connection, Map<CrlScope, Long> raised) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(RAISE)) {
      for (Map.Entry<CrlScope, Long> scope : raised.entrySet()) {
        statement.setLong(1, scope.getValue());
        statement.setString(2, scope.getKey().issuer().value());
        statement.setInt(3, scope.getKey().shard());
        statement.executeUpdate();
      }
    }
  }

  private static <T> Array weeks(
      Connection connection, List<T> rows, Function<T, SerialNumber> serialNumber)
      throws SQLException {
    return array(connection, INTEGER, rows, row -> serialNumber.apply(row).expiryWeek().number());
  }

  /** The driver wants octets as byte[][], not as an Object[] of byte[]. */
  private static <T> Array octets(
      Connection connection, List<T> rows, Function<T, SerialNumber> serialNumber)
      throws SQLException {
    return connection.createArrayOf(
        "bytea", rows.stream().map(row -> serialNumber.apply(row).octets()).toArray(byte[][]::new));
  }

  private static <T> Array array(
      Connection connection, String type, List<T> rows, Function<T, Object> value)
      throws SQLException {
    return connection.createArrayOf(type, rows.stream().map(value).toArray());
  }
}
