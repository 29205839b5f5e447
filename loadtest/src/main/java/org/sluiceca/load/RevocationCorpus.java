package org.sluiceca.load;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.sluiceca.load.call.Database;
import org.sluiceca.load.cli.TrialException;

/**
 * Fills a trial's ledger with revocations of certificates that never were, for the benchmark of
 * CRLs: arguments are the database's URL, user, password file, and how many. They expire in sixty
 * days, every second one has a reason, one in ten an invalidity date.
 */
public final class RevocationCorpus {

  private static final String FILL =
      """
      WITH week AS (
        SELECT (extract(epoch FROM now() + interval '60 days')::bigint / 604800)::integer AS number),
      scope AS (
        UPDATE crl_scope SET revision = revision + ? WHERE issuer = 'issuing' AND shard = 0
        RETURNING revision)
      INSERT INTO revocation (expiry_week, serial, event, issuer, shard, revision, requester, reason,
        revoked_at, invalidity_date, not_after)
      SELECT w.number, decode('01' || lpad(to_hex(w.number), 4, '0') || md5(n::text), 'hex'), 1,
        'issuing', 0, s.revision - n + 1, 'bench', CASE WHEN n % 2 = 0 THEN 4 ELSE 0 END,
        date_trunc('second', now()),
        CASE WHEN n % 10 = 0 THEN date_trunc('second', now() - interval '1 day') END,
        to_timestamp((w.number + 1) * 604800::bigint - 1)
      FROM generate_series(1, ?) AS n, week w, scope s
      """;

  private RevocationCorpus() {}

  /** Fills the ledger. */
  public static void main(String[] arguments) throws IOException {
    Locale.setDefault(Locale.ROOT);
    Database database = Database.at(arguments[0], arguments[1], Path.of(arguments[2]));
    int count = Integer.parseInt(arguments[3]);
    if (database.execute(FILL, count, count) != count) {
      throw new TrialException("the trial has no CRL of its issuer");
    }
  }
}
