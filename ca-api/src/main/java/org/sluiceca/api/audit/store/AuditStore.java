package org.sluiceca.api.audit.store;

import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.failure.Invariant;
import org.sluiceca.core.x509.OctetString;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.SqlArrayValue;

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

  private final LedgerSql sql;

  /** Adds to a database that was migrated. */
  public AuditStore(LedgerDatabase database) {
    this.sql = new LedgerSql(database.auditing());
  }

  /**
   * Adds rows that follow each other in one chain: all of them, or none. May be repeated with the
   * same rows. Blocks for some seconds at most.
   *
   * @throws LedgerUnavailable if it is not known whether they are there
   * @throws Invariant.Broken if others stand in their place
   */
  public void append(List<AuditRow> rows) {
    int _ =
        sql.transaction(
            "the audit trail cannot be written",
            jdbc -> {
              int added = insert(jdbc, rows);
              if (added < rows.size()) {
                requireSame(jdbc, rows);
              }
              return added;
            });
  }

  private static int insert(JdbcClient jdbc, List<AuditRow> rows) {
    return jdbc.sql(INSERT)
        .param(column("text", rows, AuditRow::chain))
        .param(column("int8", rows, AuditRow::sequence))
        .param(column("timestamptz", rows, r -> r.recordedAt().atOffset(ZoneOffset.UTC)))
        .param(column("text", rows, AuditRow::kind))
        .param(column("text", rows, AuditRow::actor))
        .param(column("text", rows, AuditRow::content))
        .param(octets(rows, AuditRow::previous))
        .param(octets(rows, AuditRow::hash))
        .update();
  }

  /**
   * Each row, not the last alone: though its hash covers those before it, another may stand in the
   * place of the first while the last is new.
   */
  private static void requireSame(JdbcClient jdbc, List<AuditRow> rows) {
    long same =
        jdbc.sql(SAME)
            .param(column("text", rows, AuditRow::chain))
            .param(column("int8", rows, AuditRow::sequence))
            .param(octets(rows, AuditRow::hash))
            .query(Long.class)
            .single();
    Invariant.check(
        same == rows.size(),
        String.format(
            Locale.ROOT,
            "rows %d to %d of audit chain %s are those that its node wrote",
            rows.getFirst().sequence(),
            rows.getLast().sequence(),
            rows.getLast().chain()));
  }

  private static SqlArrayValue column(
      String type, List<AuditRow> rows, Function<AuditRow, Object> value) {
    return new SqlArrayValue(type, rows.stream().map(value).toArray());
  }

  /** The driver wants octets as byte[][], not as an Object[] of byte[]. */
  private static SqlArrayValue octets(List<AuditRow> rows, Function<AuditRow, OctetString> value) {
    Object[] octets = rows.stream().map(value).map(OctetString::octets).toArray(byte[][]::new);
    return new SqlArrayValue("bytea", octets);
  }
}
