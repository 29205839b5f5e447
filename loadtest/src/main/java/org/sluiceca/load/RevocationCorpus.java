package org.sluiceca.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Locale;

/**
 * Fills a trial's ledger with revocations of certificates that never were, for the benchmark of
 * CRLs: arguments are the database's URL, user, password file, and how many. They expire in sixty
 * days, every second one has a reason, one in ten an invalidity date.
 */
public final class RevocationCorpus {

  private static final String FILL =
      """
      WITH week AS (
        SELECT (extract(epoch FROM now() + interval '60 days')::bigint / 604800)::integer AS number)
      INSERT INTO revocation (expiry_week, serial, event, issuer, shard, revision, requester, reason,
        revoked_at, invalidity_date, not_after)
      SELECT w.number, decode('01' || lpad(to_hex(w.number), 4, '0') || md5(n::text), 'hex'), 1,
        'issuing', 0, s.revision + n, 'bench', CASE WHEN n % 2 = 0 THEN 4 ELSE 0 END,
        date_trunc('second', now()),
        CASE WHEN n % 10 = 0 THEN date_trunc('second', now() - interval '1 day') END,
        to_timestamp((w.number + 1) * 604800::bigint - 1)
      FROM generate_series(1, ?) AS n, week w, crl_scope s
      WHERE s.issuer = 'issuing' AND s.shard = 0
      """;

  private static final String RAISE =
      "UPDATE crl_scope SET revision = revision + ? WHERE issuer = 'issuing' AND shard = 0";

  private RevocationCorpus() {}

  /** Fills the ledger. */
  public static void main(String[] arguments) throws IOException, SQLException {
    Locale.setDefault(Locale.ROOT);
    String password = Files.readString(Path.of(arguments[2])).strip();
    int count = Integer.parseInt(arguments[3]);
    try (Connection connection =
        DriverManager.getConnection(arguments[0], arguments[1], password)) {
      connection.setAutoCommit(false);
      try (PreparedStatement fill = connection.prepareStatement(FILL);
          PreparedStatement raise = connection.prepareStatement(RAISE)) {
        fill.setInt(1, count);
        raise.setInt(1, count);
        if (fill.executeUpdate() != count || raise.executeUpdate() != 1) {
          throw new SQLException("the trial has no CRL of its issuer");
        }
      }
      connection.commit();
    }
  }
}
