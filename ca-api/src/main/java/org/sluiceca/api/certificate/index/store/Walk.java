package org.sluiceca.api.certificate.index.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Where the walk over the certificates of before the index is, by the ledger's primary key from the
 * latest expiry down: what comes next is below.
 */
record Walk(int week, OctetString serial, boolean isOver) {

  /** Certificates of one step. */
  static final int STEP_MAX = 500;

  /** The columns of the index's state that {@link #read} reads. */
  static final String COLUMNS = "s.filled_week, s.filled_serial, s.is_filled";

  private static final String NEXT =
      "SELECT "
          + IndexRow.COLUMNS
          + """

          FROM outcome o
          JOIN intent i ON i.expiry_week = o.expiry_week AND i.serial = o.serial
          WHERE o.kind = 'issued' AND get_byte(o.serial, 0) = 1
            AND o.expiry_week <= ? AND (o.expiry_week, o.serial) < (?, ?)
          ORDER BY o.expiry_week DESC, o.serial DESC LIMIT\s"""
          + STEP_MAX;

  private static final String RECORD =
      "UPDATE certificate_index_state SET filled_week = ?, filled_serial = ?, is_filled = ?";

  static Walk read(ResultSet row, int number) throws SQLException {
    return new Walk(
        row.getInt("filled_week"),
        OctetString.copyOf(row.getBytes("filled_serial")),
        row.getBoolean("is_filled"));
  }

  /** Returns the certificates of the next step; none if it is over. */
  List<IndexRow> next(JdbcClient jdbc) {
    return isOver
        ? List.of()
        : jdbc.sql(NEXT).params(week, week, serial.octets()).query(IndexRow::read).list();
  }

  /** Records that it is behind these certificates, those of a step. */
  void pass(JdbcClient jdbc, List<IndexRow> rows) {
    Walk to = rows.isEmpty() ? this : at(rows.getLast().serialNumber());
    int _ = jdbc.sql(RECORD).params(to.week, to.serial.octets(), rows.size() < STEP_MAX).update();
  }

  private static Walk at(SerialNumber serialNumber) {
    return new Walk(
        serialNumber.expiryWeek().number(), OctetString.copyOf(serialNumber.octets()), false);
  }
}
