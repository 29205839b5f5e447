package org.sluiceca.api.audit.store;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.failure.Invariant;

/** Adds rows to the audit trail. Thread-safe. */
public final class AuditStore {

  // A row that is there already was left by an attempt whose result was lost, or is another
  // writer's.
  private static final String INSERT =
      "INSERT INTO audit_event ("
          + AuditColumns.ROW
          + ") SELECT "
          + AuditColumns.ROW
          + " FROM unnest(?, ?, ?, ?, ?, ?, ?, ?) AS n ("
          + AuditColumns.ROW
          + ") ON CONFLICT (chain, sequence) DO NOTHING";

  private static final String SAME =
      "SELECT count(*) FROM unnest(?, ?, ?) AS n (chain, sequence, hash)"
          + " JOIN audit_event USING (chain, sequence, hash)";

  private final LedgerDatabase database;

  /** Adds to a database that was migrated. */
  public AuditStore(LedgerDatabase database) {
    this.database = database;
  }

  /**
   * Adds rows that follow each other in one chain: all of them, or none. May be repeated with the
   * same rows. Blocks for some seconds at most.
   *
   * @throws LedgerUnavailable if it is not known whether they are there
   * @throws Invariant.Broken if others stand in their place
   */
  public void append(List<AuditRow> rows) {
    try (Connection connection = database.auditing().getConnection()) {
      int added = insert(connection, rows);
      if (added < rows.size()) {
        requireSame(connection, rows);
      }
      connection.commit();
    } catch (SQLException e) {
      throw new LedgerUnavailable("the audit trail cannot be written", e);
    }
  }

  private static int insert(Connection connection, List<AuditRow> rows) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
      statement.setArray(1, column(connection, "text", rows, AuditRow::chain));
      statement.setArray(2, column(connection, "int8", rows, AuditRow::sequence));
      statement.setArray(
          3,
          column(
              connection,
              "timestamptz",
              rows,
              r -> OffsetDateTime.ofInstant(r.recordedAt(), ZoneOffset.UTC)));
      statement.setArray(4, column(connection, "text", rows, AuditRow::kind));
      statement.setArray(5, column(connection, "text", rows, AuditRow::actor));
      statement.setArray(6, column(connection, "text", rows, AuditRow::content));
      statement.setArray(7, octets(connection, rows, r -> r.previous().octets()));
      statement.setArray(8, octets(connection, rows, r -> r.hash().octets()));
      return statement.executeUpdate();
    }
  }

  /**
   * Each row, not the last alone: though its hash covers those before it, another may stand in the
   * place of the first while the last is new.
   */
  private static void requireSame(Connection connection, List<AuditRow> rows) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SAME)) {
      statement.setArray(1, column(connection, "text", rows, AuditRow::chain));
      statement.setArray(2, column(connection, "int8", rows, AuditRow::sequence));
      statement.setArray(3, octets(connection, rows, r -> r.hash().octets()));
      try (ResultSet found = statement.executeQuery()) {
        Invariant.check(
            found.next() && found.getLong(1) == rows.size(),
            String.format(
                Locale.ROOT,
                "rows %d to %d of audit chain %s are those that its node wrote",
                rows.getFirst().sequence(),
                rows.getLast().sequence(),
                rows.getLast().chain()));
      }
    }
  }

  private static Array column(
      Connection connection, String type, List<AuditRow> rows, Function<AuditRow, Object> value)
      throws SQLException {
    return connection.createArrayOf(type, rows.stream().map(value).toArray());
  }

  /** The driver wants octets as byte[][], not as an Object[] of byte[]. */
  private static Array octets(
      Connection connection, List<AuditRow> rows, Function<AuditRow, byte[]> value)
      throws SQLException {
    return connection.createArrayOf("bytea", rows.stream().map(value).toArray(byte[][]::new));
  }
}
