package org.sluiceca.api.certificate.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.x509.ExpiryWeek;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;

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

  private static final String READ =
      "SELECT "
          + IndexRow.COLUMNS
          + """

          FROM unnest(?, ?) AS n (expiry_week, serial)
          JOIN intent i ON i.expiry_week = n.expiry_week AND i.serial = n.serial
          JOIN outcome o ON o.expiry_week = n.expiry_week AND o.serial = n.serial
          WHERE o.kind = 'issued'
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

  // A week that retention has dropped from the index stays away.
  private static final String INSERT =
      """
      WITH fresh AS (
        INSERT INTO certificate_index (expiry_week, serial, issued_at, requester, profile, issuer,
          not_before, not_after, subject, subject_names, sans)
        SELECT n.expiry_week, n.serial, n.issued_at, n.requester, n.profile, n.issuer, n.not_before,
          n.not_after, n.subject, string_to_array(n.subject_names, chr(31)),
          string_to_array(n.sans, chr(31))
        FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) AS n (expiry_week, serial, issued_at, requester,
          profile, issuer, not_before, not_after, subject, subject_names, sans)
        WHERE to_regclass('certificate_index_w' || n.expiry_week) IS NOT NULL
          AND to_regclass('certificate_name_w' || n.expiry_week) IS NOT NULL
        ON CONFLICT (expiry_week, serial) DO NOTHING
        RETURNING expiry_week, serial, requester, profile, not_after, subject_names, sans),
      named AS (
        INSERT INTO certificate_name (kind, name, requester, expiry_week, serial)
        SELECT 1, s.name, f.requester, f.expiry_week, f.serial
        FROM fresh f, unnest(f.subject_names) AS s (name)
        UNION ALL
        SELECT 2, s.name, f.requester, f.expiry_week, f.serial
        FROM fresh f, unnest(f.sans) AS s (name)
        ON CONFLICT DO NOTHING)
      INSERT INTO certificate_tally (expires_on, expiry_week, profile, requester, certificates)
      SELECT (f.not_after AT TIME ZONE 'UTC')::date, f.expiry_week, f.profile, f.requester, count(*)
      FROM fresh f GROUP BY 1, 2, 3, 4
      ON CONFLICT (expires_on, profile, requester)
      DO UPDATE SET certificates = certificate_tally.certificates + excluded.certificates
      """;

  private static final String DROP_WEEK = "SELECT drop_index_week(?, ?)";

  private static final String DROP_TALLY = "DELETE FROM certificate_tally WHERE expiry_week < ?";

  private static final double NANOS = 1e9;

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

  private final LedgerDatabase database;

  /** Indexes in a database that was migrated. */
  public CertificateIndex(LedgerDatabase database) {
    this.database = database;
  }

  /** Returns how far the index is; cheap, and takes no lock. */
  public Standing look() {
    try (Connection connection = database.finding().getConnection();
        PreparedStatement statement = connection.prepareStatement(LOOK);
        ResultSet row = statement.executeQuery()) {
      if (!row.next()) {
        throw new SQLException("certificate_index_state has lost its row");
      }
      double seconds = row.getDouble("lag");
      boolean isFed = !row.wasNull();
      return new Standing(
          Duration.ofNanos((long) (seconds * NANOS)), isFed, row.getBoolean("is_filled"));
    } catch (SQLException e) {
      throw new LedgerUnavailable("the index of certificates cannot be read", e);
    }
  }

  /**
   * Brings in what was issued, the longest waiting first, some 1,024 certificates at most. Empty,
   * having done nothing, while another node does so.
   */
  public Optional<Indexed> take() {
    try (Connection connection = database.finding().getConnection()) {
      if (lock(connection).isEmpty()) {
        return Optional.empty();
      }
      List<Long> fed = new ArrayList<>();
      List<SerialNumber> serialNumbers = new ArrayList<>();
      boolean isFull = false;
      try (PreparedStatement statement = connection.prepareStatement(READ_FED);
          ResultSet row = statement.executeQuery()) {
        while (!isFull && row.next()) {
          fed.add(row.getLong("id"));
          serialNumbers.addAll(split(row.getBytes("serials")));
          isFull = serialNumbers.size() >= FED_MAX || fed.size() == FED_ROWS_MAX;
        }
      }
      List<IndexRow> rows = read(connection, serialNumbers);
      if (rows.size() != serialNumbers.size()) {
        LOG.error(
            "{} certificates of the feed, {} in the ledger", serialNumbers.size(), rows.size());
      }
      insert(connection, rows);
      try (PreparedStatement statement = connection.prepareStatement(DROP_FED)) {
        statement.setArray(1, connection.createArrayOf("int8", fed.toArray()));
        int _ = statement.executeUpdate();
      }
      connection.commit();
      return Optional.of(Indexed.of(rows, isFull));
    } catch (SQLException e) {
      throw new LedgerUnavailable("certificates cannot be indexed", e);
    }
  }

  /**
   * Brings in the next 500 certificates of before the index. Empty, having done nothing, while
   * another node indexes.
   */
  public Optional<Indexed> walk() {
    try (Connection connection = database.finding().getConnection()) {
      Optional<Walk> walk = lock(connection);
      if (walk.isEmpty()) {
        return Optional.empty();
      }
      List<IndexRow> rows = walk.get().isOver() ? List.of() : next(connection, walk.get());
      insert(connection, rows);
      try (PreparedStatement statement = connection.prepareStatement(WALKED)) {
        Walk to = rows.isEmpty() ? walk.get() : Walk.at(rows.getLast().serialNumber());
        statement.setInt(1, to.week());
        statement.setBytes(2, to.serial().octets());
        statement.setBoolean(3, rows.size() < WALKED_MAX);
        int _ = statement.executeUpdate();
      }
      connection.commit();
      return Optional.of(Indexed.of(rows, rows.size() == WALKED_MAX));
    } catch (SQLException e) {
      throw new LedgerUnavailable("certificates cannot be indexed", e);
    }
  }

  /**
   * Drops what expired before this week from the index, never from the ledger; returns how many
   * partitions that were. Waits a second for each at most, for searches to end.
   */
  public int dropBefore(ExpiryWeek week) {
    int dropped = 0;
    try (Connection connection = database.finding().getConnection();
        PreparedStatement partition = connection.prepareStatement(DROP_WEEK);
        PreparedStatement tally = connection.prepareStatement(DROP_TALLY)) {
      // Names first: no search finds a name without its certificate.
      for (String table : List.of("certificate_name", "certificate_index")) {
        partition.setString(1, table);
        partition.setInt(2, week.number());
        while (wasDropped(partition)) {
          connection.commit();
          dropped++;
        }
        connection.commit();
      }
      tally.setInt(1, week.number());
      int _ = tally.executeUpdate();
      connection.commit();
      return dropped;
    } catch (SQLException e) {
      throw new LedgerUnavailable("old weeks cannot be dropped from the index", e);
    }
  }

  private static boolean wasDropped(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      return row.next() && row.getBoolean(1);
    }
  }

  /** Where the walk is: what comes next is below. */
  private record Walk(int week, OctetString serial, boolean isOver) {

    static Walk at(SerialNumber serialNumber) {
      return new Walk(
          serialNumber.expiryWeek().number(), OctetString.copyOf(serialNumber.octets()), false);
    }
  }

  private static Optional<Walk> lock(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(LOCK);
        ResultSet row = statement.executeQuery()) {
      return row.next()
          ? Optional.of(
              new Walk(
                  row.getInt("filled_week"),
                  OctetString.copyOf(row.getBytes("filled_serial")),
                  row.getBoolean("is_filled")))
          : Optional.empty();
    }
  }

  private static List<IndexRow> next(Connection connection, Walk walk) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(WALK)) {
      statement.setInt(1, walk.week());
      statement.setInt(2, walk.week());
      statement.setBytes(3, walk.serial().octets());
      return rows(statement);
    }
  }

  private static List<IndexRow> read(Connection connection, List<SerialNumber> serialNumbers)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(READ)) {
      statement.setArray(
          1,
          connection.createArrayOf(
              "int4", serialNumbers.stream().map(s -> s.expiryWeek().number()).toArray()));
      statement.setArray(
          2,
          connection.createArrayOf(
              "bytea", serialNumbers.stream().map(SerialNumber::octets).toArray(byte[][]::new)));
      return rows(statement);
    }
  }

  private static List<IndexRow> rows(PreparedStatement statement) throws SQLException {
    List<IndexRow> rows = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        rows.add(IndexRow.read(row));
      }
    }
    return rows;
  }

  private static void insert(Connection connection, List<IndexRow> rows) throws SQLException {
    if (rows.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
      IndexRow.bind(statement, rows);
      int _ = statement.executeUpdate();
    }
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
