package org.sluiceca.api.audit.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.x509.OctetString;

/**
 * The whole trail as of one moment, streamed: however long it is, some hundred rows of it are in
 * memory. Nodes may go on writing. For one thread.
 */
public final class AuditReading implements AutoCloseable {

  /** Rows fetched at once: 64 KB each at the very most, some 300 octets as a rule. */
  private static final int FETCHED = 200;

  private static final String CHECKPOINTS =
      """
      SELECT c.number, c.content, s.signature FROM audit_checkpoint c
      LEFT JOIN audit_signature s ON s.number = c.number ORDER BY c.number
      """;

  private static final String ROWS =
      "SELECT "
          + AuditColumns.ROW
          + " FROM audit_event WHERE recorded_at >= ? ORDER BY chain, sequence";

  /** Takes the checkpoints one by one. */
  @FunctionalInterface
  public interface CheckpointReader {
    void stored(long number, OctetString encoded, Optional<OctetString> signature);
  }

  private final Connection connection;

  /**
   * Opens a connection without a node's limits in time, and fixes the moment.
   *
   * @throws LedgerUnavailable if the database does not answer
   */
  public AuditReading(LedgerDatabase database) {
    try {
      connection = database.reading();
      connection.setReadOnly(true);
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    } catch (SQLException e) {
      throw unreadable(e);
    }
  }

  /** Gives every checkpoint, in the order of their numbers. */
  public void checkpoints(CheckpointReader reader) {
    try (PreparedStatement statement = connection.prepareStatement(CHECKPOINTS)) {
      statement.setFetchSize(FETCHED);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          byte @Nullable [] signature = row.getBytes("signature");
          reader.stored(
              row.getLong("number"),
              OctetString.copyOf(row.getBytes("content")),
              Optional.ofNullable(signature).map(OctetString::copyOf));
        }
      }
    } catch (SQLException e) {
      throw unreadable(e);
    }
  }

  /** Gives every row, in the order of chain and sequence. */
  public void rows(Consumer<AuditRow> reader) {
    rows(Optional.empty(), reader);
  }

  /** Gives every row that was recorded at {@code from} or later. */
  public void rowsFrom(Instant from, Consumer<AuditRow> reader) {
    rows(Optional.of(from), reader);
  }

  private void rows(Optional<Instant> from, Consumer<AuditRow> reader) {
    String sql = from.isPresent() ? ROWS : ROWS.replace("WHERE recorded_at >= ? ", "");
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      if (from.isPresent()) {
        statement.setObject(1, OffsetDateTime.ofInstant(from.get(), ZoneOffset.UTC));
      }
      statement.setFetchSize(FETCHED);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          reader.accept(AuditColumns.row(row));
        }
      }
    } catch (SQLException e) {
      throw unreadable(e);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw unreadable(e);
    }
  }

  private static LedgerUnavailable unreadable(SQLException cause) {
    return new LedgerUnavailable("the audit trail cannot be read", cause);
  }
}
