package org.sluiceca.api.certificate.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.sluiceca.api.platform.store.LedgerColumns;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.request.Role;

/** Reads when requesters lose their roles. Thread-safe; blocks for some seconds at most. */
public final class CredentialEnds {

  /**
   * A requester that has a newer credential with the role does not lose it when an older one ends.
   * A credential that ended within the last day is still reported, so that an alert does not
   * resolve at the moment that it warned of.
   */
  private static final String READ =
      """
      SELECT role, min(ends) AS first_end, max(ends) AS last_end
      FROM (
        SELECT c.requester, r.role, max(c.expires_at) AS ends
        FROM credential c CROSS JOIN LATERAL unnest(c.roles) AS r (role)
        WHERE c.revoked_at IS NULL AND c.expires_at > now() - interval '1 day'
        GROUP BY c.requester, r.role) AS held
      GROUP BY role
      """;

  private final LedgerSql sql;

  /** Reads from a database that was migrated. */
  public CredentialEnds(LedgerDatabase database) {
    this.sql = database.sql();
  }

  /**
   * When a role ends.
   *
   * @param first when the first requester that has the role loses it
   * @param last when the last one does
   */
  public record End(Role role, Instant first, Instant last) {}

  /**
   * Returns the ends of each role that a requester has, in no order. Reads all credentials: once a
   * minute is often enough.
   *
   * @throws LedgerUnavailable if the database does not answer
   */
  public List<End> read() {
    return sql.run(
        "the ends of credentials cannot be read",
        jdbc -> jdbc.sql(READ).query(CredentialEnds::end).list());
  }

  private static End end(ResultSet row, int number) throws SQLException {
    return new End(
        Role.valueOf(row.getString("role").toUpperCase(Locale.ROOT)),
        LedgerColumns.instant(row, "first_end"),
        LedgerColumns.instant(row, "last_end"));
  }
}
