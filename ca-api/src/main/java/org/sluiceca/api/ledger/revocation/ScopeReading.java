package org.sluiceca.api.ledger.revocation;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Optional;
import org.sluiceca.core.crl.CrlSnapshot;
import org.sluiceca.core.der.RevokedCertificates;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.x509.SerialNumber;

/** What goes onto a CRL: a scope's standing and its entries, as of one moment. */
final class ScopeReading {

  private static final String SNAPSHOT =
      """
      SELECT s.revision, now() AS now,
        coalesce((SELECT max(c.number) FROM crl c
          WHERE c.issuer = s.issuer AND c.shard = s.shard), 0) AS last_number,
        l.this_update AS last_scheduled, coalesce(l.revision, 0) AS scheduled_revision,
        NOT EXISTS (SELECT FROM crl_scope t WHERE t.issuer = s.issuer AND t.shard > 0) AS is_only
      FROM crl_scope s
      LEFT JOIN LATERAL (
        SELECT c.this_update, c.revision FROM crl c
        JOIN crl_signature g ON g.issuer = c.issuer AND g.shard = c.shard AND g.number = c.number
        WHERE c.issuer = s.issuer AND c.shard = s.shard AND c.is_scheduled
        ORDER BY c.number DESC LIMIT 1) l ON true
      WHERE s.issuer = ? AND s.shard = ?
      """;

  // Hardly any certificate has a second event, so those that have are looked for first. An entry
  // may
  // leave only if the last scheduled CRL knew of it: one recorded too late for that stays once
  // more.
  private static final String ENTRIES =
      """
      SELECT r.serial, r.reason, extract(epoch FROM r.revoked_at)::bigint AS revoked_at,
        extract(epoch FROM r.invalidity_date)::bigint AS invalidity_date
      FROM revocation r
      WHERE r.issuer = ? AND r.shard = ? AND r.reason IS NOT NULL
        AND (r.not_after >= ? OR r.revision > ?)
        AND NOT EXISTS (SELECT FROM revocation l
          WHERE l.issuer = r.issuer AND l.shard = r.shard AND l.event > 1
          AND l.expiry_week = r.expiry_week AND l.serial = r.serial AND l.event > r.event)
      """;

  // Without statistics the planner looks for a later event of each row by itself: 5 times as long.
  private static final String ONE_BY_ONE_NEVER = "SET LOCAL enable_nestloop = off";

  /** Rows that are in memory at once while entries are read. */
  private static final int FETCH_ROWS = 2_000;

  private ScopeReading() {}

  /** Reads in the caller's transaction, which sees one moment. */
  static CrlSnapshot read(Connection connection, CrlScope scope, RevokedCertificates entries)
      throws SQLException {
    CrlSnapshot snapshot;
    Instant expired;
    long knownRevision;
    try (PreparedStatement statement = connection.prepareStatement(SNAPSHOT)) {
      PostgresCrlStore.bind(statement, scope);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw new SQLException("no CRL scope " + scope);
        }
        snapshot =
            new CrlSnapshot(
                PostgresCrlStore.instant(row, "now").orElseThrow(),
                row.getLong("last_number"),
                row.getLong("revision"),
                PostgresCrlStore.instant(row, "last_scheduled"),
                row.getBoolean("is_only"));
        expired = snapshot.lastScheduled().orElse(Instant.EPOCH);
        knownRevision = row.getLong("scheduled_revision");
      }
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(ONE_BY_ONE_NEVER);
    }
    try (PreparedStatement statement = connection.prepareStatement(ENTRIES)) {
      PostgresCrlStore.bind(statement, scope);
      statement.setObject(3, PostgresRevocationStore.offset(expired));
      statement.setLong(4, knownRevision);
      statement.setFetchSize(FETCH_ROWS);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          entries.add(
              SerialNumber.of(row.getBytes(1)),
              Instant.ofEpochSecond(row.getLong(3)),
              PostgresRevocationStore.reason(row.getInt(2)),
              Optional.ofNullable(row.getObject(4, Long.class)).map(Instant::ofEpochSecond));
        }
      }
    }
    return snapshot;
  }
}
