package org.sluiceca.api.revocation.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Optional;
import org.sluiceca.core.crl.CrlSnapshot;
import org.sluiceca.core.crl.CrlSnapshot.Scheduled;
import org.sluiceca.core.crl.PlannedCrl;
import org.sluiceca.core.der.RevokedCertificates;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.x509.ExpiryWeek;
import org.sluiceca.core.x509.SerialNumber;

/** The content of a CRL: a scope's state and its entries, as of one moment. */
final class ScopeReading {

  private static final String SNAPSHOT =
      """
      SELECT s.revision, now() AS now,
        coalesce((SELECT max(c.number) FROM crl c
          WHERE c.issuer = s.issuer AND c.shard = s.shard), 0) AS last_number,
        l.number, l.revision AS scheduled_revision, l.this_update, l.next_update,
        l.expired_before, l.known_revision, l.distribution_point,
        NOT EXISTS (SELECT FROM crl_scope t WHERE t.issuer = s.issuer AND t.shard > 0) AS is_only
      FROM crl_scope s
      LEFT JOIN LATERAL (
        SELECT c.number, c.revision, c.this_update, c.next_update, c.expired_before,
          c.known_revision, c.distribution_point
        FROM crl c
        JOIN crl_signature g ON g.issuer = c.issuer AND g.shard = c.shard AND g.number = c.number
        WHERE c.issuer = s.issuer AND c.shard = s.shard AND c.is_scheduled
        ORDER BY c.number DESC LIMIT 1) l ON true
      WHERE s.issuer = ? AND s.shard = ?
      """;

  // Hardly any certificate has a second event, so those that have are looked for first. An entry
  // may leave only if the last scheduled CRL knew of it: one recorded too late for that stays once
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

  // The last event of each certificate decides. Of the events since the base all are listed:
  // entries that were revoked then are on the complete CRL until the next scheduled one. Of the
  // events before the base only an entry that has left since, and was on the base, is listed: its
  // certificate had ended before the base came, but not before the CRL that the base itself went
  // by. The second part is found by the partition of its week; a certificate that was given up
  // counts as of the end of its week.
  private static final String CHANGES =
      """
      WITH base (revision, this_update, known_revision, expired_before) AS
        (VALUES (?::bigint, ?::timestamptz, ?::bigint, ?::timestamptz)),
      changed AS (
        SELECT r.expiry_week, r.serial, r.event, r.reason, r.revoked_at, r.recorded_at,
          r.invalidity_date, r.reason IS NULL OR r.revision <= b.revision AS is_removed
        FROM revocation r, base b
        WHERE r.issuer = ? AND r.shard = ? AND r.revision > b.known_revision
          AND (r.revision > b.revision OR (r.reason IS NOT NULL AND r.not_after < b.this_update))
        UNION ALL
        SELECT r.expiry_week, r.serial, r.event, r.reason, r.revoked_at, r.recorded_at,
          r.invalidity_date, true
        FROM revocation r, base b
        WHERE r.issuer = ? AND r.shard = ? AND r.revision <= b.known_revision
          AND r.reason IS NOT NULL
          AND r.not_after >= b.expired_before AND r.not_after < b.this_update
          AND r.expiry_week BETWEEN ? AND ?)
      SELECT c.serial, c.reason,
        extract(epoch FROM coalesce(c.revoked_at, c.recorded_at))::bigint AS at,
        extract(epoch FROM c.invalidity_date)::bigint AS invalidity_date, c.is_removed
      FROM changed c
      WHERE NOT EXISTS (SELECT FROM revocation l
        WHERE l.expiry_week = c.expiry_week AND l.serial = c.serial AND l.event > c.event)
      """;

  // Without statistics the planner looks for a later event of each row by itself: 5 times as long.
  private static final String ONE_BY_ONE_NEVER = "SET LOCAL enable_nestloop = off";

  /** Rows that are in memory at once while entries are read. */
  private static final int FETCH_ROWS = 2_000;

