package org.sluiceca.api.renewal.store;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.renewal.RenewalCounts;
import org.sluiceca.core.renewal.RevocationBacklog;

/**
 * Rates and counts of renewals on PostgreSQL (ADR 0070). Thread-safe; every method blocks, for some
 * seconds at most, and throws {@link LedgerUnavailable} when the database does not answer.
 */
public final class RateStore {

  /** Half of the slowest token that we know, 7/s, while no node has measured its own. */
  public static final double ASSUMED_PER_SECOND = 3.5;

  /** The part of what the HSM signs that windows count on; the other half is left to other work. */
  private static final double SPARE_PART = 0.5;

  /** Single revocations that are looked back on, a day at most; the backlog of more is shorter. */
  private static final int BACKLOG_ROWS_MAX = 50_000;

  private static final int MINUTE_ROWS_MAX = 10_000;

  private static final String REPORT =
      """
      INSERT INTO renewal_node_rate (node, recorded_at, per_second) VALUES (?, now(), ?)
      ON CONFLICT (node) DO UPDATE SET recorded_at = now(), per_second = excluded.per_second
      """;

  /** Two nodes at one moment may both write; what they write is the same but for microseconds. */
  private static final String RECORD =
      """
      INSERT INTO renewal_rate (per_second)
      SELECT s.rate FROM (SELECT ? * sum(n.per_second) AS rate FROM renewal_node_rate n
        WHERE n.recorded_at > now() - interval '15 minutes') s
      WHERE s.rate > 0 AND NOT EXISTS (
        SELECT FROM (SELECT r.recorded_at, r.per_second FROM renewal_rate r
          ORDER BY r.recorded_at DESC LIMIT 1) l
        WHERE l.recorded_at > now() - interval '1 hour'
          OR s.rate BETWEEN l.per_second * 0.8 AND l.per_second * 1.25)
      ON CONFLICT DO NOTHING
      """;

  private static final String AT =
      """
      SELECT r.per_second FROM renewal_rate r WHERE r.recorded_at <= ?
      ORDER BY r.recorded_at DESC LIMIT 1
      """;

  /** Reasons 1, 2 and 10 are compromises, which wait for their like alone. */
  private static final String OF_KIND = " AND (NOT ? OR r.reason IN (1, 2, 10)) ";

  /**
   * Lindley's recursion without its history: the backlog is the most, over all earlier revocations,
   * of the work since then less the time since then. The rows of a batch of a bulk revocation have
   * one time and count as one: its certificates have windows of their own.
   */
  private static final String BACKLOG =
      """
      SELECT greatest(0, max(b.number * ? - extract(epoch FROM ?::timestamptz - b.recorded_at)))
      FROM (SELECT d.recorded_at, row_number() OVER (ORDER BY d.recorded_at DESC) AS number
        FROM (SELECT DISTINCT l.recorded_at FROM (
          SELECT r.recorded_at FROM revocation r
          WHERE r.recorded_at < ? AND r.recorded_at >= ?::timestamptz - interval '1 day'
            AND r.reason IS NOT NULL"""
          + OF_KIND
          + "ORDER BY r.recorded_at DESC LIMIT "
          + BACKLOG_ROWS_MAX
          + ") l) d) b";

  private static final String AHEAD =
      "SELECT count(DISTINCT l.recorded_at) FROM (SELECT r.recorded_at FROM revocation r"
          + " WHERE r.recorded_at >= ? AND r.recorded_at < ? AND r.reason IS NOT NULL"
          + OF_KIND
          + "ORDER BY r.recorded_at DESC LIMIT "
          + MINUTE_ROWS_MAX
          + ") l";

  /** A profile's certificates have one life, but for the last ones of an issuer. */
  private static final String COUNTS =
      """
      WITH d AS (
        SELECT t.profile, t.expires_on, sum(t.certificates) AS certificates
        FROM certificate_tally t
        WHERE t.expires_on >= current_date AND t.expires_on < current_date + 800
        GROUP BY t.profile, t.expires_on LIMIT 50000),
      p AS (SELECT DISTINCT d.profile FROM d)
      SELECT d.expires_on, d.certificates, l.life
      FROM d JOIN p ON p.profile = d.profile
      CROSS JOIN LATERAL (
        SELECT extract(epoch FROM c.not_after - c.not_before)::bigint AS life
        FROM certificate_index c WHERE c.profile = p.profile
        ORDER BY c.issued_at DESC LIMIT 1) l
      """;

  private final LedgerSql sql;
  private final LedgerSql finding;

  /** Keeps rates in a database that was migrated. */
  public RateStore(LedgerDatabase database) {
    this.sql = database.sql();
    this.finding = new LedgerSql(database.finding());
  }

  /**
   * Records what a node's share of the HSM signs, and what all nodes together can spare, if that
   * has changed by much.
   *
   * @param perSecond more than 0
   */
  public void report(String node, double perSecond) {
    int _ =
        sql.run(
            "the rate of the HSM cannot be recorded",
            jdbc ->
                jdbc.sql(REPORT).params(node, perSecond).update()
                    + jdbc.sql(RECORD).param(SPARE_PART).update());
  }

  /** Returns the spare rate of all nodes at a past time, certificates per second, above 0. */
  public double at(Instant time) {
    return sql.run(
        "the rate of the HSM cannot be read",
        jdbc ->
            jdbc.sql(AT)
                .param(time(time))
                .query(Double.class)
                .optional()
                .orElse(ASSUMED_PER_SECOND));
  }

  /**
   * Returns the backlog of single revocations before a past time, in seconds, 0 or more.
   *
   * @param ofCompromised of compromised keys alone
   */
  public double backlogSeconds(Instant time, double perSecond, boolean ofCompromised) {
    return sql.run(
        "the revocations of a day cannot be counted",
        jdbc ->
            jdbc.sql(BACKLOG)
                .params(RevocationBacklog.intervalSeconds(perSecond), time(time))
                .params(time(time), time(time), ofCompromised)
                .query(Double.class)
                .single());
  }

  /** Returns how many single revocations were recorded from one time to before another. */
  public long ahead(Instant from, Instant before, boolean ofCompromised) {
    return sql.run(
        "the revocations of a minute cannot be counted",
        jdbc ->
            jdbc.sql(AHEAD)
                .params(time(from), time(before), ofCompromised)
                .query(Long.class)
                .single());
  }

  /** Returns the certificates that have not expired, by life and day. */
  public List<RenewalCounts.Day> days() {
    return finding.run(
        "the renewals cannot be counted",
        jdbc ->
            jdbc.sql(COUNTS)
                .query(
                    (row, number) ->
                        new RenewalCounts.Day(
                            Duration.ofSeconds(row.getLong("life")),
                            row.getObject("expires_on", LocalDate.class),
                            row.getLong("certificates")))
                .list());
  }

  static OffsetDateTime time(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }
}
