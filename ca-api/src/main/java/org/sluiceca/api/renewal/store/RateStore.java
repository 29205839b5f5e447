package org.sluiceca.api.renewal.store;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.renewal.RenewalCounts;
import org.sluiceca.core.renewal.Replacement;
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

  /** No single revocation waits longer. */
  private static final Duration LOOKED_BACK = Replacement.A_DAY;

  private static final int MINUTE_ROWS_MAX = 10_000;

  /** Batches of bulk revocations between which single ones are looked for: 500,000 certificates. */
  private static final int BATCHES_MAX = 1_000;

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

  /** A term of its own, not a parameter: only then does the planner take the index for it. */
  private static final String OF_COMPROMISED = "r.reason IN (1, 2, 10)";

  private static final String OF_ANY = "r.reason IS NOT NULL";

  /**
   * Lindley's recursion without its history: the backlog is the most, over all earlier revocations,
   * of the work since then less the time since then.
   */
  private static final String BACKLOG = backlog(OF_ANY);

  private static final String BACKLOG_COMPROMISED = backlog(OF_COMPROMISED);

  private static final String AHEAD = ahead(OF_ANY);
  private static final String AHEAD_COMPROMISED = ahead(OF_COMPROMISED);

  /**
   * By each certificate's own life. Certificates that a node of a release before V29 has indexed
   * are in the tally alone: they count by the life that their profile's newest certificate has.
   */
  private static final String COUNTS =
      """
      WITH t AS (
        SELECT t.profile, t.expires_on, sum(t.certificates) AS certificates
        FROM certificate_tally t
        WHERE t.expires_on >= current_date AND t.expires_on < current_date + 800
        GROUP BY t.profile, t.expires_on LIMIT 50000),
      k AS (
        SELECT l.profile, l.expires_on, sum(l.certificates) AS certificates
        FROM certificate_life l WHERE l.expires_on >= current_date
        GROUP BY l.profile, l.expires_on),
      r AS (
        SELECT t.profile, t.expires_on, t.certificates - coalesce(k.certificates, 0) AS certificates
        FROM t LEFT JOIN k ON k.profile = t.profile AND k.expires_on = t.expires_on
        WHERE t.certificates > coalesce(k.certificates, 0)),
      p AS (SELECT DISTINCT r.profile FROM r)
      (SELECT l.expires_on, l.certificates, l.shortest_seconds, l.longest_seconds
      FROM certificate_life l
      WHERE l.expires_on >= current_date AND l.expires_on < current_date + 800 LIMIT 100000)
      UNION ALL
      SELECT r.expires_on, r.certificates, n.life, n.life
      FROM r JOIN p ON p.profile = r.profile
      CROSS JOIN LATERAL (
        SELECT extract(epoch FROM c.not_after - c.not_before)::bigint AS life
        FROM certificate_index c WHERE c.profile = p.profile
        ORDER BY c.issued_at DESC LIMIT 1) n
      """;

  private final LedgerSql sql;
  private final LedgerSql finding;

  /** Keeps rates in a database that was migrated. */
  public RateStore(LedgerDatabase database) {
    this.sql = database.sql();
    this.finding = new LedgerSql(database.finding());
  }

  private static String backlog(String kind) {
    // Numbered from the newest back.
    return String.format(
        Locale.ROOT,
        """
        SELECT greatest(0, max(b.number * ? - extract(epoch FROM ?::timestamptz - b.recorded_at)))
        FROM (SELECT s.recorded_at, row_number() OVER (ORDER BY s.recorded_at DESC) AS number
          FROM (%s) s) b
        """,
        singles(kind, BACKLOG_ROWS_MAX));
  }

  private static String ahead(String kind) {
    return "SELECT count(*) FROM (" + singles(kind, MINUTE_ROWS_MAX) + ") s";
  }

  /**
   * The newest single revocations from one time on, before another (both parameters, in this
   * order). A batch of a bulk revocation has the time of its certificates' revocations, because
   * both are that of their transaction. So the index is read between the batches' times: the rows
   * of bulk revocations are neither read nor counted, however many they are.
   */
  private static String singles(String kind, int rowsMax) {
    return String.format(
        Locale.ROOT,
        """
        WITH a AS (SELECT ?::timestamptz AS since, ?::timestamptz AS before),
        b AS (
          SELECT DISTINCT l.recorded_at FROM revocation_job_batch l, a
          WHERE l.recorded_at >= a.since AND l.recorded_at < a.before AND l.revoked > 0
          ORDER BY l.recorded_at DESC LIMIT %d),
        g AS (
          SELECT e.at AS upper, lead(e.at) OVER (ORDER BY e.at DESC) AS lower
          FROM (SELECT a.before AS at FROM a
            UNION ALL SELECT b.recorded_at FROM b
            UNION ALL SELECT a.since - interval '1 microsecond' FROM a
              WHERE (SELECT count(*) FROM b) < %d) e)
        SELECT n.recorded_at FROM (SELECT g.upper, g.lower FROM g ORDER BY g.upper DESC) o
        CROSS JOIN LATERAL (
          SELECT r.recorded_at FROM revocation r
          WHERE r.recorded_at > o.lower AND r.recorded_at < o.upper AND %s
          ORDER BY r.recorded_at DESC LIMIT %d) n
        LIMIT %d
        """,
        BATCHES_MAX,
        BATCHES_MAX,
        kind,
        rowsMax,
        rowsMax);
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
            jdbc.sql(ofCompromised ? BACKLOG_COMPROMISED : BACKLOG)
                .params(RevocationBacklog.intervalSeconds(perSecond), time(time))
                .params(time(time.minus(LOOKED_BACK)), time(time))
                .query(Double.class)
                .single());
  }

  /** Returns how many single revocations were recorded from one time to before another. */
  public long ahead(Instant from, Instant before, boolean ofCompromised) {
    return sql.run(
        "the revocations of a minute cannot be counted",
        jdbc ->
            jdbc.sql(ofCompromised ? AHEAD_COMPROMISED : AHEAD)
                .params(time(from), time(before))
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
                            Duration.ofSeconds(row.getLong("shortest_seconds")),
                            Duration.ofSeconds(row.getLong("longest_seconds")),
                            row.getObject("expires_on", LocalDate.class),
                            row.getLong("certificates")))
                .list());
  }

  static OffsetDateTime time(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }
}
