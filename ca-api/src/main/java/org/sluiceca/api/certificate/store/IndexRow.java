package org.sluiceca.api.certificate.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
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

  private static final long SECONDS_PER_WEEK = 7L * 24 * 60 * 60;

  private static final Logger LOG = LoggerFactory.getLogger(IndexRow.class);

  /** Never fails for what a certificate says: it must not keep the others from the index. */
  static IndexRow read(ResultSet row) throws SQLException {
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

  /** Binds {@code rows} as the eleven arrays of an {@code unnest}, from parameter 1. */
  static void bind(PreparedStatement statement, List<IndexRow> rows) throws SQLException {
    Connection connection = statement.getConnection();
    bind(statement, 1, "int4", rows, r -> r.serialNumber().expiryWeek().number());
    statement.setArray(
        2,
        connection.createArrayOf(
            "bytea", rows.stream().map(r -> r.serialNumber().octets()).toArray(byte[][]::new)));
    bind(statement, 3, "timestamptz", rows, r -> r.issuedAt().toString());
    bind(statement, 4, "text", rows, IndexRow::requester);
    bind(statement, 5, "text", rows, IndexRow::profile);
    bind(statement, 6, "text", rows, IndexRow::issuer);
    bind(statement, 7, "timestamptz", rows, r -> r.validity().notBefore().toString());
    bind(statement, 8, "timestamptz", rows, r -> r.validity().notAfter().toString());
    bind(statement, 9, "text", rows, r -> r.names().subject());
    bind(statement, 10, "text", rows, r -> joined(r.names().subjectNames()));
    bind(statement, 11, "text", rows, r -> joined(r.names().sans()));
  }

  private static void bind(
      PreparedStatement statement,
      int index,
      String type,
      List<IndexRow> rows,
      Function<IndexRow, Object> value)
      throws SQLException {
    statement.setArray(
        index, statement.getConnection().createArrayOf(type, rows.stream().map(value).toArray()));
  }

  private static String joined(List<String> names) {
    return String.join(IndexedNames.SEPARATOR, names);
  }
}
