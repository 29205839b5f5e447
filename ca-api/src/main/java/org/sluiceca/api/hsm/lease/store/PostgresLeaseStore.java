package org.sluiceca.api.hsm.lease.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import javax.sql.DataSource;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.hsm.limit.Grant;
import org.sluiceca.hsm.limit.NodeReport;
import org.sluiceca.hsm.limit.lease.LeaseController;
import org.sluiceca.hsm.limit.lease.LeaseStore;

/**
 * The store of leases in PostgreSQL. {@code now()} is the only clock. Plain rows and updates with a
 * condition: neither advisory locks nor NOTIFY, which some databases that speak PostgreSQL's
 * language take and do nothing. Thread-safe.
 */
public final class PostgresLeaseStore implements LeaseStore {
  /*
   * now() is the time at which a transaction began. Where a statement has waited for a row it is a
   * little old, and always on the safe side: a lease is taken over later, and ends earlier.
   */

  private static final String FIRST_LEASE =
      """
      INSERT INTO hsm_lease (hsm, node, epoch, ends_at) VALUES (?, '', 0, '-infinity')
      ON CONFLICT (hsm) DO NOTHING
      """;

  // Above every epoch whose grants were seen: a replica that took over may have lost the last ones.
  private static final String LEAD =
      """
      UPDATE hsm_lease SET node = ?, ends_at = now() + ? * interval '1 millisecond',
        epoch = CASE WHEN node = ? AND epoch = ? THEN epoch ELSE 1 + greatest(epoch, (
          SELECT max(n.grant_seen >> 32)::integer FROM hsm_node n WHERE n.hsm = hsm_lease.hsm)) END
      WHERE hsm = ? AND (node = ? OR ends_at <= now())
      RETURNING epoch
      """;

  private static final String HELD =
      """
      SELECT number, width, extract(epoch FROM ends_at - now()) AS seconds_left
      FROM hsm_grant WHERE hsm = ? AND node = ? AND ends_at > now()
      """;

  private static final String FORGET_GRANTS =
      "DELETE FROM hsm_grant WHERE hsm = ? AND ends_at < now() - ? * interval '1 millisecond'";

  // The row lock keeps other nodes from taking over until these grants are committed. If a node has
  // already taken over, the query returns no row.
  private static final String STILL_LEADS =
      "SELECT epoch FROM hsm_lease WHERE hsm = ? AND node = ? AND epoch = ? FOR UPDATE";

  private static final String GRANT =
      """
      INSERT INTO hsm_grant (hsm, node, number, width, ends_at)
      SELECT ?, g.node, g.number, g.width, ?
      FROM unnest(?::text[], ?::bigint[], ?::double precision[]) AS g (node, number, width)
      ON CONFLICT (hsm, node) DO UPDATE SET
        number = excluded.number, width = excluded.width, ends_at = excluded.ends_at
      WHERE hsm_grant.number < excluded.number
      """;

  private static final String END_GRANT =
      "UPDATE hsm_grant SET ends_at = least(ends_at, now()) WHERE hsm = ? AND node = ?";

  private static final String END_LEASE =
      "UPDATE hsm_lease SET ends_at = least(ends_at, now()) WHERE hsm = ? AND node = ?";

  private final DataSource connections;

  /** Keeps leases in a database that was migrated. */
  public PostgresLeaseStore(LedgerDatabase database) {
    this(database.leasing());
  }

  /** Keeps leases by connections without auto-commit, whatever their limits are. */
  PostgresLeaseStore(DataSource connections) {
    this.connections = connections;
  }

  private interface SigningCost<T> {
    T in(Connection connection) throws SQLException;
  }

  private <T> T transaction(String what, SigningCost<T> work) {
    try (Connection connection = connections.getConnection()) {
      T result = work.in(connection);
      connection.commit();
      return result;
    } catch (SQLException e) {
      throw new Unavailable(what, e);
    }
  }

  @Override
  public Answer exchange(String hsm, NodeReport report, OptionalInt leading) {
    return transaction(
        "a report on token " + hsm + " cannot be kept",
        connection -> {
          NodeReportRows.keep(connection, hsm, report);
          Optional<Leadership> leadership = lead(connection, hsm, report.node(), leading);
          return new Answer(leadership, held(connection, hsm, report.node()));
        });
  }

