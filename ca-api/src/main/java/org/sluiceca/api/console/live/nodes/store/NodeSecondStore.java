package org.sluiceca.api.console.live.nodes.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.console.live.nodes.NodeSecond;
import org.sluiceca.api.console.live.nodes.NodesFeed;
import org.sluiceca.api.platform.store.LedgerColumns;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;

/**
 * The figures of all nodes in PostgreSQL: one row a node and second. {@code now()} is the only
 * clock. Thread-safe.
 */
public final class NodeSecondStore implements NodesFeed.Rows {
  /*
   * Each call is one statement, a transaction of its own. The parts of EXCHANGE that change rows
   * are executed in their order, on every node the same, so none waits for another in a circle; and
   * all see the rows of before, so a node does not read what it writes.
   *
   * Rows of the future remain when the clock of the database was set back. They count as nothing:
   * else the old figures would be the newest until that time comes again.
   */

  private static final String WRITE =
      """
      INSERT INTO node_second (second, node, state, stage, token, depth, wait_seconds, utilization,
        issued, refused, window_jobs, tokens_usable, tokens)
      SELECT date_trunc('second', now()), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
      WHERE ?
      ON CONFLICT (second, node) DO NOTHING
      """;

  // More than 30 nodes write in a second. What is beyond is removed in the next ones.
  private static final String EXCHANGE =
      """
      WITH looked AS (
        UPDATE console_watch SET looked_at = now(),
          began_at = CASE WHEN looked_at BETWEEN now() - interval '20 seconds'
            AND now() + interval '2 seconds' THEN began_at ELSE now() END
        WHERE looked_at NOT BETWEEN now() - interval '10 seconds' AND now() + interval '2 seconds'
      ), removed AS (
        DELETE FROM node_second WHERE ctid = ANY (ARRAY(
          SELECT o.ctid FROM node_second o WHERE o.second < now() - interval '1 hour'
          ORDER BY o.second LIMIT 500))
      ), written AS (
      """
          + WRITE
          + """
          )
          SELECT w.watched_seconds, n.node, n.age, n.state, n.stage, n.token, n.depth,
            n.wait_seconds, n.utilization, n.issued, n.refused, n.window_jobs, n.tokens_usable, n.tokens
          FROM (SELECT CASE WHEN c.looked_at BETWEEN now() - interval '20 seconds'
                AND now() + interval '2 seconds'
              THEN extract(epoch FROM now() - c.began_at) ELSE 0 END AS watched_seconds
            FROM console_watch c) w
          LEFT JOIN (
            SELECT DISTINCT ON (s.node) s.node, extract(epoch FROM now() - s.second) AS age,
              s.state, s.stage, s.token, s.depth, s.wait_seconds, s.utilization, s.issued, s.refused,
              s.window_jobs, s.tokens_usable, s.tokens
            FROM node_second s WHERE s.second > now() - ? * interval '1 second'
              AND s.second <= now() + interval '2 seconds'
            ORDER BY s.node, s.second DESC LIMIT 200) n ON true
          """;

  // Rates of nodes are summed over the seconds that the most written node has: one that wrote for
  // half of the minute counts half.
  private static final String HOUR =
      """
      SELECT n.minute, count(*) AS nodes, max(n.seconds) AS seconds,
        sum(n.issued) / max(n.seconds) AS issued, sum(n.refused) / max(n.seconds) AS refused,
        sum(n.depth) / max(n.seconds) AS depth,
        coalesce(sum(n.waits) / nullif(sum(n.issued), 0), 0) AS wait_seconds,
        max(n.utilization) AS utilization
      FROM (
        SELECT date_trunc('minute', s.second) AS minute, s.node, count(*) AS seconds,
          sum(s.issued::float8) AS issued, sum(s.refused::float8) AS refused,
          sum(s.depth)::float8 AS depth, sum(s.wait_seconds::float8 * s.issued) AS waits,
          avg(s.utilization::float8) AS utilization
        FROM node_second s
        WHERE s.second >= date_trunc('minute', now()) - interval '59 minutes'
          AND s.second <= now() + interval '2 seconds'
        GROUP BY 1, 2) n
      GROUP BY n.minute ORDER BY n.minute DESC
      """;

  private final LedgerSql sql;

  /** Keeps rows in a database that was migrated. */
  public NodeSecondStore(LedgerDatabase database) {
    this.sql = database.sql();
  }

  /** The row's values, and whether there is one. */
  private static List<@Nullable Object> values(Optional<NodeSecond> row) {
    NodeSecond.Load load =
        row.map(NodeSecond::load).orElse(new NodeSecond.Load(0, 0, 0, 0, 0, 0, 0, 0));
    List<@Nullable Object> values = new ArrayList<>();
    values.add(row.map(NodeSecond::node).orElse(""));
    values.add(row.map(NodeSecond::state).orElse(""));
    values.add(row.map(NodeSecond::stage).orElse(""));
    values.add(row.map(NodeSecond::token).orElse(""));
    values.add(load.depth());
    values.add(load.waitSeconds());
    values.add(load.utilization());
    values.add(load.issued());
    values.add(load.refused());
    values.add(load.window());
    values.add(load.tokensUsable());
    values.add(load.tokens());
    values.add(row.isPresent());
    return values;
  }

  @Override
  public void write(NodeSecond row) {
    sql.run(
        "the node's figures cannot be written",
        jdbc -> jdbc.sql(WRITE).params(values(Optional.of(row))).update());
  }

  @Override
  public NodesFeed.Answer exchange(Optional<NodeSecond> row, long seconds) {
    List<@Nullable Object> values = values(row);
    values.add(seconds);
    return sql.run(
        "the figures of the nodes cannot be exchanged",
        jdbc -> jdbc.sql(EXCHANGE).params(values).query(NodeSecondStore::answer));
  }

  private static NodesFeed.Answer answer(ResultSet row) throws SQLException {
    List<NodesFeed.Row> rows = new ArrayList<>();
    double watchedSeconds = 0;
    while (row.next()) {
      watchedSeconds = row.getDouble("watched_seconds");
      if (row.getString("node") != null) {
        rows.add(new NodesFeed.Row(second(row), row.getDouble("age")));
      }
    }
    return new NodesFeed.Answer(rows, watchedSeconds);
  }

  private static NodeSecond second(ResultSet row) throws SQLException {
    return new NodeSecond(
        row.getString("node"),
        row.getString("state"),
        row.getString("stage"),
        row.getString("token"),
        new NodeSecond.Load(
            row.getInt("depth"),
            row.getDouble("wait_seconds"),
            row.getDouble("utilization"),
            row.getDouble("issued"),
            row.getDouble("refused"),
            row.getDouble("window_jobs"),
            row.getInt("tokens_usable"),
            row.getInt("tokens")));
  }

  @Override
  public List<NodesFeed.Minute> hour() {
    return sql.run(
        "the last hour cannot be read",
        jdbc ->
            jdbc.sql(HOUR)
                .query(
                    (row, number) ->
                        new NodesFeed.Minute(
                            LedgerColumns.instant(row, "minute"),
                            row.getInt("nodes"),
                            row.getInt("seconds"),
                            row.getDouble("issued"),
                            row.getDouble("refused"),
                            row.getDouble("depth"),
                            row.getDouble("wait_seconds"),
                            row.getDouble("utilization")))
                .list());
  }
}
