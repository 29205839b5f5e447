package org.sluiceca.api.revocation.bulk.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.revocation.store.PostgresRevocationStore;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.revoke.bulk.BulkCandidate;
import org.sluiceca.core.revoke.bulk.BulkSelection;
import org.sluiceca.core.x509.ExpiryWeek;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.TbsCertificateDer;

/**
 * Reads what a selection names as of a moment, page by page, in the order of the primary key.
 * Thread-safe; every call blocks for a few statements.
 */
final class BulkReading {

  /*
   * A reading depends on the selection and its moment alone. Intents and outcomes are never
   * changed, and of the events of a certificate those recorded before the moment say what it was
   * then. So every reader, however often and however late it reads, reads the same: the dry run,
   * the run, another node after a crash.
   *
   * That needs a moment before which everything is visible. A row's recorded_at is the start of its
   * transaction, and one that began earlier may commit later. Therefore moment() waits until no
   * transaction that may write is older than its own start, and after a while takes the start of
   * the oldest one instead. As in RecoverySweep: a transaction that writes has an id, which
   * pg_stat_activity shows until it is over, or has run for less than transaction_timeout.
   */

  private static final String NOW = "SELECT now()";

  // A node's transaction without an id ends within 10 s (ConnectionLimits.STANDARD).
  private static final String OLDEST_WRITING =
      """
      SELECT least(
        (SELECT min(a.xact_start) FROM pg_stat_activity a
          WHERE a.datname = current_database() AND a.pid <> pg_backend_pid()
            AND (a.backend_xid IS NOT NULL
              OR (a.backend_type = 'client backend'
                AND a.xact_start > now() - interval '11 seconds'))),
        (SELECT min(p.prepared) FROM pg_prepared_xacts p WHERE p.database = current_database()))
      """;

  private static final String WEEK =
      """
      SELECT i.expiry_week FROM intent i WHERE i.expiry_week >= ?
      ORDER BY i.expiry_week LIMIT 1
      """;

  private static final String PAGE_END =
      """
      SELECT i.serial FROM intent i WHERE i.expiry_week = ? AND i.serial > ?
      ORDER BY i.serial LIMIT 1 OFFSET ?
      """;

  // 6 is certificateHold: shown, and left as it is.
  private static final String CANDIDATES =
      """
      SELECT i.serial, i.requester, i.profile, i.issuer, i.tbs, r.reason IS NOT NULL AS is_on_hold
      FROM intent i
      JOIN outcome o ON o.expiry_week = i.expiry_week AND o.serial = i.serial
      LEFT JOIN LATERAL (
        SELECT e.reason FROM revocation e
        WHERE e.expiry_week = ? AND e.serial = i.serial AND e.recorded_at < ?
        ORDER BY e.event DESC LIMIT 1) r ON true
      WHERE i.expiry_week = ? AND i.serial > ? AND i.serial <= ?
        AND (?::text IS NULL OR i.requester = ?) AND (?::text IS NULL OR i.profile = ?)
        AND (?::text IS NULL OR i.issuer = ?)
        AND o.kind = 'issued' AND o.recorded_at < ?
        AND (?::timestamptz IS NULL OR o.recorded_at >= ?)
        AND (?::timestamptz IS NULL OR o.recorded_at < ?)
        AND (r.reason IS NULL OR r.reason = 6)
      ORDER BY i.serial LIMIT ?
      """;

  /**
   * Rows that a statement goes through, whether they are selected or not: at the one millisecond a
   * read of a slow disk they take 2 s of the 5 that a statement has, from memory some 3 ms.
   */
  static final int PAGE_ROWS = 2_000;

  /** After a transaction began it is in pg_stat_activity within microseconds. */
  static final Duration SETTLE = Duration.ofMillis(50);

  /** Longer than a commit takes unless a disk stalls. */
  private static final Duration SETTLE_MAX = Duration.ofSeconds(3);

  private static final OctetString LAST_SERIAL = lastSerial();

  private final LedgerDatabase database;
  private final int pageRows;

  BulkReading(LedgerDatabase database, int pageRows) {
    this.database = database;
    this.pageRows = pageRows;
  }

  /**
   * Where reading goes on: behind a serial number of a week.
   *
   * @param after empty for the week's beginning
   */
  record Position(int week, OctetString after) {}

  /**
   * Some candidates.
   *
   * @param next empty if everything was read
   */
  record Slice(List<BulkCandidate> candidates, Optional<Position> next) {}

  /**
   * Returns a moment before which everything that is recorded is visible from now on: now, as the
   * database says, unless it has to wait too long for another transaction's commit. Blocks for 3 s
   * at most.
   */
  Instant moment() throws SQLException {
    try (Connection connection = database.general().getConnection()) {
      Instant now = instant(connection, NOW).orElseThrow();
      Instant oldest = now;
      for (Duration waited = Duration.ZERO;
          waited.compareTo(SETTLE_MAX) < 0;
          waited = waited.plus(SETTLE)) {
        settle();
        Optional<Instant> writing = instant(connection, OLDEST_WRITING);
        if (writing.isEmpty() || !writing.get().isBefore(now)) {
          return now;
        }
        oldest = writing.get();
      }
      return oldest;
    }
  }

