package org.sluiceca.api.audit.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.audit.ChainHead;
import org.sluiceca.core.audit.Checkpoint;
import org.sluiceca.core.audit.CheckpointStore;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.x509.OctetString;

/** The checkpoints on PostgreSQL. Thread-safe. */
public final class PostgresCheckpointStore implements CheckpointStore {

  private static final String LATEST =
      "SELECT number, content FROM audit_checkpoint ORDER BY number DESC LIMIT 1";

  private static final String SIGNED_AFTER =
      """
      SELECT c.number, c.content FROM audit_checkpoint c
      JOIN audit_signature s ON s.number = c.number
      WHERE c.number > ? ORDER BY c.number LIMIT ?
      """;

  // From chain to chain by the primary key: two look-ups a chain, however many rows it has.
  private static final String HEADS =
      """
      WITH RECURSIVE chains (chain) AS (
        (SELECT chain FROM audit_event ORDER BY chain LIMIT 1)
        UNION ALL
        SELECT (SELECT e.chain FROM audit_event e WHERE e.chain > c.chain ORDER BY e.chain LIMIT 1)
        FROM chains c WHERE c.chain IS NOT NULL)
      SELECT h.chain, h.sequence, h.hash FROM chains c
      CROSS JOIN LATERAL (SELECT e.chain, e.sequence, e.hash FROM audit_event e
        WHERE e.chain = c.chain ORDER BY e.sequence DESC LIMIT 1) AS h
      ORDER BY h.chain
      """;

  private static final String RECORD =
      "INSERT INTO audit_checkpoint (number, content) VALUES (?, ?) ON CONFLICT (number) DO NOTHING";

  private static final String SIGN =
      "INSERT INTO audit_signature (number, signature) VALUES (?, ?)"
          + " ON CONFLICT (number) DO NOTHING";

  private final LedgerDatabase database;

  /** Keeps them in a database that was migrated. */
  public PostgresCheckpointStore(LedgerDatabase database) {
    this.database = database;
  }

  @Override
  public Optional<Numbered> latest() {
    try (Connection connection = database.auditing().getConnection();
        PreparedStatement statement = connection.prepareStatement(LATEST)) {
      return read(statement).stream().findFirst();
    } catch (SQLException e) {
      throw unreadable(e);
    }
  }

  @Override
  public List<Numbered> signedAfter(long number, int max) {
    try (Connection connection = database.auditing().getConnection();
        PreparedStatement statement = connection.prepareStatement(SIGNED_AFTER)) {
      statement.setLong(1, number);
      statement.setInt(2, max);
      return read(statement);
    } catch (SQLException e) {
      throw unreadable(e);
    }
  }

  @Override
  public List<ChainHead> heads() {
    List<ChainHead> heads = new ArrayList<>();
    try (Connection connection = database.auditing().getConnection();
        PreparedStatement statement = connection.prepareStatement(HEADS);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        heads.add(
            new ChainHead(
                row.getString("chain"),
                row.getLong("sequence"),
                OctetString.copyOf(row.getBytes("hash"))));
      }
      return List.copyOf(heads);
    } catch (SQLException e) {
      throw unreadable(e);
    }
  }

  @Override
  public boolean record(Checkpoint checkpoint) {
    return insert(RECORD, checkpoint.number(), checkpoint.encoded()) == 1;
  }

  @Override
  public void recordSignature(long number, OctetString signature) {
    int _ = insert(SIGN, number, signature);
  }

  private int insert(String sql, long number, OctetString octets) {
    try (Connection connection = database.auditing().getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, number);
      statement.setBytes(2, octets.octets());
      int inserted = statement.executeUpdate();
      connection.commit();
      return inserted;
    } catch (SQLException e) {
      throw new LedgerUnavailable("checkpoint " + number + " cannot be recorded", e);
    }
  }

  private static List<Numbered> read(PreparedStatement statement) throws SQLException {
    List<Numbered> found = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        found.add(new Numbered(row.getLong("number"), OctetString.copyOf(row.getBytes("content"))));
      }
    }
    return List.copyOf(found);
  }

  private static LedgerUnavailable unreadable(SQLException cause) {
    return new LedgerUnavailable("the checkpoints cannot be read", cause);
  }
}
