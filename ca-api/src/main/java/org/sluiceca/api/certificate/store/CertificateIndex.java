package org.sluiceca.api.certificate.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.x509.ExpiryWeek;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.SqlArrayValue;

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

  /** Certificates of one transaction: some 8 MB while they are read. */
  static final int FED_MAX = 1_024;

  /** Rows of the feed that are read for it: of 256 certificates at most, and of one at least. */
  private static final int FED_ROWS_MAX = 256;

  /** Certificates of one step of the walk. */
  static final int WALKED_MAX = 500;

  private static final String LOOK =
      """
      SELECT s.is_filled,
        (SELECT extract(epoch FROM greatest(now() - f.recorded_at, interval '0'))
          FROM certificate_feed f ORDER BY f.id LIMIT 1) AS lag
      FROM certificate_index_state s
      """;

  private static final String LOCK =
      """
      SELECT s.filled_week, s.filled_serial, s.is_filled
      FROM certificate_index_state s WHERE s.only_row FOR UPDATE SKIP LOCKED
      """;

  private static final String READ_FED =
      "SELECT f.id, f.serials FROM certificate_feed f ORDER BY f.id LIMIT " + FED_ROWS_MAX;

  private static final String DROP_FED = "DELETE FROM certificate_feed WHERE id = ANY (?)";

  // The bounds leave the partitions of other weeks out as the statement starts, not row by row.
  // LIMIT: each row is looked up by its primary key, whatever the planner thinks of the bounds.
  private static final String READ =
      "SELECT "
          + IndexRow.COLUMNS
          + """

          FROM (SELECT unnest(?) AS expiry_week, unnest(?) AS serial) n
          CROSS JOIN LATERAL (
            SELECT o.recorded_at FROM outcome o
            WHERE o.expiry_week BETWEEN ? AND ?
              AND o.expiry_week = n.expiry_week AND o.serial = n.serial AND o.kind = 'issued'
            LIMIT 1) o
          CROSS JOIN LATERAL (
            SELECT i.serial, i.requester, i.profile, i.issuer, i.tbs FROM intent i
            WHERE i.expiry_week BETWEEN ? AND ?
              AND i.expiry_week = n.expiry_week AND i.serial = n.serial
            LIMIT 1) i
          """;

  private static final String WALK =
      "SELECT "
          + IndexRow.COLUMNS
          + """

          FROM outcome o
          JOIN intent i ON i.expiry_week = o.expiry_week AND i.serial = o.serial
          WHERE o.kind = 'issued' AND get_byte(o.serial, 0) = 1
            AND o.expiry_week <= ? AND (o.expiry_week, o.serial) < (?, ?)
          ORDER BY o.expiry_week DESC, o.serial DESC LIMIT\s"""
          + WALKED_MAX;

  private static final String WALKED =
      "UPDATE certificate_index_state SET filled_week = ?, filled_serial = ?, is_filled = ?";

  private static final String DROP_WEEK = "SELECT drop_index_week(?, ?)";

  private static final String DROP_TALLY = "DELETE FROM certificate_tally WHERE expiry_week < ?";
  private static final String DROP_LIVES = "DELETE FROM certificate_life WHERE expiry_week < ?";

  private static final double NANOS = 1e9;

  private static final String UNINDEXED = "certificates cannot be indexed";
  private static final String UNDROPPED = "old weeks cannot be dropped from the index";

  private static final Logger LOG = LoggerFactory.getLogger(CertificateIndex.class);

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
    return sql.transaction(UNINDEXED, jdbc -> lock(jdbc).map(walk -> take(jdbc)));
  }

  private static Indexed take(JdbcClient jdbc) {
    Fed fed = jdbc.sql(READ_FED).query(CertificateIndex::fed);
    List<IndexRow> rows = read(jdbc, fed.serialNumbers());
    if (rows.size() != fed.serialNumbers().size()) {
      LOG.error(
          "{} certificates of the feed, {} in the ledger", fed.serialNumbers().size(), rows.size());
    }
    IndexRow.insert(jdbc, rows);
    int _ = jdbc.sql(DROP_FED).param(new SqlArrayValue("int8", fed.ids().toArray())).update();
    return Indexed.of(rows, fed.isFull());
  }

  /** What one transaction takes of the feed: its rows, and the certificates in them. */
  private record Fed(List<Long> ids, List<SerialNumber> serialNumbers, boolean isFull) {}

  private static Fed fed(ResultSet row) throws SQLException {
    List<Long> ids = new ArrayList<>();
    List<SerialNumber> serialNumbers = new ArrayList<>();
    boolean isFull = false;
    while (!isFull && row.next()) {
      ids.add(row.getLong("id"));
      serialNumbers.addAll(split(row.getBytes("serials")));
      isFull = serialNumbers.size() >= FED_MAX || ids.size() == FED_ROWS_MAX;
    }
    return new Fed(ids, serialNumbers, isFull);
  }

  /**
   * Brings in the next 500 certificates of before the index. Empty, having done nothing, while
   * another node indexes.
   */
  public Optional<Indexed> walk() {
    return sql.transaction(UNINDEXED, jdbc -> lock(jdbc).map(from -> walk(jdbc, from)));
  }

  private static Indexed walk(JdbcClient jdbc, Walk from) {
    List<IndexRow> rows = from.isOver() ? List.of() : next(jdbc, from);
    IndexRow.insert(jdbc, rows);
    Walk to = rows.isEmpty() ? from : Walk.at(rows.getLast().serialNumber());
    int _ =
        jdbc.sql(WALKED).params(to.week(), to.serial().octets(), rows.size() < WALKED_MAX).update();
    return Indexed.of(rows, rows.size() == WALKED_MAX);
  }

  /**
   * Drops what expired before this week from the index, never from the ledger; returns how many
   * partitions that were. Waits a second for each at most, for searches to end.
   */
  public int dropBefore(ExpiryWeek week) {
    int dropped = 0;
    // Names first: no search finds a name without its certificate.
    for (String table : List.of("certificate_name", "certificate_index")) {
      while (dropOne(table, week)) {
        dropped++;
      }
    }
    for (String counts : List.of(DROP_TALLY, DROP_LIVES)) {
      int _ = sql.transaction(UNDROPPED, jdbc -> jdbc.sql(counts).param(week.number()).update());
    }
    return dropped;
  }

  private boolean dropOne(String table, ExpiryWeek week) {
    return sql.transaction(
        UNDROPPED,
        jdbc -> jdbc.sql(DROP_WEEK).params(table, week.number()).query(Boolean.class).single());
  }

  /** Where the walk is: what comes next is below. */
  private record Walk(int week, OctetString serial, boolean isOver) {

    static Walk at(SerialNumber serialNumber) {
      return new Walk(
          serialNumber.expiryWeek().number(), OctetString.copyOf(serialNumber.octets()), false);
    }

    static Walk read(ResultSet row, int number) throws SQLException {
      return new Walk(
          row.getInt("filled_week"),
          OctetString.copyOf(row.getBytes("filled_serial")),
          row.getBoolean("is_filled"));
    }
  }

  private static Optional<Walk> lock(JdbcClient jdbc) {
    return jdbc.sql(LOCK).query(Walk::read).optional();
  }

  private static List<IndexRow> next(JdbcClient jdbc, Walk walk) {
    return jdbc.sql(WALK)
        .params(walk.week(), walk.week(), walk.serial().octets())
        .query(IndexRow::read)
        .list();
  }

  private static List<IndexRow> read(JdbcClient jdbc, List<SerialNumber> serialNumbers) {
    if (serialNumbers.isEmpty()) {
      return List.of();
    }
    IntSummaryStatistics bounds =
        serialNumbers.stream().mapToInt(s -> s.expiryWeek().number()).summaryStatistics();
    Object[] weeks = serialNumbers.stream().map(s -> s.expiryWeek().number()).toArray();
    Object[] octets = serialNumbers.stream().map(SerialNumber::octets).toArray(byte[][]::new);
    return jdbc.sql(READ)
        .params(new SqlArrayValue("int4", weeks), new SqlArrayValue("bytea", octets))
        .params(bounds.getMin(), bounds.getMax(), bounds.getMin(), bounds.getMax())
        .query(IndexRow::read)
        .list();
  }

  private static List<SerialNumber> split(byte[] serials) {
    List<SerialNumber> all = new ArrayList<>();
    for (int from = 0; from < serials.length; from += SerialNumber.OCTETS) {
      byte[] serial = Arrays.copyOfRange(serials, from, from + SerialNumber.OCTETS);
      try {
        all.add(SerialNumber.of(serial));
      } catch (IllegalArgumentException e) {
        // Only the tables' owner can have put it there; it must not stop the others.
        LOG.error("{} is no serial number of this CA", HexFormat.of().formatHex(serial), e);
      }
    }
    return all;
  }
}
