package org.sluiceca.api.ocsp.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;

/**
 * The events of revocation in the order of each scope, without gaps: a scope's row is locked from
 * the raise of its revision to the commit, so a reader that sees a revision sees all before it.
 * Thread-safe; every method blocks for at most a few seconds and throws {@link LedgerUnavailable}
 * if the database does not answer.
 */
public final class RevocationFeed {

  private static final String SCOPES = "SELECT issuer, shard, revision FROM crl_scope";

  private static final String SINCE =
      """
      SELECT serial, revision FROM revocation
      WHERE issuer = ? AND shard = ? AND revision > ? ORDER BY revision LIMIT ?
      """;

  private final LedgerSql sql;

  /** Reads from a database that was migrated. */
  public RevocationFeed(LedgerDatabase database) {
    this.sql = database.sql();
  }

  /** How many events a scope has had. */
  public record Revision(CrlScope scope, long number) {}

  /** That something was decided about a certificate. */
  public record Event(OctetString serialNumber, long revision) {}

  /** Returns the present revision of every scope. */
  public List<Revision> revisions() {
    return sql.run(
        "the revisions of revocation cannot be read",
        jdbc -> jdbc.sql(SCOPES).query(RevocationFeed::revision).list());
  }

  /** Returns the first {@code max} events of a scope after {@code revision}, in their order. */
  public List<Event> since(CrlScope scope, long revision, int max) {
    return sql.run(
        "the events of revocation cannot be read",
        jdbc ->
            jdbc.sql(SINCE)
                .params(scope.issuer().value(), scope.shard(), revision, max)
                .query(RevocationFeed::event)
                .list());
  }

  private static Revision revision(ResultSet row, int number) throws SQLException {
    return new Revision(
        new CrlScope(new IssuerName(row.getString("issuer")), row.getInt("shard")),
        row.getLong("revision"));
  }

  private static Event event(ResultSet row, int number) throws SQLException {
    return new Event(OctetString.copyOf(row.getBytes("serial")), row.getLong("revision"));
  }
}