  /** Waits the whole of it: a permit that other code left on this thread must not cut it short. */
  private static void settle() throws SQLException {
    long until = System.nanoTime() + SETTLE.toNanos();
    for (long left = SETTLE.toNanos(); left > 0; left = until - System.nanoTime()) {
      if (Thread.currentThread().isInterrupted()) {
        throw new SQLException("interrupted while transactions may be about to show");
      }
      LockSupport.parkNanos(left);
    }
  }

  private static Optional<Instant> instant(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return Optional.ofNullable(row.getObject(1, OffsetDateTime.class))
          .map(OffsetDateTime::toInstant);
    }
  }

  /** Returns where the certificates begin that have not expired; empty if there are none. */
  Optional<Position> first(Instant asOf) throws SQLException {
    try (Connection connection = database.general().getConnection()) {
      return week(connection, ExpiryWeek.of(asOf).number());
    }
  }

  /** Reads on from a position: at most {@code max} candidates, perhaps none. */
  Slice read(BulkSelection selection, Instant asOf, Position from, int max) throws SQLException {
    try (Connection connection = database.general().getConnection()) {
      Optional<OctetString> pageEnd = pageEnd(connection, from);
      List<BulkCandidate> found =
          candidates(
              connection, new Range(from, pageEnd.orElse(LAST_SERIAL)), selection, asOf, max);
      Optional<Position> next;
      if (found.size() == max) {
        byte[] last = found.getLast().serialNumber().octets();
        next = Optional.of(new Position(from.week(), OctetString.copyOf(last)));
      } else if (pageEnd.isPresent()) {
        next = Optional.of(new Position(from.week(), pageEnd.get()));
      } else {
        next = week(connection, from.week() + 1);
      }
      return new Slice(found, next);
    }
  }

  private static Optional<Position> week(Connection connection, int from) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(WEEK)) {
      statement.setInt(1, from);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(new Position(row.getInt(1), OctetString.copyOf(new byte[0])))
            : Optional.empty();
      }
    }
  }

  /** The last serial number of a whole page; empty if the week has no whole page left. */
  private Optional<OctetString> pageEnd(Connection connection, Position from) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(PAGE_END)) {
      statement.setInt(1, from.week());
      statement.setBytes(2, from.after().octets());
      statement.setInt(3, pageRows - 1);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(OctetString.copyOf(row.getBytes(1))) : Optional.empty();
      }
    }
  }

  private record Range(Position from, OctetString through) {}

  private static List<BulkCandidate> candidates(
      Connection connection, Range range, BulkSelection selection, Instant asOf, int max)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(CANDIDATES)) {
      OffsetDateTime moment = PostgresRevocationStore.offset(asOf);
      statement.setInt(1, range.from().week());
      statement.setObject(2, moment);
      statement.setInt(3, range.from().week());
      statement.setBytes(4, range.from().after().octets());
      statement.setBytes(5, range.through().octets());
      text(statement, 6, selection.requester().map(RequesterId::value));
      text(statement, 8, selection.profile().map(ProfileName::value));
      text(statement, 10, selection.issuer().map(IssuerName::value));
      statement.setObject(12, moment);
      times(statement, 13, selection.issuedAfter());
      times(statement, 15, selection.issuedBefore());
      statement.setInt(17, max);
      List<BulkCandidate> found = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          found.add(candidate(row));
        }
      }
      return found;
    }
  }

  /** Binds a parameter and its repetition. */
  private static void text(PreparedStatement statement, int index, Optional<String> value)
      throws SQLException {
    statement.setString(index, value.orElse(null));
    statement.setString(index + 1, value.orElse(null));
  }

  private static void times(PreparedStatement statement, int index, Optional<Instant> value)
      throws SQLException {
    time(statement, index, value);
    time(statement, index + 1, value);
  }

  static void time(PreparedStatement statement, int index, Optional<Instant> time)
      throws SQLException {
    Optional<OffsetDateTime> value = time.map(PostgresRevocationStore::offset);
    if (value.isPresent()) {
      statement.setObject(index, value.get());
    } else {
      statement.setNull(index, Types.TIMESTAMP_WITH_TIMEZONE);
    }
  }

  private static BulkCandidate candidate(ResultSet row) throws SQLException {
    return new BulkCandidate(
        SerialNumber.of(row.getBytes("serial")),
        new RequesterId(row.getString("requester")),
        new ProfileName(row.getString("profile")),
        new IssuerName(row.getString("issuer")),
        TbsCertificateDer.of(row.getBytes("tbs")),
        row.getBoolean("is_on_hold"));
  }

  private static OctetString lastSerial() {
    byte[] octets = new byte[SerialNumber.OCTETS];
    Arrays.fill(octets, (byte) 0xFF);
    return OctetString.copyOf(octets);
  }
}
