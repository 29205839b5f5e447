package org.sluiceca.api.ocsp.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.sluiceca.api.platform.store.LedgerDatabase;
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

  private final LedgerDatabase database;

  /** Reads from a database that was migrated. */
  public RevocationFeed(LedgerDatabase database) {
    this.database = database;
  }

  /** How many events a scope has had. */
  public record Revision(CrlScope scope, long number) {}

  /** That something was decided about a certificate. */
  public record Event(OctetString serialNumber, long revision) {}

  /** Returns the present revision of every scope. */
  public List<Revision> revisions() {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(SCOPES);
        ResultSet row = statement.executeQuery()) {
      List<Revision> revisions = new ArrayList<>();
      while (row.next()) {
        revisions.add(
            new Revision(
                new CrlScope(new IssuerName(row.getString("issuer")), row.getInt("shard")),
                row.getLong("revision")));
      }
      return revisions;
    } catch (SQLException e) {
      throw new LedgerUnavailable("the revisions of revocation cannot be read", e);
    }
  }

  /** Returns the first {@code max} events of a scope after {@code revision}, in their order. */
  public List<Event> since(CrlScope scope, long revision, int max) {
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(SINCE)) {
      statement.setString(1, scope.issuer().value());
      statement.setInt(2, scope.shard());
      statement.setLong(3, revision);
      statement.setInt(4, max);
      List<Event> events = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          events.add(
              new Event(OctetString.copyOf(row.getBytes("serial")), row.getLong("revision")));
        }
      }
      return events;
    } catch (SQLException e) {
      throw new LedgerUnavailable("the events of revocation cannot be read", e);
    }
  }
}
