package org.sluiceca.api.certificate.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.x509.ExpiryWeek;

/** Counts the certificates that expire soon. Thread-safe. */
public final class ExpiryTally {

  /** Lines of a report, at most: some 500 KB. More profiles and requesters need a report each. */
  public static final int LINES_MAX = 5_000;

  // Counts of days, and what is revoked of them looked up one by one: those are few.
  private static final String COUNT =
      """
      SELECT u.expiry_week, u.profile, u.requester, sum(u.certificates) AS certificates,
        sum(u.revoked) AS revoked
      FROM (
        SELECT t.expiry_week, t.profile, t.requester, t.certificates, 0 AS revoked
        FROM certificate_tally t WHERE t.expires_on >= ? AND t.expires_on < ?
        UNION ALL
        SELECT c.expiry_week, c.profile, c.requester, 0, 1
        FROM revocation r
        JOIN certificate_index c ON c.expiry_week = r.expiry_week AND c.serial = r.serial
        WHERE r.expiry_week BETWEEN ? AND ? AND r.reason IS NOT NULL
          AND c.not_after >= ? AND c.not_after < ?
          AND NOT EXISTS (SELECT FROM revocation l
            WHERE l.expiry_week = r.expiry_week AND l.serial = r.serial AND l.event > r.event)
        ) AS u
      GROUP BY u.expiry_week, u.profile, u.requester
      ORDER BY u.expiry_week, u.profile, u.requester
      LIMIT ?
      """;

  private final LedgerSql sql;

  /** Counts in a database that was migrated. */
  public ExpiryTally(LedgerDatabase database) {
    this.sql = new LedgerSql(database.finding());
  }

  /**
   * One line.
   *
   * @param week in which they expire
   * @param certificates all of them, {@code revoked} ones among them
   */
  public record Line(
      ExpiryWeek week, String profile, String requester, long certificates, long revoked) {}

  /** The lines by week, profile and requester; not all of them if there are more than 5,000. */
  public record Report(List<Line> lines, boolean isComplete) {

    public Report {
      lines = List.copyOf(lines);
    }
  }

  /**
   * Returns what expires on the days from {@code from} to before {@code before}, in UTC. Blocks for
   * some milliseconds, and for ten microseconds or so of each revoked certificate among them.
   *
   * @throws LedgerUnavailable if the database does not answer, or not within its five seconds
   */
  public Report count(LocalDate from, LocalDate before) {
    List<Line> lines =
        sql.run(
            "what expires cannot be counted",
            jdbc ->
                jdbc.sql(COUNT)
                    .params(from, before, week(from), week(before), start(from), start(before))
                    .param(LINES_MAX + 1)
                    .query(ExpiryTally::line)
                    .list());
    boolean isComplete = lines.size() <= LINES_MAX;
    return new Report(isComplete ? lines : lines.subList(0, LINES_MAX), isComplete);
  }

  private static Line line(ResultSet row, int number) throws SQLException {
    return new Line(
        new ExpiryWeek(row.getInt("expiry_week")),
        row.getString("profile"),
        row.getString("requester"),
        row.getLong("certificates"),
        row.getLong("revoked"));
  }

  private static int week(LocalDate day) {
    return ExpiryWeek.of(start(day).toInstant()).number();
  }

  private static OffsetDateTime start(LocalDate day) {
    return day.atStartOfDay().atOffset(ZoneOffset.UTC);
  }
}
