package org.sluiceca.load;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.sluiceca.load.call.Database;

/**
 * Fills a trial's index with certificates that never were, for the benchmark of searches: arguments
 * are the database's URL, user, password file, and how many. They expire in sixty weeks, forty of
 * which are over; a thousand requesters, five profiles, two names each; one in a hundred is
 * revoked. The ledger has nothing of them but the revocations.
 */
public final class FindCorpus {

  /** Certificates of one transaction: a second or two. */
  private static final int STEP = 50_000;

  private static final String WEEKS =
      """
      SELECT ensure_expiry_weeks(array_agg(
        (extract(epoch FROM now())::bigint / 604800)::integer + w)) FROM generate_series(-40, 19) AS w
      """;

  private static final String CERTIFICATES =
      """
      WITH corpus AS (
        SELECT n, (extract(epoch FROM now())::bigint / 604800)::integer + n % 60 - 40 AS week,
          'r' || n % 1000 AS requester, 'host-' || n || '.r' || n % 1000 || '.example.com' AS host
        FROM generate_series(?::integer, ?::integer) AS n)
      INSERT INTO certificate_index (expiry_week, serial, issued_at, requester, profile, issuer,
        not_before, not_after, subject, subject_names, sans)
      SELECT c.week, decode('01' || lpad(to_hex(c.week), 4, '0') || md5(c.n::text), 'hex'),
        to_timestamp(c.week * 604800::bigint - 90 * 86400) + c.n % 604800 * interval '1 second',
        c.requester, 'bench-' || c.n % 5, 'issuing',
        to_timestamp(c.week * 604800::bigint - 90 * 86400 + c.n % 604800 - 3600),
        to_timestamp(c.week * 604800::bigint + c.n % 604800), 'CN=' || c.host, ARRAY[c.host],
        ARRAY[c.host, 'www.' || c.host]
      FROM corpus c
      """;

  private static final String NAMES =
      """
      INSERT INTO certificate_name (kind, name, requester, expiry_week, serial)
      SELECT x.kind, x.prefix || 'host-' || n || '.r' || n % 1000 || '.example.com', 'r' || n % 1000,
        w.week, decode('01' || lpad(to_hex(w.week), 4, '0') || md5(n::text), 'hex')
      FROM generate_series(?::integer, ?::integer) AS n
      CROSS JOIN LATERAL (
        SELECT (extract(epoch FROM now())::bigint / 604800)::integer + n % 60 - 40 AS week) AS w
      CROSS JOIN (VALUES (1, ''), (2, ''), (2, 'www.')) AS x (kind, prefix)
      """;

  private static final String REVOCATIONS =
      """
      INSERT INTO revocation (expiry_week, serial, event, issuer, shard, revision, requester, reason,
        revoked_at, not_after)
      SELECT w.week, decode('01' || lpad(to_hex(w.week), 4, '0') || md5(n::text), 'hex'), 1, 'bench',
        0, n, 'bench', 4, date_trunc('second', now()),
        to_timestamp(w.week * 604800::bigint + n % 604800)
      FROM generate_series(?::integer, ?::integer) AS n
      CROSS JOIN LATERAL (
        SELECT (extract(epoch FROM now())::bigint / 604800)::integer + n % 60 - 40 AS week) AS w
      WHERE n % 100 = 7
      """;

  private static final String TALLY =
      """
      INSERT INTO certificate_tally (expires_on, expiry_week, profile, requester, certificates)
      SELECT (c.not_after AT TIME ZONE 'UTC')::date, c.expiry_week, c.profile, c.requester, count(*)
      FROM certificate_index c GROUP BY 1, 2, 3, 4
      ON CONFLICT (expires_on, profile, requester)
      DO UPDATE SET certificates = excluded.certificates
      """;

  private FindCorpus() {}

  /** Fills the index. */
  public static void main(String[] arguments) throws IOException {
    Locale.setDefault(Locale.ROOT);
    Database database = Database.at(arguments[0], arguments[1], Path.of(arguments[2]));
    int count = Integer.parseInt(arguments[3]);
    int ignored = database.execute(WEEKS);
    for (int from = 0; from < count; from += STEP) {
      for (String sql : new String[] {CERTIFICATES, NAMES, REVOCATIONS}) {
        ignored = database.execute(sql, from, Math.min(from + STEP, count) - 1);
      }
    }
    ignored = database.execute(TALLY);
    ignored =
        database.execute("VACUUM (ANALYZE) certificate_index, certificate_name, certificate_tally");
  }
}
