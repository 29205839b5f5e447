package org.sluiceca.api.audit.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.audit.ChainHead;
import org.sluiceca.core.audit.Checkpoint;
import org.sluiceca.core.audit.CheckpointStore;
import org.sluiceca.core.x509.OctetString;

/** The checkpoints on PostgreSQL. Thread-safe. */
public final class PostgresCheckpointStore implements CheckpointStore {

  private static final String LATEST =
      "SELECT number, content FROM audit_checkpoint ORDER BY number DESC LIMIT 1";

  private static final String SIGNED_AFTER =
      """
      SELECT c.number, c.content, s.signature FROM audit_checkpoint c
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

  private static final String UNREADABLE = "the checkpoints cannot be read";

  private final LedgerSql sql;

  /** Keeps them in a database that was migrated. */
  public PostgresCheckpointStore(LedgerDatabase database) {
    this.sql = new LedgerSql(database.auditing());
  }

  @Override
  public Optional<Numbered> latest() {
    return sql.run(
        UNREADABLE, jdbc -> jdbc.sql(LATEST).query(PostgresCheckpointStore::numbered).optional());
  }

  @Override
  public List<Signed> signedAfter(long number, int max) {
    return sql.run(
        UNREADABLE,
        jdbc ->
            List.copyOf(
                jdbc.sql(SIGNED_AFTER)
                    .params(number, max)
                    .query(PostgresCheckpointStore::signed)
                    .list()));
  }

  @Override
  public List<ChainHead> heads() {
    return sql.run(
        UNREADABLE,
        jdbc -> List.copyOf(jdbc.sql(HEADS).query(PostgresCheckpointStore::head).list()));
  }

  @Override
  public boolean record(Checkpoint checkpoint) {
    return insert(RECORD, checkpoint.number(), checkpoint.encoded()) == 1;
  }

  @Override
  public void recordSignature(long number, OctetString signature) {
    int _ = insert(SIGN, number, signature);
  }

  private int insert(String statement, long number, OctetString octets) {
    return sql.transaction(
        "checkpoint " + number + " cannot be recorded",
        jdbc -> jdbc.sql(statement).params(number, octets.octets()).update());
  }

  private static Numbered numbered(ResultSet row, int number) throws SQLException {
    return new Numbered(row.getLong("number"), OctetString.copyOf(row.getBytes("content")));
  }

  private static Signed signed(ResultSet row, int number) throws SQLException {
    return new Signed(
        row.getLong("number"),
        OctetString.copyOf(row.getBytes("content")),
        OctetString.copyOf(row.getBytes("signature")));
  }

  private static ChainHead head(ResultSet row, int number) throws SQLException {
    return new ChainHead(
        row.getString("chain"), row.getLong("sequence"), OctetString.copyOf(row.getBytes("hash")));
  }
}
