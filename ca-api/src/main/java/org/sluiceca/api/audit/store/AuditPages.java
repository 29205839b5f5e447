package org.sluiceca.api.audit.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.audit.ExportForm.Stored;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.x509.OctetString;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.SqlArrayValue;

/**
 * The trail, page by page: each page is one statement, which looks at 2,000 rows at most and gives
 * 1 MiB of content at most, or one row that is longer. Thread-safe; blocks for a statement.
 */
public final class AuditPages {

  /** Rows looked at for one page: some 700 KB of them without their content, some 10 ms. */
  static final int ROWS_MAX = 2_000;

  /** Octets of content after which a page ends: of two such pages a small node has room. */
  static final long OCTETS_MAX = 1 << 20;

  /** Checkpoints of one page: some hundred octets each as a rule, 1.3 MB at the very most. */
  static final int CHECKPOINTS_MAX = 500;

  // Whether a row is wanted is decided after the limit: a filter that nothing passes must not read
  // the whole trail in one statement. What is not wanted has no content.
  private static final String ROWS =
      """
      SELECT chain, sequence, recorded_at, kind, actor, previous, hash, is_wanted, looked_at,
        CASE WHEN is_wanted THEN content ELSE '' END AS content
      FROM (
        SELECT chain, sequence, recorded_at, kind, actor, previous, hash, content, is_wanted,
          count(*) OVER () AS looked_at,
          sum(CASE WHEN is_wanted THEN octet_length(content) ELSE 0 END) OVER grown AS octets
        FROM (
          SELECT chain, sequence, recorded_at, kind, actor, previous, hash, content,
            (recorded_at >= ? AND recorded_at < ?
              AND (cardinality(?) = 0 OR kind = ANY (?))) AS is_wanted
          FROM audit_event WHERE (chain, sequence) > (?, ?) ORDER BY chain, sequence LIMIT ?
        ) AS scanned
        WINDOW grown AS (ORDER BY chain, sequence ROWS UNBOUNDED PRECEDING)
      ) AS counted
      WHERE octets - CASE WHEN is_wanted THEN octet_length(content) ELSE 0 END < ?
      ORDER BY chain, sequence
      """;

  private static final String CHECKPOINTS =
      """
      SELECT number, content, signature FROM (
        SELECT number, content, signature,
          sum(octet_length(content)) OVER (ORDER BY number ROWS UNBOUNDED PRECEDING) AS octets
        FROM (
          SELECT c.number, c.content, s.signature FROM audit_checkpoint c
          LEFT JOIN audit_signature s ON s.number = c.number
          WHERE c.number > ? ORDER BY c.number LIMIT ?
        ) AS scanned
      ) AS counted
      WHERE octets - octet_length(content) < ? ORDER BY number
      """;

  private static final String UNREADABLE = "the audit trail cannot be read";

  /**
   * Which rows are wanted.
   *
   * @param from recorded then or later
   * @param before recorded earlier
   * @param kinds of these; empty for all
   */
  public record Filter(Optional<Instant> from, Optional<Instant> before, List<String> kinds) {

    public Filter {
      kinds = List.copyOf(kinds);
    }
  }

  /**
   * Some rows.
   *
   * @param rows that are wanted, in the order of chain and sequence; perhaps none
   * @param chain of the last row that was looked at
   * @param sequence of the last row that was looked at
   * @param isEnd whether there was no row after it
   */
  public record Rows(List<AuditRow> rows, String chain, long sequence, boolean isEnd) {

    public Rows {
      rows = List.copyOf(rows);
    }
  }

  /** A row, and how many were looked at with it. */
  private record LookedAt(AuditRow row, boolean isWanted, long lookedAt) {}

  private final LedgerSql sql;

  /** Reads a database that was migrated. */
  public AuditPages(LedgerDatabase database) {
    this.sql = database.sql();
  }

  /**
   * Returns checkpoints from the one after {@code after} on, in the order of their numbers; empty
   * at the end.
   *
   * @throws LedgerUnavailable if the database does not answer
   */
  public List<Stored> checkpoints(long after) {
    return sql.run(
        UNREADABLE,
        jdbc ->
            List.copyOf(
                jdbc.sql(CHECKPOINTS)
                    .params(after, CHECKPOINTS_MAX, OCTETS_MAX)
                    .query(AuditPages::checkpoint)
                    .list()));
  }

  /**
   * Returns rows from the one after a place on.
   *
   * @param chain the empty text before the first
   * @throws LedgerUnavailable if the database does not answer
   */
  public Rows rows(Filter filter, String chain, long sequence) {
    List<LookedAt> page = sql.run(UNREADABLE, jdbc -> read(jdbc, filter, chain, sequence));
    if (page.isEmpty()) {
      return new Rows(List.of(), chain, sequence, true);
    }
    LookedAt last = page.getLast();
    return new Rows(
        page.stream().filter(LookedAt::isWanted).map(LookedAt::row).toList(),
        last.row().chain(),
        last.row().sequence(),
        last.lookedAt() < ROWS_MAX && page.size() == last.lookedAt());
  }

  private static List<LookedAt> read(JdbcClient jdbc, Filter filter, String chain, long sequence) {
    SqlArrayValue kinds = new SqlArrayValue("text", filter.kinds().toArray());
    return jdbc.sql(ROWS)
        // The driver's names of -infinity and infinity.
        .param(filter.from().map(AuditPages::time).orElse(OffsetDateTime.MIN))
        .param(filter.before().map(AuditPages::time).orElse(OffsetDateTime.MAX))
        .param(kinds)
        .param(kinds)
        .param(chain)
        .param(sequence)
        .param(ROWS_MAX)
        .param(OCTETS_MAX)
        .query(AuditPages::lookedAt)
        .list();
  }

  private static OffsetDateTime time(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }

  private static LookedAt lookedAt(ResultSet row, int number) throws SQLException {
    return new LookedAt(
        AuditColumns.row(row), row.getBoolean("is_wanted"), row.getLong("looked_at"));
  }

  private static Stored checkpoint(ResultSet row, int number) throws SQLException {
    byte @Nullable [] signature = row.getBytes("signature");
    return new Stored(
        row.getLong("number"),
        OctetString.copyOf(row.getBytes("content")),
        Optional.ofNullable(signature).map(OctetString::copyOf));
  }
}
