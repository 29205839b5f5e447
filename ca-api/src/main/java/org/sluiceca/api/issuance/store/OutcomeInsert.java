package org.sluiceca.api.issuance.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
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

  // The bounds have the same reason as those of the index's Feed.
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
      """;

  private static final String INSERT_MISSING =
      INSERT + "ON CONFLICT (expiry_week, serial) DO NOTHING RETURNING serial";

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

  /** Returns the rows in the order in which transactions write them. */
  static List<OutcomeRow> ordered(List<OutcomeRow> rows) {
    return rows.stream().sorted(Comparator.comparing(r -> r.serialNumber().hex())).toList();
  }

  /** Returns the statement that inserts outcomes, and fails if one is there already. */
  static String insertNew() {
    return INSERT;
  }

  /**
   * Binds the parameters of {@link #insertNew}, the first of which is {@code first}.
   *
   * @param rows as {@link #ordered} returns them
   */
  static void bind(PreparedStatement statement, int first, List<OutcomeRow> rows)
      throws SQLException {
    int next = ArrayParameter.bind(statement, first, rows, COLUMNS);
    // Serial numbers begin with their week.
    statement.setInt(next, rows.isEmpty() ? 0 : week(rows.getFirst()));
    statement.setInt(next + 1, rows.isEmpty() ? 0 : week(rows.getLast()));
  }

  /**
   * Executes the insert and returns the answers, which hold once the transaction commits.
   *
   * @param rows of different serial numbers
   */
  Map<OutcomeRow, Optional<OutcomeAnswer>> execute(List<OutcomeRow> rows) throws SQLException {
    if (rows.isEmpty()) {
      return new HashMap<>();
    }
    List<OutcomeRow> ordered = ordered(rows);
    Map<SerialNumber, OutcomeRow> left = new HashMap<>();
    ordered.forEach(r -> left.put(r.serialNumber(), r));
    holdFromRecovery(ordered);
    List<OutcomeRow> written = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(INSERT_MISSING)) {
      bind(statement, 1, ordered);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          OutcomeRow row = left.remove(LedgerColumns.serialNumber(result));
          if (row != null) {
            written.add(row);
          }
        }
      }
    }
    Map<OutcomeRow, Optional<OutcomeAnswer>> answers = recorded(written);
    answers.putAll(explain(left.values()));
    return answers;
  }

  /** Returns the answers to rows that were inserted. */
  static Map<OutcomeRow, Optional<OutcomeAnswer>> recorded(List<OutcomeRow> rows) {
    Map<OutcomeRow, Optional<OutcomeAnswer>> answers = new HashMap<>();
    rows.forEach(r -> answers.put(r, Optional.of(new OutcomeAnswer.Recorded())));
    return answers;
  }

  /**
   * Keeps other nodes from taking these intents over while this commits, which a stalled disk may
   * make long: an intent recorded as never signed must not be signed by a node that takes it over.
   */
  void holdFromRecovery(List<OutcomeRow> all) throws SQLException {
    List<OutcomeRow> rows = all.stream().filter(OutcomeInsert::isNeverSigned).toList();
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

  /** Whether the row must be held from recovery before it is inserted. */
  static boolean isNeverSigned(OutcomeRow row) {
    return row.outcome() instanceof Outcome.Abandoned abandoned && !abandoned.maybeSigned();
  }

  /** Returns the answers to rows of which some were not inserted, by what stands there. */
  Map<OutcomeRow, Optional<OutcomeAnswer>> explain(Collection<OutcomeRow> rows)
      throws SQLException {
    Map<OutcomeRow, Optional<OutcomeAnswer>> answers = new HashMap<>();
    if (rows.isEmpty()) {
      return answers;
    }
    Map<SerialNumber, OutcomeRow> bySerial = new HashMap<>();
    rows.forEach(r -> bySerial.put(r.serialNumber(), r));
    try (PreparedStatement statement = connection.prepareStatement(FIND)) {
      ArrayParameter.bind(statement, List.copyOf(rows), ROW);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          OutcomeRow row = bySerial.get(LedgerColumns.serialNumber(result));
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
