package org.sluiceca.api.revocation.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.revoke.Revocation;
import org.sluiceca.core.revoke.RevocationEvent;
import org.sluiceca.core.revoke.RevocationEvent.Change;
import org.sluiceca.core.revoke.RevocationStatus;
import org.sluiceca.core.revoke.RevocationStore;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;

/** Revocations on PostgreSQL. Thread-safe. */
public final class PostgresRevocationStore implements RevocationStore {

  private static final String STATUS =
      """
      SELECT event, reason, revoked_at, invalidity_date FROM revocation
      WHERE expiry_week = ? AND serial = ? ORDER BY event DESC LIMIT 1
      """;

  // The scope's row is locked until the commit, so the events of a scope commit in the order of
  // their revisions. Of two events with one number the second waits here, and then finds the first.
  private static final String RAISE =
      """
      INSERT INTO crl_scope (issuer, shard, revision) VALUES (?, ?, 1)
      ON CONFLICT (issuer, shard) DO UPDATE SET revision = crl_scope.revision + 1
      RETURNING revision
      """;

  private static final String APPEND =
      """
      INSERT INTO revocation (expiry_week, serial, event, issuer, shard, revision, requester, reason,
        revoked_at, invalidity_date, not_after)
      SELECT n.week, n.serial, n.event, n.issuer, n.shard, n.revision, n.requester, n.reason,
        CASE WHEN n.reason IS NOT NULL THEN coalesce(n.since, date_trunc('second', now())) END,
        n.invalidity_date, n.not_after
      FROM (VALUES (?::integer, ?::bytea, ?::integer, ?::text, ?::integer, ?::bigint, ?::text,
        ?::integer, ?::timestamptz, ?::timestamptz, ?::timestamptz)) AS n (week, serial, event,
        issuer, shard, revision, requester, reason, since, invalidity_date, not_after)
      ON CONFLICT (expiry_week, serial, event) DO NOTHING
      RETURNING event, reason, revoked_at, invalidity_date
      """;

  private final LedgerDatabase database;

  /** Keeps revocations in a database that was migrated. */
  public PostgresRevocationStore(LedgerDatabase database) {
    this.database = database;
  }

  @Override
  public RevocationStatus status(SerialNumber serialNumber) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(STATUS)) {
      statement.setInt(1, serialNumber.expiryWeek().number());
      statement.setBytes(2, serialNumber.octets());
      return read(statement).orElse(RevocationStatus.NEVER_REVOKED);
    } catch (SQLException e) {
      throw new LedgerUnavailable("the revocations cannot be read", e);
    }
  }

  @Override
  public Optional<RevocationStatus> append(RevocationEvent event) {
    try (Connection connection = database.general().getConnection()) {
      connection.setAutoCommit(false);
      Optional<RevocationStatus> recorded = append(connection, event, raise(connection, event));
      // Whatever is not committed the pool rolls back, and gives the connection back as it was.
      if (recorded.isPresent()) {
        connection.commit();
      }
      return recorded;
    } catch (SQLException e) {
      throw new LedgerUnavailable("the revocation cannot be recorded", e);
    }
  }

  private static long raise(Connection connection, RevocationEvent event) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(RAISE)) {
      statement.setString(1, event.scope().issuer().value());
      statement.setInt(2, event.scope().shard());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  private static Optional<RevocationStatus> append(
      Connection connection, RevocationEvent event, long revision) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(APPEND)) {
      statement.setInt(1, event.serialNumber().expiryWeek().number());
      statement.setBytes(2, event.serialNumber().octets());
      statement.setInt(3, event.number());
      statement.setString(4, event.scope().issuer().value());
      statement.setInt(5, event.scope().shard());
      statement.setLong(6, revision);
      statement.setString(7, event.by().value());
      switch (event.change()) {
        case Change.Revoked(
                RevocationReason reason,
                Optional<Instant> invalidityDate,
                Optional<Instant> since) -> {
          statement.setInt(8, reason.code());
          statement.setObject(9, since.map(PostgresRevocationStore::offset).orElse(null));
          statement.setObject(10, invalidityDate.map(PostgresRevocationStore::offset).orElse(null));
        }
        case Change.Released released -> {
          statement.setNull(8, Types.INTEGER);
          statement.setNull(9, Types.TIMESTAMP_WITH_TIMEZONE);
          statement.setNull(10, Types.TIMESTAMP_WITH_TIMEZONE);
        }
      }
      statement.setObject(11, offset(event.notAfter()));
      return read(statement);
    }
  }

  private static Optional<RevocationStatus> read(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      return row.next() ? Optional.of(status(row)) : Optional.empty();
    }
  }

  public static RevocationStatus status(ResultSet row) throws SQLException {
    @Nullable Integer reason = row.getObject("reason", Integer.class);
    return new RevocationStatus(
        row.getInt("event"),
        reason == null
            ? Optional.empty()
            : Optional.of(
                new Revocation(
                    reason(reason),
                    row.getObject("revoked_at", OffsetDateTime.class).toInstant(),
                    Optional.ofNullable(row.getObject("invalidity_date", OffsetDateTime.class))
                        .map(OffsetDateTime::toInstant))));
  }

  public static RevocationReason reason(int code) throws SQLException {
    return RevocationReason.ofCode(code)
        .orElseThrow(() -> new SQLException("revocation for an unknown reason " + code));
  }

  public static OffsetDateTime offset(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }
}