  private static Optional<Leadership> lead(
      Connection connection, String hsm, String node, OptionalInt leading) throws SQLException {
    Optional<Leadership> leadership = take(connection, hsm, node, leading);
    // A row that is missing is added only then: each second it would be a statement for nothing.
    return leadership.isEmpty() && isFirst(connection, hsm)
        ? take(connection, hsm, node, leading)
        : leadership;
  }

  /** Adds the token's row; returns whether there was none. */
  private static boolean isFirst(Connection connection, String hsm) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(FIRST_LEASE)) {
      statement.setString(1, hsm);
      return statement.executeUpdate() > 0;
    }
  }

  private static Optional<Leadership> take(
      Connection connection, String hsm, String node, OptionalInt leading) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(LEAD)) {
      statement.setString(1, node);
      statement.setLong(2, LeaseController.LEASE.toMillis());
      statement.setString(3, node);
      // A lease that a node holds never has epoch 0.
      statement.setInt(4, leading.orElse(0));
      statement.setString(5, hsm);
      statement.setString(6, node);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(new Leadership(hsm, node, row.getInt("epoch")))
            : Optional.empty();
      }
    }
  }

  private static Optional<Held> held(Connection connection, String hsm, String node)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(HELD)) {
      statement.setString(1, hsm);
      statement.setString(2, node);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return Optional.empty();
        }
        Duration left = Duration.ofNanos((long) (row.getDouble("seconds_left") * 1e9));
        return Optional.of(
            new Held(new Grant(node, row.getLong("number"), row.getDouble("width")), left));
      }
    }
  }

  @Override
  public Roll roll(String hsm) {
    try (Connection connection = connections.getConnection()) {
      // As a rule one statement, which needs neither begin nor commit; what is forgotten is over.
      connection.setAutoCommit(true);
      NodeReportRows.Read read = NodeReportRows.read(connection, hsm);
      if (read.hasOld()) {
        NodeReportRows.forget(connection, hsm);
        forgetGrants(connection, hsm);
      }
      return read.roll();
    } catch (SQLException e) {
      throw new Unavailable("the nodes on token " + hsm + " cannot be read", e);
    }
  }

  private static void forgetGrants(Connection connection, String hsm) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(FORGET_GRANTS)) {
      statement.setString(1, hsm);
      statement.setLong(2, KEPT.toMillis());
      statement.executeUpdate();
    }
  }

  @Override
  public boolean grant(Leadership leadership, List<Grant> grants, Instant readAt) {
    return transaction(
        "grants on token " + leadership.hsm() + " cannot be kept",
        connection -> {
          boolean leads = stillLeads(connection, leadership);
          if (leads) {
            keep(connection, leadership.hsm(), grants, readAt.plus(LeaseController.LEASE));
          }
          return leads;
        });
  }

  private static boolean stillLeads(Connection connection, Leadership leadership)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(STILL_LEADS)) {
      statement.setString(1, leadership.hsm());
      statement.setString(2, leadership.node());
      statement.setInt(3, leadership.epoch());
      try (ResultSet row = statement.executeQuery()) {
        return row.next();
      }
    }
  }

  private static void keep(Connection connection, String hsm, List<Grant> grants, Instant endsAt)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(GRANT)) {
      statement.setString(1, hsm);
      statement.setObject(2, endsAt.atOffset(ZoneOffset.UTC));
      statement.setArray(
          3, connection.createArrayOf("text", grants.stream().map(Grant::node).toArray()));
      statement.setArray(
          4, connection.createArrayOf("bigint", grants.stream().map(Grant::number).toArray()));
      statement.setArray(
          5, connection.createArrayOf("float8", grants.stream().map(Grant::width).toArray()));
      statement.executeUpdate();
    }
  }

  @Override
  public void leave(String hsm, String node) {
    transaction(
        "what this node has of token " + hsm + " cannot be given back",
        connection -> {
          NodeReportRows.silence(connection, hsm, node);
          end(connection, END_GRANT, hsm, node);
          end(connection, END_LEASE, hsm, node);
          return hsm;
        });
  }

  private static void end(Connection connection, String sql, String hsm, String node)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, hsm);
      statement.setString(2, node);
      statement.executeUpdate();
    }
  }
}
