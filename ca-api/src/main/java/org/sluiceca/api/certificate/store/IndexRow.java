package org.sluiceca.api.certificate.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.function.Function;
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

  /** The columns of an intent {@code i} and its outcome {@code o} that {@link #read} reads. */
  static final String COLUMNS =
      "i.serial, i.requester, i.profile, i.issuer, i.tbs, o.recorded_at AS issued_at";

  // A week that retention has dropped from the index stays away.
  private static final String INSERT =
      """
      WITH fresh AS (
        INSERT INTO certificate_index (expiry_week, serial, issued_at, requester, profile, issuer,
          not_before, not_after, subject, subject_names, sans)
        SELECT n.expiry_week, n.serial, n.issued_at, n.requester, n.profile, n.issuer, n.not_before,
          n.not_after, n.subject, string_to_array(n.subject_names, chr(31)),
          string_to_array(n.sans, chr(31))
        FROM (
          SELECT unnest(?) AS expiry_week, unnest(?) AS serial, unnest(?) AS issued_at,
            unnest(?) AS requester, unnest(?) AS profile, unnest(?) AS issuer,
            unnest(?) AS not_before, unnest(?) AS not_after, unnest(?) AS subject,
            unnest(?) AS subject_names, unnest(?) AS sans) n
        WHERE to_regclass('certificate_index_w' || n.expiry_week) IS NOT NULL
          AND to_regclass('certificate_name_w' || n.expiry_week) IS NOT NULL
        ON CONFLICT (expiry_week, serial) DO NOTHING
        RETURNING expiry_week, serial, requester, profile, not_before, not_after, subject_names,
          sans),
      named AS (
        INSERT INTO certificate_name (kind, name, requester, expiry_week, serial)
        SELECT 1, s.name, f.requester, f.expiry_week, f.serial
        FROM fresh f, unnest(f.subject_names) AS s (name)
        UNION ALL
        SELECT 2, s.name, f.requester, f.expiry_week, f.serial
        FROM fresh f, unnest(f.sans) AS s (name)
        ON CONFLICT DO NOTHING),
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

  private static final long SECONDS_PER_WEEK = 7L * 24 * 60 * 60;

  private static final Logger LOG = LoggerFactory.getLogger(IndexRow.class);

  /** Never fails for what a certificate says: it must not keep the others from the index. */
  static IndexRow read(ResultSet row, int number) throws SQLException {
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
        row.getObject("issued_at", OffsetDateTime.class).toInstant(),
        validity,
        names,
        isReadable);
  }

  /** Puts certificates into the index, with their names and counts, unless they are there. */
  static void insert(JdbcClient jdbc, List<IndexRow> rows) {
    if (rows.isEmpty()) {
      return;
    }
    Object[] serials = rows.stream().map(r -> r.serialNumber().octets()).toArray(byte[][]::new);
    int _ =
        jdbc.sql(INSERT)
            .param(column("int4", rows, r -> r.serialNumber().expiryWeek().number()))
            .param(new SqlArrayValue("bytea", serials))
            .param(column("timestamptz", rows, r -> r.issuedAt().toString()))
            .param(column("text", rows, IndexRow::requester))
            .param(column("text", rows, IndexRow::profile))
            .param(column("text", rows, IndexRow::issuer))
            .param(column("timestamptz", rows, r -> r.validity().notBefore().toString()))
            .param(column("timestamptz", rows, r -> r.validity().notAfter().toString()))
            .param(column("text", rows, r -> r.names().subject()))
            .param(column("text", rows, r -> joined(r.names().subjectNames())))
            .param(column("text", rows, r -> joined(r.names().sans())))
            .update();
  }

  private static SqlArrayValue column(
      String type, List<IndexRow> rows, Function<IndexRow, Object> value) {
    return new SqlArrayValue(type, rows.stream().map(value).toArray());
  }

  private static String joined(List<String> names) {
    return String.join(IndexedNames.SEPARATOR, names);
  }
}
