package org.sluiceca.api.certificate.index.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.certificate.index.store.IndexRow.Present;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerSql;
import org.sluiceca.api.platform.store.SqlFailure;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.x509.ExpiryWeek;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;
import org.springframework.jdbc.core.RowMapper;
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
      "SELECT f.id, f.serials, f.issued_at FROM certificate_feed f ORDER BY f.id LIMIT "
          + FED_ROWS_MAX;

  private static final String DROP_FED = "DELETE FROM certificate_feed WHERE id = ANY (?)";

  // The bounds leave the partitions of other weeks out as the statement starts, not row by row.
  // LIMIT: each row is looked up by its primary key, whatever the planner thinks of the bounds.
  private static final String READ_INTENTS =
      "SELECT "
          + IndexRow.INTENT_COLUMNS
          + """

      FROM (SELECT unnest(?) AS expiry_week, unnest(?) AS serial) n
      CROSS JOIN LATERAL (
        SELECT i.serial, i.requester, i.profile, i.issuer, i.tbs FROM intent i
        WHERE i.expiry_week BETWEEN ? AND ?
          AND i.expiry_week = n.expiry_week AND i.serial = n.serial
        LIMIT 1) i
      """;

  private static final String READ_OUTCOMES =
      """
      SELECT o.serial, o.recorded_at AS issued_at
      FROM (SELECT unnest(?) AS expiry_week, unnest(?) AS serial) n
      CROSS JOIN LATERAL (
        SELECT o.serial, o.recorded_at FROM outcome o
        WHERE o.expiry_week BETWEEN ? AND ?
          AND o.expiry_week = n.expiry_week AND o.serial = n.serial AND o.kind = 'issued'
        LIMIT 1) o
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
        UNINDEXED, jdbc -> lock(jdbc).map(walk -> step.run(jdbc, walk, present)));
  }

  private static Indexed take(JdbcClient jdbc, Present present) {
    Fed fed = jdbc.sql(READ_FED).query(CertificateIndex::fed);
    Map<SerialNumber, Instant> issued = new HashMap<>(fed.dated());
    issued.putAll(dates(jdbc, fed.undated()));
    List<IndexRow> rows = read(jdbc, issued);
    Set<SerialNumber> all = new HashSet<>(fed.dated().keySet());
    all.addAll(fed.undated());
    int waiting = all.size();
    if (rows.size() != waiting) {
      LOG.error("{} certificates of the feed, {} in the ledger", waiting, rows.size());
    }
    IndexRow.insert(jdbc, rows, present);
    int _ =
        jdbc.sql(DROP_FED)
            .param(new SqlArrayValue("int8", (Object[]) fed.ids().toArray(Long[]::new)))
            .update();
    return Indexed.of(rows, fed.isFull());
  }

  /**
   * What one transaction takes of the feed.
   *
   * @param ids of its rows
   * @param dated the certificates whose time of issue stands there
   * @param undated the others: of a statement with several times, or of before that column
   */
  private record Fed(
      List<Long> ids,
      Map<SerialNumber, Instant> dated,
      Set<SerialNumber> undated,
      boolean isFull) {}

  private static Fed fed(ResultSet row) throws SQLException {
    List<Long> ids = new ArrayList<>();
    Map<SerialNumber, Instant> dated = new HashMap<>();
    Set<SerialNumber> undated = new HashSet<>();
    boolean isFull = false;
    while (!isFull && row.next()) {
      ids.add(row.getLong("id"));
      @Nullable OffsetDateTime issuedAt = row.getObject("issued_at", OffsetDateTime.class);
      for (SerialNumber serialNumber : split(row.getBytes("serials"))) {
        if (issuedAt == null) {
          undated.add(serialNumber);
        } else {
          dated.put(serialNumber, issuedAt.toInstant());
        }
      }
      isFull = dated.size() + undated.size() >= FED_MAX || ids.size() == FED_ROWS_MAX;
    }
    return new Fed(ids, dated, undated, isFull);
  }

  /**
   * Brings in the next 500 certificates of before the index. Empty, having done nothing, while
   * another node indexes.
   */
  public Optional<Indexed> walk() {
    return index(CertificateIndex::walk);
  }

  private static Indexed walk(JdbcClient jdbc, Walk from, Present present) {
    List<IndexRow> rows = from.isOver() ? List.of() : next(jdbc, from);
    IndexRow.insert(jdbc, rows, present);
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

  /** Returns when certificates were issued, of those that were. */
  private static Map<SerialNumber, Instant> dates(JdbcClient jdbc, Set<SerialNumber> certificates) {
    Map<SerialNumber, Instant> dates = new HashMap<>();
    look(jdbc, READ_OUTCOMES, certificates, IndexRow::date)
        .forEach(date -> dates.put(date.getKey(), date.getValue()));
    return dates;
  }

  private static List<IndexRow> read(JdbcClient jdbc, Map<SerialNumber, Instant> issued) {
    return look(
        jdbc,
        READ_INTENTS,
        issued.keySet(),
        (row, number) -> IndexRow.of(row, s -> Objects.requireNonNull(issued.get(s))));
  }

  private static <T> List<T> look(
      JdbcClient jdbc, String sql, Set<SerialNumber> certificates, RowMapper<T> mapper) {
    if (certificates.isEmpty()) {
      return List.of();
    }
    // In the order of the primary keys.
    List<SerialNumber> ordered =
        certificates.stream().sorted(Comparator.comparing(SerialNumber::hex)).toList();
    // Of the elements' own classes, which the driver sends in binary form.
    Object[] weeks = ordered.stream().map(s -> s.expiryWeek().number()).toArray(Integer[]::new);
    Object[] octets = ordered.stream().map(SerialNumber::octets).toArray(byte[][]::new);
    return jdbc.sql(sql)
        .params(new SqlArrayValue("int4", weeks), new SqlArrayValue("bytea", octets))
        .params(weeks[0], weeks[weeks.length - 1])
        .query(mapper)
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