  private ScopeReading() {}

  /** Reads in the caller's transaction, which sees one moment. */
  static CrlSnapshot read(Connection connection, CrlScope scope, RevokedCertificates entries)
      throws SQLException {
    CrlSnapshot snapshot = snapshot(connection, scope);
    try (Statement statement = connection.createStatement()) {
      statement.execute(ONE_BY_ONE_NEVER);
    }
    try (PreparedStatement statement = connection.prepareStatement(ENTRIES)) {
      PostgresCrlStore.bind(statement, scope);
      Instant expired = snapshot.lastScheduled().map(Scheduled::issuedAt).orElse(Instant.EPOCH);
      statement.setObject(3, PostgresRevocationStore.offset(expired));
      statement.setLong(4, snapshot.lastScheduled().map(Scheduled::revision).orElse(0L));
      statement.setFetchSize(FETCH_ROWS);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          add(entries, row);
        }
      }
    }
    return snapshot;
  }

  /** Reads what changed since the last scheduled CRL, in the caller's transaction. */
  static CrlSnapshot readChanges(Connection connection, CrlScope scope, RevokedCertificates changes)
      throws SQLException {
    CrlSnapshot snapshot = snapshot(connection, scope);
    Optional<Scheduled> base = snapshot.lastScheduled();
    if (base.isEmpty() || base.get().made().isEmpty()) {
      return snapshot;
    }
    PlannedCrl.Kind.Complete made = base.get().made().get();
    try (PreparedStatement statement = connection.prepareStatement(CHANGES)) {
      statement.setLong(1, base.get().revision());
      statement.setObject(2, PostgresRevocationStore.offset(base.get().issuedAt()));
      statement.setLong(3, made.knownRevision());
      statement.setObject(4, PostgresRevocationStore.offset(made.expiredBefore()));
      PostgresCrlStore.bind(statement, 5, scope);
      PostgresCrlStore.bind(statement, 7, scope);
      statement.setInt(9, ExpiryWeek.of(made.expiredBefore()).number() - 1);
      statement.setInt(10, ExpiryWeek.of(base.get().issuedAt()).number());
      statement.setFetchSize(FETCH_ROWS);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          if (row.getBoolean("is_removed")) {
            changes.addRemoved(
                SerialNumber.of(row.getBytes(1)), Instant.ofEpochSecond(row.getLong(3)));
          } else {
            add(changes, row);
          }
        }
      }
    }
    return snapshot;
  }

  private static void add(RevokedCertificates entries, ResultSet row) throws SQLException {
    entries.add(
        SerialNumber.of(row.getBytes(1)),
        Instant.ofEpochSecond(row.getLong(3)),
        PostgresRevocationStore.reason(row.getInt(2)),
        Optional.ofNullable(row.getObject(4, Long.class)).map(Instant::ofEpochSecond));
  }

  private static CrlSnapshot snapshot(Connection connection, CrlScope scope) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SNAPSHOT)) {
      PostgresCrlStore.bind(statement, scope);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw new SQLException("no CRL scope " + scope);
        }
        return new CrlSnapshot(
            PostgresCrlStore.instant(row, "now").orElseThrow(),
            row.getLong("last_number"),
            row.getLong("revision"),
            scheduled(row),
            row.getBoolean("is_only"));
      }
    }
  }

  private static Optional<Scheduled> scheduled(ResultSet row) throws SQLException {
    Optional<Instant> issuedAt = PostgresCrlStore.instant(row, "this_update");
    Optional<Instant> expiredBefore = PostgresCrlStore.instant(row, "expired_before");
    return issuedAt.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Scheduled(
                row.getLong("number"),
                row.getLong("scheduled_revision"),
                issuedAt.get(),
                PostgresCrlStore.instant(row, "next_update").orElseThrow(),
                expiredBefore.isEmpty()
                    ? Optional.empty()
                    : Optional.of(PostgresCrlStore.complete(row))));
  }
}
