package org.sluiceca.api.certificate.index.store;

import java.sql.ResultSet;
import java.sql.SQLException;
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
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.core.x509.SerialNumber;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.SqlArrayValue;

/**
 * What one transaction takes of the feed, the longest waiting first.
 *
 * @param ids of its rows
 * @param dated the certificates whose time of issue stands there
 * @param undated the others: of a statement with several times, or of before that column
 * @param isFull whether it was as much as one transaction takes, so that more may be waiting
 */
record Feed(
    List<Long> ids, Map<SerialNumber, Instant> dated, Set<SerialNumber> undated, boolean isFull) {

  /** Certificates of one transaction: some 8 MB while they are read. */
  private static final int CERTIFICATES_MAX = 1_024;

  /** Rows of the feed that are read for it: of 256 certificates at most, and of one at least. */
  private static final int ROWS_MAX = 256;

  private static final String READ =
      "SELECT f.id, f.serials, f.issued_at FROM certificate_feed f ORDER BY f.id LIMIT " + ROWS_MAX;

  private static final String DROP = "DELETE FROM certificate_feed WHERE id = ANY (?)";

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

  private static final Logger LOG = LoggerFactory.getLogger(Feed.class);

  /** Reads what the next transaction takes. */
  static Feed read(JdbcClient jdbc) {
    return jdbc.sql(READ).query(Feed::of);
  }

  private static Feed of(ResultSet row) throws SQLException {
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
      isFull = dated.size() + undated.size() >= CERTIFICATES_MAX || ids.size() == ROWS_MAX;
    }
    return new Feed(ids, dated, undated, isFull);
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

  /** Returns its certificates as the ledger has them. */
  List<IndexRow> certificates(JdbcClient jdbc) {
    Map<SerialNumber, Instant> issued = new HashMap<>(dated);
    look(jdbc, READ_OUTCOMES, undated, IndexRow::date)
        .forEach(date -> issued.put(date.getKey(), date.getValue()));
    List<IndexRow> rows =
        look(
            jdbc,
            READ_INTENTS,
            issued.keySet(),
            (row, number) -> IndexRow.of(row, s -> Objects.requireNonNull(issued.get(s))));
    Set<SerialNumber> all = new HashSet<>(dated.keySet());
    all.addAll(undated);
    if (rows.size() != all.size()) {
      LOG.error("{} certificates of the feed, {} in the ledger", all.size(), rows.size());
    }
    return rows;
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

  /** Removes it from the feed: its certificates are in the index. */
  void drop(JdbcClient jdbc) {
    int _ =
        jdbc.sql(DROP)
            .param(new SqlArrayValue("int8", (Object[]) ids.toArray(Long[]::new)))
            .update();
  }
}
