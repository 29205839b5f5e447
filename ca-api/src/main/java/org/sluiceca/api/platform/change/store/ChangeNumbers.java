package org.sluiceca.api.platform.change.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.sluiceca.api.platform.change.ChangeWatch;
import org.sluiceca.api.platform.change.Topic;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;

/** Reads the numbers of the topics from PostgreSQL: one round trip, no lock. Thread-safe. */
public final class ChangeNumbers implements ChangeWatch.Source {
  /*
   * Each number is computed from rows that the writers write anyway, so no counter has to be
   * locked. A number changes with the commit that makes the rows visible, not with the assignment
   * of a number before it: sums, and maxima of numbers that are assigned under a lock which is held
   * until the commit. A loop that is woken reads after this statement, so it sees at least what this
   * has seen.
   */

  // The oldest row of a queue, read past deleted rows that are not vacuumed yet. A statement of its
  // own in the same message, so that its cost is measured separately.
  private static final String UNINDEXED =
      "SELECT f.id AS unindexed FROM certificate_feed f ORDER BY f.id LIMIT 1;\n";

  private static final String QUICK_ONES = "SELECT s.revisions, s.numbers\n";

  // Issuers and their certificates are never deleted, and no issuer is active again once retired.
  private static final String OTHERS =
      """
      , (SELECT coalesce(max(p.number), 0) FROM profile_activation p) AS profiles,
        (SELECT coalesce(max(e.number), 0) FROM endpoint_activation e) AS endpoints,
        (SELECT count(*) + count(*) FILTER (WHERE i.state = 'retired') FROM issuer i)
          + (SELECT count(*) FROM issuer_certificate) AS issuers,
        (SELECT count(*) FROM revocation_job_start j
          WHERE NOT EXISTS (SELECT FROM revocation_job_end n WHERE n.job = j.job)) AS jobs,
        (SELECT coalesce(sum(b.orders), 0) FROM backlog_depth b)::bigint AS orders,
        (SELECT count(*) FROM (SELECT FROM request_authorization a
          WHERE a.status = 'processing' ORDER BY a.next_at LIMIT 1) due) AS proofs,
        (SELECT count(*) FROM console_watch w
          WHERE w.looked_at BETWEEN now() - interval '20 seconds'
            AND now() + interval '2 seconds') AS watched
      """;

  // Of revisions and numbers of CRLs, which only rise, each sum is another one after every change.
  private static final String SCOPES =
      """
      FROM (
        SELECT (count(*) + coalesce(sum(c.revision), 0))::bigint AS revisions,
          coalesce(sum(
            coalesce((SELECT max(g.number) FROM crl_signature g
              WHERE g.issuer = c.issuer AND g.shard = c.shard), 0)
            + coalesce((SELECT max(d.number) FROM delta_crl_signature d
              WHERE d.issuer = c.issuer AND d.shard = c.shard), 0)), 0)::bigint AS numbers
        FROM crl_scope c) s
      """;

  private static final String QUICK = UNINDEXED + QUICK_ONES + SCOPES;
  private static final String FULL = UNINDEXED + QUICK_ONES + OTHERS + SCOPES;

  private static final List<Topic> ALL =
      Arrays.stream(Topic.values()).filter(topic -> topic != Topic.UNINDEXED).toList();
  private static final List<Topic> QUICK_TOPICS = ALL.stream().filter(Topic::isQuick).toList();

  private final LedgerDatabase database;

  /** Reads from a database that was migrated. */
  public ChangeNumbers(LedgerDatabase database) {
    this.database = database;
  }

  @Override
  public Map<Topic, Long> read(boolean isFull) {
    try (Connection connection = database.watching().getConnection();
        PreparedStatement statement = connection.prepareStatement(isFull ? FULL : QUICK)) {
      Map<Topic, Long> numbers = new EnumMap<>(Topic.class);
      statement.execute();
      try (ResultSet row = statement.getResultSet()) {
        numbers.put(Topic.UNINDEXED, row.next() ? row.getLong(1) : 0);
      }
      boolean hasMore = statement.getMoreResults();
      assert hasMore;
      try (ResultSet row = statement.getResultSet()) {
        boolean isThere = row.next();
        assert isThere;
        // The columns are in the order of the topics, of which the quick ones come first.
        int column = 1;
        for (Topic topic : isFull ? ALL : QUICK_TOPICS) {
          numbers.put(topic, row.getLong(column++));
        }
      }
      return numbers;
    } catch (SQLException e) {
      throw new LedgerUnavailable("what has changed cannot be read", e);
    }
  }
}
