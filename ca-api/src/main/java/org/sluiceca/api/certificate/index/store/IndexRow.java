package org.sluiceca.api.certificate.index.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.TbsCertificateDer;
import org.sluiceca.core.x509.Validity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.SqlArrayValue;

/**
 * One certificate as the index has it.
 *
 * @param isReadable whether its TBSCertificate could be read; if not, it has no names here
 */
record IndexRow(
    SerialNumber serialNumber,
    String requester,
    String profile,
    String issuer,
    Instant issuedAt,
    Validity validity,
    IndexedNames names,
    boolean isReadable) {

  /** The columns of an intent {@code i} that {@link #of} reads. */
  static final String INTENT_COLUMNS = "i.serial, i.requester, i.profile, i.issuer, i.tbs";

  /** The columns of an intent {@code i} and its outcome {@code o} that {@link #read} reads. */
  static final String COLUMNS = INTENT_COLUMNS + ", o.recorded_at AS issued_at";

  /*
   * A week that retention has dropped from the index stays away; each week is asked for once. The
   * look for what is there already has a limit, so that it goes by the primary key, row by row,
   * whatever the planner thinks of the bounds; those leave out the partitions of other weeks.
   */
  private static final String INSERT =
      """
      WITH fresh AS (
        INSERT INTO certificate_index (expiry_week, serial, issued_at, requester, profile, issuer,
          not_before, not_after, subject, subject_names, sans)
        SELECT n.expiry_week, n.serial,
          timestamptz 'epoch' + n.issued_micros * interval '1 microsecond', n.requester, n.profile,
          n.issuer, to_timestamp(n.not_before), to_timestamp(n.not_after), n.subject,
          string_to_array(n.subject_names, chr(31)), string_to_array(n.sans, chr(31))
        FROM (
          SELECT unnest(?) AS expiry_week, unnest(?) AS serial, unnest(?) AS issued_micros,
            unnest(?) AS requester, unnest(?) AS profile, unnest(?) AS issuer,
            unnest(?) AS not_before, unnest(?) AS not_after, unnest(?) AS subject,
            unnest(?) AS subject_names, unnest(?) AS sans) n
        WHERE n.expiry_week = ANY (ARRAY(
            SELECT w.week FROM unnest(?) AS w (week)
            WHERE to_regclass('certificate_index_w' || w.week) IS NOT NULL
              AND to_regclass('certificate_name_w' || w.week) IS NOT NULL))
          AND (SELECT true FROM certificate_index c
            WHERE c.expiry_week BETWEEN ? AND ?
              AND c.expiry_week = n.expiry_week AND c.serial = n.serial
            LIMIT 1) IS NULL
        %1$s
        RETURNING expiry_week, serial, requester, profile, not_before, not_after, subject_names,
          sans),
      named AS (
        INSERT INTO certificate_name (kind, name, requester, expiry_week, serial)
        SELECT 1, s.name, f.requester, f.expiry_week, f.serial
        FROM fresh f, unnest(f.subject_names) AS s (name)
        UNION ALL
        SELECT 2, s.name, f.requester, f.expiry_week, f.serial
        FROM fresh f, unnest(f.sans) AS s (name)
        %1$s),
      lived AS (
        INSERT INTO certificate_life (expires_on, expiry_week, profile, life_class,
          shortest_seconds, longest_seconds, certificates)
        SELECT d.expires_on, d.expiry_week, d.profile,
          length(ltrim(d.seconds::bit(64)::text, '0')), min(d.seconds), max(d.seconds), count(*)
        FROM (SELECT (f.not_after AT TIME ZONE 'UTC')::date AS expires_on, f.expiry_week,
            f.profile, greatest(1, extract(epoch FROM f.not_after - f.not_before))::bigint AS seconds
          FROM fresh f) d
        GROUP BY 1, 2, 3, 4
        ON CONFLICT (expires_on, profile, life_class) DO UPDATE SET
          certificates = certificate_life.certificates + excluded.certificates,
          shortest_seconds = least(certificate_life.shortest_seconds, excluded.shortest_seconds),
          longest_seconds = greatest(certificate_life.longest_seconds, excluded.longest_seconds))
      INSERT INTO certificate_tally (expires_on, expiry_week, profile, requester, certificates)
      SELECT (f.not_after AT TIME ZONE 'UTC')::date, f.expiry_week, f.profile, f.requester, count(*)
      FROM fresh f GROUP BY 1, 2, 3, 4
      ON CONFLICT (expires_on, profile, requester)
      DO UPDATE SET certificates = certificate_tally.certificates + excluded.certificates
      """;

  /** For rows that the one who indexes, alone at it, finds absent. */
  private static final String INSERT_NEW = String.format(Locale.ROOT, INSERT, "");

  private static final String INSERT_MISSING =
      String.format(Locale.ROOT, INSERT, "ON CONFLICT DO NOTHING");

  private static final long SECONDS_PER_WEEK = 7L * 24 * 60 * 60;

  private static final Logger LOG = LoggerFactory.getLogger(IndexRow.class);

  /** Returns the {@code serial} of a row and when it was issued, {@code issued_at}. */
  static Map.Entry<SerialNumber, Instant> date(ResultSet row, int number) throws SQLException {
    return Map.entry(
        SerialNumber.of(row.getBytes("serial")),
        row.getObject("issued_at", OffsetDateTime.class).toInstant());
  }

  /** As {@link #of}, with the time of issue in {@code issued_at}. */
  static IndexRow read(ResultSet row, int number) throws SQLException {
    Instant issuedAt = date(row, number).getValue();
    return of(row, serialNumber -> issuedAt);
  }

  /** Never fails for what a certificate says: it must not keep the others from the index. */
  static IndexRow of(ResultSet row, Function<SerialNumber, Instant> issuedAt) throws SQLException {
    SerialNumber serialNumber = SerialNumber.of(row.getBytes("serial"));
    TbsCertificateDer tbs = TbsCertificateDer.of(row.getBytes("tbs"));
    IndexedNames names = IndexedNames.UNKNOWN;
    Validity validity =
        new Validity(
            Instant.EPOCH,
            Instant.ofEpochSecond((serialNumber.expiryWeek().number() + 1) * SECONDS_PER_WEEK - 1));
    boolean isReadable = true;
    try {
      validity = CertificateReader.validity(tbs);
      names = IndexedNames.of(tbs);
    } catch (DerException | IllegalArgumentException e) {
      isReadable = false;
      LOG.error("certificate {} cannot be read: it is not found by its names", serialNumber, e);
    }
    return new IndexRow(
        serialNumber,
        row.getString("requester"),
        row.getString("profile"),
        row.getString("issuer"),
        issuedAt.apply(serialNumber),
        validity,
        names,
        isReadable);
  }

  /** What an insert makes of a row that is there already under the same key. */
  enum Present {
    /**
     * It fails, which costs the database least. By itself it leaves out certificates that are in
     * the index: so this is for a name without its certificate, or a certificate given twice.
     */
    FAIL,
    /** It leaves it out. */
    SKIP
  }

  /**
   * Puts certificates into the index, with their names and counts, unless they are there. The
   * caller holds the lock of who indexes.
   */
  static void insert(JdbcClient jdbc, List<IndexRow> rows, Present present) {
    if (rows.isEmpty()) {
      return;
    }
    Integer[] weeks = rows.stream().map(IndexRow::week).distinct().sorted().toArray(Integer[]::new);
    byte[][] serials = rows.stream().map(r -> r.serialNumber().octets()).toArray(byte[][]::new);
    int _ =
        jdbc.sql(present == Present.FAIL ? INSERT_NEW : INSERT_MISSING)
            .param(new SqlArrayValue("int4", (Object[]) each(rows, IndexRow::week, Integer[]::new)))
            .param(new SqlArrayValue("bytea", (Object[]) serials))
            .param(numbers(rows, IndexRow::issuedMicros))
            .param(texts(rows, IndexRow::requester))
            .param(texts(rows, IndexRow::profile))
            .param(texts(rows, IndexRow::issuer))
            .param(numbers(rows, r -> r.validity().notBefore().getEpochSecond()))
            .param(numbers(rows, r -> r.validity().notAfter().getEpochSecond()))
            .param(texts(rows, r -> r.names().subject()))
            .param(texts(rows, r -> joined(r.names().subjectNames())))
            .param(texts(rows, r -> joined(r.names().sans())))
            .param(new SqlArrayValue("int4", (Object[]) weeks))
            .params(weeks[0], weeks[weeks.length - 1])
            .update();
  }

  private int week() {
    return serialNumber.expiryWeek().number();
  }

  private long issuedMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, issuedAt);
  }

  private static SqlArrayValue numbers(List<IndexRow> rows, Function<IndexRow, Long> value) {
    return new SqlArrayValue("int8", (Object[]) each(rows, value, Long[]::new));
  }

  private static SqlArrayValue texts(List<IndexRow> rows, Function<IndexRow, String> value) {
    return new SqlArrayValue("text", (Object[]) each(rows, value, String[]::new));
  }

  /** In an array of the element's own class, which the driver sends in binary form. */
  private static <T> T[] each(
      List<IndexRow> rows, Function<IndexRow, T> value, IntFunction<T[]> array) {
    return rows.stream().map(value).toArray(array);
  }

  private static String joined(List<String> names) {
    return String.join(IndexedNames.SEPARATOR, names);
  }
}
