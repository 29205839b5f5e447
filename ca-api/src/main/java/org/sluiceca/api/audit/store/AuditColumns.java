package org.sluiceca.api.audit.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.x509.OctetString;

/** Reads rows from the columns in which they are kept. */
final class AuditColumns {

  /** All columns of a row. */
  static final String ROW = "chain, sequence, recorded_at, kind, actor, content, previous, hash";

  private AuditColumns() {}

  static AuditRow row(ResultSet row) throws SQLException {
    return new AuditRow(
        row.getString("chain"),
        row.getLong("sequence"),
        row.getObject("recorded_at", OffsetDateTime.class).toInstant(),
        row.getString("kind"),
        row.getString("actor"),
        row.getString("content"),
        OctetString.copyOf(row.getBytes("previous")),
        OctetString.copyOf(row.getBytes("hash")));
  }
}
