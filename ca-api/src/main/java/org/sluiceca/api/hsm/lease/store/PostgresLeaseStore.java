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
   * now() is the time at which a statement began. Where it has waited for a row it is a little old,
   * and always on the safe side: a lease is taken over later, and ends earlier.
   *
   * Each second a node makes one statement, and the leader three, each a transaction of its own:
   * what a statement costs is its round trip, not its rows (docs/performance/IDLE.md).
   */

  private static final String FIRST_LEASE =
      """
      INSERT INTO hsm_lease (hsm, node, epoch, ends_at) VALUES (?, '', 0, '-infinity')
      ON CONFLICT (hsm) DO NOTHING
      """;

  // Keeps the report, takes or keeps the lease if it may, and reads the node's grant. All parts see
  // the rows of before, so the grant that the report has seen is compared by itself. The epoch is
  // above every one whose grants were seen: a replica that took over may have lost the last ones.
  private static final String EXCHANGE =
      "WITH reported AS ("
          + NodeReportRows.REPORT
          + """
      ), led AS (
        UPDATE hsm_lease SET node = ?, ends_at = now() + ? * interval '1 millisecond',
          epoch = CASE WHEN node = ? AND epoch = ? THEN epoch ELSE 1 + greatest(epoch, ?, (
            SELECT max(n.grant_seen >> 32)::integer FROM hsm_node n WHERE n.hsm = hsm_lease.hsm)) END
        WHERE hsm = ? AND (node = ? OR ends_at <= now())
        RETURNING epoch)
      SELECT (SELECT epoch FROM led) AS epoch,
        EXISTS (SELECT FROM hsm_lease l WHERE l.hsm = ?) AS is_known,
        g.number, g.width, extract(epoch FROM g.ends_at - now()) AS seconds_left
      FROM (VALUES (1)) AS one (row)
      LEFT JOIN hsm_grant g ON g.hsm = ? AND g.node = ? AND g.ends_at > now()
      """;

  private static final String FORGET_GRANTS =
      "DELETE FROM hsm_grant WHERE hsm = ? AND ends_at < now() - ? * interval '1 millisecond'";

  // The row lock keeps other nodes from taking over until these grants are committed. If a node has
  // already taken over, the query counts no row and grants nothing.
  private static final String GRANT =
      """
      WITH leads AS (
        SELECT epoch FROM hsm_lease WHERE hsm = ? AND node = ? AND epoch = ? FOR UPDATE),
      granted AS (
        INSERT INTO hsm_grant (hsm, node, number, width, ends_at)
        SELECT ?, g.node, g.number, g.width, ?
        FROM leads
        CROSS JOIN unnest(?::text[], ?::bigint[], ?::double precision[]) AS g (node, number, width)
        ON CONFLICT (hsm, node) DO UPDATE SET
          number = excluded.number, width = excluded.width, ends_at = excluded.ends_at
        WHERE hsm_grant.number < excluded.number)
      SELECT count(*) FROM leads
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

  /** Keeps leases by connections with auto-commit, whatever their limits are. */
  PostgresLeaseStore(DataSource connections) {
    this.connections = connections;
  }

  private record Exchanged(Answer answer, boolean isKnown) {}

  @Override
  public Answer exchange(String hsm, NodeReport report, OptionalInt leading) {
    try (Connection connection = connections.getConnection()) {
      Exchanged first = exchange(connection, hsm, report, leading);
      // The token's row is added where it is missing: each second it would be a round trip more.
      return first.isKnown() || !isFirst(connection, hsm)
          ? first.answer()
          : exchange(connection, hsm, report, leading).answer();
    } catch (SQLException e) {
      throw new Unavailable("a report on token " + hsm + " cannot be kept", e);
    }
  }

  private static Exchanged exchange(
      Connection connection, String hsm, NodeReport report, OptionalInt leading)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(EXCHANGE)) {
      int next = NodeReportRows.set(statement, hsm, report);
      statement.setString(next++, report.node());
      statement.setLong(next++, LeaseController.LEASE.toMillis());
      statement.setString(next++, report.node());
      // A lease that a node holds never has epoch 0.
      statement.setInt(next++, leading.orElse(0));
      statement.setInt(next++, (int) (report.grantSeen() >> Integer.SIZE));
      statement.setString(next++, hsm);
      statement.setString(next++, report.node());
      statement.setString(next++, hsm);
      statement.setString(next++, hsm);
      statement.setString(next, report.node());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        int epoch = row.getInt("epoch");
        Optional<Leadership> leadership =
            row.wasNull()
                ? Optional.empty()
                : Optional.of(new Leadership(hsm, report.node(), epoch));
        return new Exchanged(
            new Answer(leadership, held(row, report.node())), row.getBoolean("is_known"));
      }
    }
  }

  private static Optional<Held> held(ResultSet row, String node) throws SQLException {
    long number = row.getLong("number");
    if (row.wasNull()) {
      return Optional.empty();
    }
    Duration left = Duration.ofNanos((long) (row.getDouble("seconds_left") * 1e9));
    return Optional.of(new Held(new Grant(node, number, row.getDouble("width")), left));
  }

  /** Adds the token's row; returns whether there was none. */
  private static boolean isFirst(Connection connection, String hsm) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(FIRST_LEASE)) {
      statement.setString(1, hsm);
      return statement.executeUpdate() > 0;
    }
  }

  @Override
  public Roll roll(String hsm) {
    try (Connection connection = connections.getConnection()) {
      // As a rule one statement; what is forgotten is over, whether or not all of it is.
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
    try (Connection connection = connections.getConnection();
        PreparedStatement statement = connection.prepareStatement(GRANT)) {
      statement.setString(1, leadership.hsm());
      statement.setString(2, leadership.node());
      statement.setInt(3, leadership.epoch());
      statement.setString(4, leadership.hsm());
      statement.setObject(5, readAt.plus(LeaseController.LEASE).atOffset(ZoneOffset.UTC));
      statement.setArray(
          6, connection.createArrayOf("text", grants.stream().map(Grant::node).toArray()));
      statement.setArray(
          7, connection.createArrayOf("bigint", grants.stream().map(Grant::number).toArray()));
      statement.setArray(
          8, connection.createArrayOf("float8", grants.stream().map(Grant::width).toArray()));
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getLong(1) > 0;
      }
    } catch (SQLException e) {
      throw new Unavailable("grants on token " + leadership.hsm() + " cannot be kept", e);
    }
  }

  @Override
  public void leave(String hsm, String node) {
    try (Connection connection = connections.getConnection()) {
      connection.setAutoCommit(false);
      NodeReportRows.silence(connection, hsm, node);
      end(connection, END_GRANT, hsm, node);
      end(connection, END_LEASE, hsm, node);
      connection.commit();
    } catch (SQLException e) {
      throw new Unavailable("what this node has of token " + hsm + " cannot be given back", e);
    }
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
