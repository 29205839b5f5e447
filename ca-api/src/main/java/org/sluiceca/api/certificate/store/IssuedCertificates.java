package org.sluiceca.api.certificate.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sluiceca.api.platform.store.ArrayParameter;
import org.sluiceca.api.platform.store.LedgerColumns;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.SerialNumber;

/**
 * Looks many certificates up at once, for callers that compare the ledger with something.
 * Thread-safe.
 */
public final class IssuedCertificates {

  private static final String FIND =
      "SELECT "
          + LedgerColumns.INTENT
          + ", "
          + LedgerColumns.OUTCOME
          + """

          FROM unnest(?, ?) AS n (expiry_week, serial)
          JOIN intent i ON i.expiry_week = n.expiry_week AND i.serial = n.serial
          JOIN outcome o ON o.expiry_week = n.expiry_week AND o.serial = n.serial
          """;

  private static final List<ArrayParameter<SerialNumber>> COLUMNS =
      List.of(
          new ArrayParameter<>("int4", s -> s.expiryWeek().number()),
          new ArrayParameter<>("bytea", SerialNumber::octets));

  private final LedgerDatabase database;

  /** Looks into a database that was migrated. */
  public IssuedCertificates(LedgerDatabase database) {
    this.database = database;
  }

  /**
   * Returns those of these serial numbers under which a certificate was issued: a few hundred take
   * some milliseconds.
   *
   * @throws LedgerUnavailable if the database does not answer
   */
  public Map<SerialNumber, CertificateDer> find(List<SerialNumber> serialNumbers) {
    Map<SerialNumber, CertificateDer> found = new HashMap<>();
    try (Connection connection = database.general().getConnection();
        PreparedStatement statement = connection.prepareStatement(FIND)) {
      ArrayParameter.bind(statement, serialNumbers, COLUMNS);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          take(row, found);
        }
      }
      return found;
    } catch (SQLException e) {
      throw new LedgerUnavailable("the ledger cannot be read", e);
    }
  }

  private static void take(ResultSet row, Map<SerialNumber, CertificateDer> found)
      throws SQLException {
    try {
      LedgerEntry entry = LedgerColumns.entry(row);
      entry
          .certificate()
          .ifPresent(certificate -> found.put(entry.intent().serialNumber(), certificate));
    } catch (IllegalArgumentException e) {
      // A column that was changed into what it cannot be: then there is no certificate any more.
      found.remove(LedgerColumns.serialNumber(row));
    }
  }
}
