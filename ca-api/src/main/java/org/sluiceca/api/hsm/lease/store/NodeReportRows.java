package org.sluiceca.api.hsm.lease.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.sluiceca.hsm.limit.NodeReport;
import org.sluiceca.hsm.limit.Sample;
import org.sluiceca.hsm.limit.lease.LeaseController;
import org.sluiceca.hsm.limit.lease.LeaseStore;

/** The nodes' reports on a token: the rows of {@code hsm_node}, one per token and node. */
final class NodeReportRows {

  /** Stores a node's report in place of its previous one; {@link #set} sets the parameters. */
  static final String REPORT =
      """
      INSERT INTO hsm_node (demand, width, rtt_seconds, completions, delay, squares, service,
        travel, busy, inflight_max, elapsed, grant_seen, hsm, node, reported_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, now())
      ON CONFLICT (hsm, node) DO UPDATE SET
        demand = excluded.demand, width = excluded.width, rtt_seconds = excluded.rtt_seconds,
        completions = excluded.completions, delay = excluded.delay, squares = excluded.squares,
        service = excluded.service, travel = excluded.travel, busy = excluded.busy,
        inflight_max = excluded.inflight_max, elapsed = excluded.elapsed,
        grant_seen = excluded.grant_seen, reported_at = excluded.reported_at
      """;

  private static final String FORGET_NODES =
      "DELETE FROM hsm_node WHERE hsm = ? AND reported_at < now() - ? * interval '1 millisecond'";

  // Returns one row with the time even if no node is live. Whether there are rows to delete is
  // asked here, since two statements each second that delete nothing cost more.
  private static final String ROLL =
      """
      SELECT now() AS read_at, n.node, n.reported_at, n.demand, n.width, n.rtt_seconds,
        n.completions, n.delay, n.squares, n.service, n.travel, n.busy, n.inflight_max, n.elapsed,
        n.grant_seen,
        EXISTS (SELECT FROM hsm_node o
          WHERE o.hsm = ? AND o.reported_at < now() - ? * interval '1 millisecond')
        OR EXISTS (SELECT FROM hsm_grant g
          WHERE g.hsm = ? AND g.ends_at < now() - ? * interval '1 millisecond') AS has_old
      FROM (VALUES (1)) AS one (row)
      LEFT JOIN hsm_node n
        ON n.hsm = ? AND n.reported_at > now() - ? * interval '1 millisecond'
      """;

  // Marks the node as one that has been silent for a lease. Its report stays, for a node that takes
  // over and for an operator who investigates.
  private static final String SILENCE =
      """
      UPDATE hsm_node SET reported_at = least(reported_at, now() - ? * interval '1 millisecond')
      WHERE hsm = ? AND node = ?
      """;

  private NodeReportRows() {}

  /** Sets the parameters of {@link #REPORT}, which come first; returns the index of the next. */
  static int set(PreparedStatement statement, String hsm, NodeReport report) throws SQLException {
    Sample sample = report.sample();
    statement.setDouble(1, report.demand());
    statement.setDouble(2, report.width());
    statement.setDouble(3, report.rttSeconds());
    statement.setLong(4, sample.completions());
    statement.setDouble(5, sample.delay());
    statement.setDouble(6, sample.squares());
    statement.setDouble(7, sample.service());
    statement.setDouble(8, sample.travel());
    statement.setInt(9, sample.busy());
    statement.setInt(10, sample.inflightMax());
    statement.setDouble(11, sample.elapsed());
    statement.setLong(12, report.grantSeen());
    statement.setString(13, hsm);
    statement.setString(14, report.node());
    return 15;
  }

  /** Deletes nodes that have not reported for a long time. */
  static void forget(Connection connection, String hsm) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(FORGET_NODES)) {
      statement.setString(1, hsm);
      statement.setLong(2, LeaseStore.KEPT.toMillis());
      statement.executeUpdate();
    }
  }

  /**
   * What was read of a token.
   *
   * @param hasOld whether there are reports or grants that are to be forgotten
   */
  record Read(LeaseStore.Roll roll, boolean hasOld) {}

  /** Returns the nodes that have reported within a lease, and when they were read. */
  static Read read(Connection connection, String hsm) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ROLL)) {
      statement.setString(1, hsm);
      statement.setLong(2, LeaseStore.KEPT.toMillis());
      statement.setString(3, hsm);
      statement.setLong(4, LeaseStore.KEPT.toMillis());
      statement.setString(5, hsm);
      statement.setLong(6, LeaseController.LEASE.toMillis());
      boolean hasOld = false;
      List<LeaseStore.Reported> living = new ArrayList<>();
      Instant readAt = Instant.MIN;
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          readAt = instant(row, "read_at");
          hasOld = row.getBoolean("has_old");
          if (row.getString("node") != null) {
            living.add(new LeaseStore.Reported(report(row), instant(row, "reported_at")));
          }
        }
      }
      return new Read(new LeaseStore.Roll(living, readAt), hasOld);
    }
  }

  private static NodeReport report(ResultSet row) throws SQLException {
    Sample sample =
        new Sample(
            row.getLong("completions"),
            row.getDouble("delay"),
            row.getDouble("squares"),
            row.getDouble("service"),
            row.getDouble("travel"),
            row.getInt("busy"),
            row.getInt("inflight_max"),
            row.getDouble("elapsed"));
    return new NodeReport(
        row.getString("node"),
        row.getDouble("demand"),
        row.getDouble("width"),
        row.getDouble("rtt_seconds"),
        sample,
        row.getLong("grant_seen"));
  }

  private static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  /** Marks a node as no longer live, until it reports again. */
  static void silence(Connection connection, String hsm, String node) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SILENCE)) {
      statement.setLong(1, LeaseController.LEASE.toMillis());
      statement.setString(2, hsm);
      statement.setString(3, node);
      statement.executeUpdate();
    }
  }
}
