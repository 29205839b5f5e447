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
import org.sluiceca.api.issuance.store.commit.OutcomeRow;
import org.sluiceca.api.platform.store.ArrayParameter;
import org.sluiceca.api.platform.store.LedgerColumns;
import org.sluiceca.core.intent.LedgerStore.OutcomeAnswer;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.x509.SerialNumber;

/** The part of a transaction that records outcomes. May be repeated, as {@link IntentInsert}. */
final class OutcomeInsert {

  private static final List<ArrayParameter<OutcomeRow>> ROW =
      List.of(
          new ArrayParameter<>("int4", r -> r.serialNumber().expiryWeek().number()),
          new ArrayParameter<>("bytea", r -> r.serialNumber().octets()));

  private static final List<ArrayParameter<OutcomeRow>> COLUMNS =
      List.of(
          ROW.get(0),
          ROW.get(1),
          new ArrayParameter<>("text", r -> LedgerColumns.kind(r.outcome())),
          new ArrayParameter<>("bytea", r -> LedgerColumns.signature(r.outcome())),
          new ArrayParameter<>("text", r -> LedgerColumns.reason(r.outcome())),
          new ArrayParameter<>("bool", r -> LedgerColumns.maybeSigned(r.outcome())),
          new ArrayParameter<>("text", r -> r.claim().owner().value()),
          new ArrayParameter<>("int4", r -> r.claim().epoch()));

  // The bounds have the same reason as those of CertificateIndex.READ.
  // The claim must be the newest. A take-over that commits at the same moment is not seen; its
  // taker then finds this outcome, which came first and stands.
  private static final String INSERT =
      """
      INSERT INTO outcome (expiry_week, serial, kind, signature, reason, maybe_signed, owner, epoch)
      SELECT n.expiry_week, n.serial, n.kind, n.signature, n.reason, n.maybe_signed, n.owner, n.epoch
      FROM (
        SELECT unnest(?) AS expiry_week, unnest(?) AS serial, unnest(?) AS kind,
          unnest(?) AS signature, unnest(?) AS reason, unnest(?) AS maybe_signed,
          unnest(?) AS owner, unnest(?) AS epoch) n
      WHERE n.owner = CASE
          WHEN n.epoch = 0 THEN (SELECT i.claim_owner FROM intent i
            WHERE i.expiry_week BETWEEN ? AND ?
              AND i.expiry_week = n.expiry_week AND i.serial = n.serial)
          ELSE (SELECT c.owner FROM claim c
            WHERE c.expiry_week = n.expiry_week AND c.serial = n.serial AND c.epoch = n.epoch)
        END
        AND NOT EXISTS (SELECT FROM claim c
          WHERE c.expiry_week = n.expiry_week AND c.serial = n.serial AND c.epoch > n.epoch)
      ON CONFLICT (expiry_week, serial) DO NOTHING
      RETURNING serial
      """;

  private static final String FIND =
      "SELECT n.serial, i.serial IS NOT NULL AS is_known, "
          + LedgerColumns.OUTCOME
          + """

          FROM unnest(?, ?) AS n (expiry_week, serial)
          LEFT JOIN intent i ON i.expiry_week = n.expiry_week AND i.serial = n.serial
          LEFT JOIN outcome o ON o.expiry_week = n.expiry_week AND o.serial = n.serial
          """;

  // Recovery takes over what stands there and is not locked. The statement that checks for newer
  // claims comes after this one, so it sees every claim that was made before, and none comes after.
  private static final String HOLD_FROM_RECOVERY =
      """
      SELECT FROM unresolved_intent u
      JOIN unnest(?, ?) AS n (expiry_week, serial)
        ON u.expiry_week = n.expiry_week AND u.serial = n.serial
      ORDER BY u.serial
      FOR UPDATE OF u
      """;

  private final Connection connection;

  OutcomeInsert(Connection connection) {
    this.connection = connection;
  }

  /**
   * Executes the insert and returns the answers, which hold once the transaction commits.
   *
   * @param rows of different serial numbers
   */
  Map<OutcomeRow, Optional<OutcomeAnswer>> execute(List<OutcomeRow> rows) throws SQLException {
    Map<OutcomeRow, Optional<OutcomeAnswer>> answers = new HashMap<>();
    if (rows.isEmpty()) {
      return answers;
    }
    List<OutcomeRow> ordered =
        rows.stream().sorted(Comparator.comparing(r -> r.serialNumber().hex())).toList();
    Map<SerialNumber, OutcomeRow> left = new HashMap<>();
    ordered.forEach(r -> left.put(r.serialNumber(), r));
    holdFromRecovery(ordered.stream().filter(OutcomeInsert::isNeverSigned).toList());
    try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
      ArrayParameter.bind(statement, ordered, COLUMNS);
      // Serial numbers begin with their week.
      statement.setInt(COLUMNS.size() + 1, week(ordered.getFirst()));
      statement.setInt(COLUMNS.size() + 2, week(ordered.getLast()));
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          OutcomeRow row = left.remove(LedgerColumns.serialNumber(result));
          if (row != null) {
            answers.put(row, Optional.of(new OutcomeAnswer.Recorded()));
          }
        }
      }
    }
    if (!left.isEmpty()) {
      answers.putAll(explain(left));
    }
    return answers;
  }

  /**
   * Keeps other nodes from taking these intents over while this commits, which a stalled disk may
   * make long: an intent recorded as never signed must not be signed by a node that takes it over.
   */
  private void holdFromRecovery(List<OutcomeRow> rows) throws SQLException {
    if (rows.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(HOLD_FROM_RECOVERY)) {
      ArrayParameter.bind(statement, rows, ROW);
      statement.execute();
    }
  }

  private static int week(OutcomeRow row) {
    return row.serialNumber().expiryWeek().number();
  }

  private static boolean isNeverSigned(OutcomeRow row) {
    return row.outcome() instanceof Outcome.Abandoned abandoned && !abandoned.maybeSigned();
  }

  /** Says of each row that was not inserted what stands instead. */
  private Map<OutcomeRow, Optional<OutcomeAnswer>> explain(Map<SerialNumber, OutcomeRow> left)
      throws SQLException {
    Map<OutcomeRow, Optional<OutcomeAnswer>> answers = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(FIND)) {
      ArrayParameter.bind(statement, List.copyOf(left.values()), ROW);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          OutcomeRow row = left.get(LedgerColumns.serialNumber(result));
          if (row != null) {
            answers.put(row, answer(row, result));
          }
        }
      }
    }
    return answers;
  }

  private static Optional<OutcomeAnswer> answer(OutcomeRow row, ResultSet result)
      throws SQLException {
    Optional<Outcome> stored = LedgerColumns.outcome(result);
    if (stored.isEmpty()) {
      return result.getBoolean("is_known")
          ? Optional.of(new OutcomeAnswer.ClaimLost())
          : Optional.empty();
    }
    // The same outcome under the same claim: left by an attempt whose end was lost.
    boolean isOwn =
        stored.get().equals(row.outcome())
            && result.getString("owner").equals(row.claim().owner().value())
            && result.getInt("epoch") == row.claim().epoch();
    return Optional.of(
        isOwn ? new OutcomeAnswer.Recorded() : new OutcomeAnswer.AlreadyDecided(stored.get()));
  }
}
