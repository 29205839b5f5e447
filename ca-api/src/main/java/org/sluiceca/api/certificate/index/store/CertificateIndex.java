package org.sluiceca.api.certificate.index.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.sluiceca.api.certificate.index.store.IndexRow.Present;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.api.platform.store.SqlFailure;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Brings certificates into the index. Thread-safe; any number of nodes may do it, one of them at a
 * time does. Every method blocks for at most a few seconds and throws {@link LedgerUnavailable} if
 * the database does not answer; repeating is always safe.
 */
public final class CertificateIndex {

  /*
   * Why nothing is missed. A trigger on outcome writes the serial numbers of a statement's issued
   * certificates into certificate_feed, in the same transaction: a transaction that can see the
   * certificate can see that row. It goes with the commit that has put them into the index,
   * whatever else was committed before or after it. There is no watermark that a late commit could
   * fall behind.
   *
   * The certificates of before the trigger are walked once, by the ledger's primary key from the
   * latest expiry down. Creating the trigger waited for all who were writing outcomes, so theirs
   * are visible to the walk; a transaction that writes behind it feeds its certificates.
   */

  private static final String LOOK =
      """
      SELECT s.is_filled,
        (SELECT extract(epoch FROM greatest(now() - f.recorded_at, interval '0'))
          FROM certificate_feed f ORDER BY f.id LIMIT 1) AS lag
      FROM certificate_index_state s
      """;

  private static final String LOCK =
      "SELECT "
          + Walk.COLUMNS
          + " FROM certificate_index_state s WHERE s.only_row FOR UPDATE SKIP LOCKED";

  private static final double NANOS = 1e9;

  private static final String UNINDEXED = "certificates cannot be indexed";

  /**
   * How far the index is.
   *
   * @param lag how long the oldest certificate that is not in it has waited, in database time; zero
   *     if none waits
   * @param isFed whether any waits
   * @param isFilled whether the certificates of before the index are all in it
   */
  public record Standing(Duration lag, boolean isFed, boolean isFilled) {}

  /**
   * The work of one transaction.
   *
   * @param unreadable how many of its certificates have no names
   * @param isFull whether it was as much as one takes, so that more may be waiting
   */
  public record Indexed(int certificates, int unreadable, boolean isFull) {

    static Indexed of(List<IndexRow> rows, boolean isFull) {
      return new Indexed(
          rows.size(), (int) rows.stream().filter(r -> !r.isReadable()).count(), isFull);
    }
  }

  private final LedgerSql sql;

  /** Indexes in a database that was migrated. */
  public CertificateIndex(LedgerDatabase database) {
    this.sql = new LedgerSql(database.finding());
  }

  /** Returns how far the index is; cheap, and takes no lock. */
  public Standing look() {
    return sql.run(
        "the index of certificates cannot be read",
        jdbc -> jdbc.sql(LOOK).query(CertificateIndex::standing).single());
  }

  private static Standing standing(ResultSet row, int number) throws SQLException {
    double seconds = row.getDouble("lag");
    boolean isFed = !row.wasNull();
    return new Standing(
        Duration.ofNanos((long) (seconds * NANOS)), isFed, row.getBoolean("is_filled"));
  }

  /**
   * Brings in what was issued, the longest waiting first, some 1,024 certificates at most. Empty,
   * having done nothing, while another node does so.
   */
  public Optional<Indexed> take() {
    return index((jdbc, walk, present) -> take(jdbc, present));
  }

  /** A step of the index, under its lock. */
  @FunctionalInterface
  private interface Step {
    Indexed run(JdbcClient jdbc, Walk walk, Present present);
  }

  private Optional<Indexed> index(Step step) {
    try {
      return index(step, Present.FAIL);
    } catch (LedgerUnavailable e) {
      if (!(e.getCause() instanceof SQLException cause && SqlFailure.isDuplicate(cause))) {
        throw e;
      }
      // Nothing was changed. No node leaves a name without its certificate, but a person can.
      return index(step, Present.SKIP);
    }
  }

  private Optional<Indexed> index(Step step, Present present) {
    return sql.transaction(
        UNINDEXED,
        jdbc ->
            jdbc.sql(LOCK).query(Walk::read).optional().map(walk -> step.run(jdbc, walk, present)));
  }

  private static Indexed take(JdbcClient jdbc, Present present) {
    Feed feed = Feed.read(jdbc);
    List<IndexRow> rows = feed.certificates(jdbc);
    IndexRow.insert(jdbc, rows, present);
    feed.drop(jdbc);
    return Indexed.of(rows, feed.isFull());
  }

  /**
   * Brings in the next 500 certificates of before the index. Empty, having done nothing, while
   * another node indexes.
   */
  public Optional<Indexed> walk() {
    return index(CertificateIndex::walk);
  }

  private static Indexed walk(JdbcClient jdbc, Walk walk, Present present) {
    List<IndexRow> rows = walk.next(jdbc);
    IndexRow.insert(jdbc, rows, present);
    walk.pass(jdbc, rows);
    return Indexed.of(rows, rows.size() == Walk.STEP_MAX);
  }
}
