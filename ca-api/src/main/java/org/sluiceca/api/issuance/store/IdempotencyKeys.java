package org.sluiceca.api.issuance.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.api.issuance.store.commit.IntentRow;
import org.sluiceca.api.issuance.store.commit.SerialNumberTaken;
import org.sluiceca.api.platform.store.ArrayParameter;
import org.sluiceca.api.platform.store.LedgerColumns;
import org.sluiceca.api.platform.store.SqlFailure;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.LedgerStore.IntentAnswer;
import org.sluiceca.core.request.IdempotencyKey;
import org.sluiceca.core.x509.SerialNumber;

/**
 * The part of a transaction that gives intents their idempotency keys, each of which stands for one
 * intent of a requester at a time.
 */
final class IdempotencyKeys {

  // Rows of concurrent transactions are locked in one order, so that none waits in a circle.
  private static final Comparator<IntentRow> ORDER =
      Comparator.comparing((IntentRow r) -> r.intent().origin().requester().value())
          .thenComparing(r -> r.intent().idempotencyKey().map(IdempotencyKey::value).orElseThrow());

  private static final List<ArrayParameter<IntentRow>> COLUMNS =
      List.of(
          IntentStatement.REQUESTER,
          IntentStatement.KEY,
          IntentStatement.WEEK,
          IntentStatement.SERIAL);

  private static final IntentStatement INSERT =
      new IntentStatement(
          """
          INSERT INTO idempotency (requester, key, expiry_week, serial)
          SELECT n.requester, n.key, n.expiry_week, n.serial
          FROM unnest(?, ?, ?, ?) AS n (requester, key, expiry_week, serial)
          ON CONFLICT (requester, key) DO NOTHING
          RETURNING serial
          """,
          COLUMNS);

  // Of several transactions that want one freed key, the later ones wait for the row and then see
  // that it stands for an intent without an outcome.
  private static final IntentStatement PASS_FREED =
      new IntentStatement(
          """
          UPDATE idempotency AS k
          SET expiry_week = n.expiry_week, serial = n.serial, recorded_at = now()
          FROM unnest(?, ?, ?, ?) AS n (requester, key, expiry_week, serial)
          WHERE k.requester = n.requester AND k.key = n.key AND k.serial <> n.serial
            AND 'abandoned' = (SELECT o.kind FROM outcome o
                               WHERE o.expiry_week = k.expiry_week AND o.serial = k.serial)
          RETURNING k.serial
          """,
          COLUMNS);

  private static final String FIND_HOLDERS =
      "SELECT n.serial AS asking_serial, "
          + LedgerColumns.INTENT
          + ", "
          + LedgerColumns.OUTCOME
          + """

          FROM unnest(?, ?, ?, ?) AS n (requester, key, expiry_week, serial)
          JOIN idempotency k ON k.requester = n.requester AND k.key = n.key
          JOIN intent i ON i.expiry_week = k.expiry_week AND i.serial = k.serial
          LEFT JOIN outcome o ON o.expiry_week = k.expiry_week AND o.serial = k.serial
          """;

  private final Connection connection;

  IdempotencyKeys(Connection connection) {
    this.connection = connection;
  }

  /**
   * Gives each intent that names a key that key, if it is free: if it stands for none, or for one
   * that was abandoned. Returns those whose key stands for another intent.
   */
  List<IntentRow> take(List<IntentRow> rows) throws SQLException {
    List<IntentRow> keyed =
        rows.stream().filter(r -> r.intent().idempotencyKey().isPresent()).sorted(ORDER).toList();
    return PASS_FREED.unwritten(connection, INSERT.unwritten(connection, keyed));
  }

  /** Returns the answers to intents whose key {@link #take} did not give them, by its holders. */
  Map<IntentRow, Optional<IntentAnswer>> holders(List<IntentRow> asking)
      throws SQLException, SerialNumberTaken {
    Map<IntentRow, Optional<IntentAnswer>> answers = new HashMap<>();
    if (asking.isEmpty()) {
      return answers;
    }
    Map<SerialNumber, IntentRow> bySerial = new HashMap<>();
    asking.forEach(r -> bySerial.put(r.serialNumber(), r));
    try (PreparedStatement statement = connection.prepareStatement(FIND_HOLDERS)) {
      ArrayParameter.bind(statement, asking, COLUMNS);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          LedgerEntry holder = LedgerColumns.entry(result);
          IntentRow row = bySerial.remove(SerialNumber.of(result.getBytes("asking_serial")));
          if (row != null) {
            answers.put(row, Optional.of(answer(row, holder)));
          }
        }
      }
    }
    if (!bySerial.isEmpty()) {
      // Upkeep may have dropped a key between the two statements: as if it had been first.
      throw new SQLException(
          "an idempotency key stands for an intent that is not there", SqlFailure.SERIALIZATION);
    }
    return answers;
  }

  private static IntentAnswer answer(IntentRow row, LedgerEntry holder) throws SerialNumberTaken {
    if (!holder.intent().serialNumber().equals(row.serialNumber())) {
      return new IntentAnswer.KeyInUse(holder);
    }
    // The holder is this row, recorded by an attempt whose end was lost.
    if (!holder.intent().equals(row.intent())) {
      throw new SerialNumberTaken(row);
    }
    return new IntentAnswer.Recorded();
  }
}
