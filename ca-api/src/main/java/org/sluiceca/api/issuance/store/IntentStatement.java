package org.sluiceca.api.issuance.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.issuance.store.commit.IntentRow;
import org.sluiceca.api.platform.store.ArrayParameter;
import org.sluiceca.api.platform.store.LedgerColumns;
import org.sluiceca.core.request.IdempotencyKey;
import org.sluiceca.core.x509.SerialNumber;

/**
 * A statement that writes something of many intents and returns the serial numbers of those of
 * which it did.
 *
 * @param columns of its parameters, an array each
 */
record IntentStatement(String sql, List<ArrayParameter<IntentRow>> columns) {

  static final ArrayParameter<IntentRow> WEEK =
      new ArrayParameter<>("int4", r -> r.serialNumber().expiryWeek().number());
  static final ArrayParameter<IntentRow> SERIAL =
      new ArrayParameter<>("bytea", r -> r.serialNumber().octets());
  static final ArrayParameter<IntentRow> REQUESTER =
      new ArrayParameter<>("text", r -> r.intent().origin().requester().value());

  static final ArrayParameter<IntentRow> KEY =
      new ArrayParameter<>("text", IntentStatement::keyOrNull);

  /** Executes it for {@code rows}, and returns those of which it wrote nothing, in their order. */
  List<IntentRow> unwritten(Connection connection, List<IntentRow> rows) throws SQLException {
    List<IntentRow> left = new ArrayList<>(rows);
    if (rows.isEmpty()) {
      return left;
    }
    Set<SerialNumber> written = new HashSet<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      ArrayParameter.bind(statement, rows, columns);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          written.add(LedgerColumns.serialNumber(result));
        }
      }
    }
    left.removeIf(r -> written.contains(r.serialNumber()));
    return left;
  }

  private static @Nullable Object keyOrNull(IntentRow row) {
    return row.intent().idempotencyKey().map(IdempotencyKey::value).orElse(null);
  }
}
