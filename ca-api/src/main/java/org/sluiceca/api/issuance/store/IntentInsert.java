package org.sluiceca.api.issuance.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.issuance.backlog.store.BacklogInsert;
import org.sluiceca.api.issuance.store.commit.IntentRow;
import org.sluiceca.api.issuance.store.commit.SerialNumberTaken;
import org.sluiceca.api.platform.store.ArrayParameter;
import org.sluiceca.api.platform.store.LedgerColumns;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerStore.IntentAnswer;
import org.sluiceca.core.x509.SerialNumber;

/**
 * The part of a transaction that records intents: their keys first, then those that hold their key
 * or need none. May be repeated: a row that is there already, with the same content, counts as
 * recorded now.
 */
final class IntentInsert {

  private static final List<ArrayParameter<IntentRow>> ROW =
      List.of(IntentStatement.WEEK, IntentStatement.SERIAL);

  static final List<ArrayParameter<IntentRow>> INTENT_COLUMNS =
      List.of(
          IntentStatement.WEEK,
          IntentStatement.SERIAL,
          new ArrayParameter<>("text", r -> r.terms().owner().value()),
          new ArrayParameter<>("int8", r -> r.terms().lifetime().toMillis()),
          IntentStatement.REQUESTER,
          new ArrayParameter<>("text", r -> r.intent().origin().profile().value()),
          new ArrayParameter<>("text", r -> r.intent().origin().issuer().value()),
          new ArrayParameter<>("text", r -> r.intent().signatureAlgorithm().name()),
          IntentStatement.KEY,
          new ArrayParameter<>("bytea", r -> r.intent().payloadHash().octets()),
          new ArrayParameter<>("bytea", r -> r.intent().tbsCertificate().encoded()),
          new ArrayParameter<>("int4", IntentInsert::profileVersionOrNull));

  // Never before what the watermark may come to be, even if the database's clock was set back: see
  // RecoverySweep.
  static final String INSERT_FROM =
      """
      INSERT INTO intent (expiry_week, serial, recorded_at, claim_owner, claim_until, requester,
        profile, issuer, signature_algorithm, idempotency_key, payload_hash, tbs, profile_version)
      SELECT n.expiry_week, n.serial,
        greatest(now(), (SELECT greatest(w.announced, w.swept_before) FROM recovery_watermark w)),
        n.owner, now() + n.lifetime_millis * interval '1 millisecond', n.requester,
        n.profile, n.issuer, n.signature_algorithm, n.idempotency_key, n.payload_hash, n.tbs,
        n.profile_version
      FROM (
        SELECT unnest(?) AS expiry_week, unnest(?) AS serial, unnest(?) AS owner,
          unnest(?) AS lifetime_millis, unnest(?) AS requester, unnest(?) AS profile,
          unnest(?) AS issuer, unnest(?) AS signature_algorithm, unnest(?) AS idempotency_key,
          unnest(?) AS payload_hash, unnest(?) AS tbs, unnest(?) AS profile_version%s) n
      """;

  private static final String INSERT = String.format(Locale.ROOT, INSERT_FROM, "");

  private static final IntentStatement INSERT_MISSING =
      new IntentStatement(
          INSERT + "ON CONFLICT (expiry_week, serial) DO NOTHING RETURNING serial", INTENT_COLUMNS);

  private static final String FIND_INTENTS =
      "SELECT i.claim_owner, "
          + LedgerColumns.INTENT
          + """

          FROM unnest(?, ?) AS n (expiry_week, serial)
          JOIN intent i ON i.expiry_week = n.expiry_week AND i.serial = n.serial
          """;

  private final Connection connection;
  private final IdempotencyKeys keys;
  private final BacklogInsert backlog;

  IntentInsert(Connection connection) {
    this.connection = connection;
    this.keys = new IdempotencyKeys(connection);
    this.backlog = new BacklogInsert(connection);
  }

  /**
   * The rows of a batch that may be recorded, and those whose key stands for another intent.
   *
   * @param rows in the order in which transactions write them
   */
  record Admitted(List<IntentRow> rows, List<IntentRow> unheld) {

    /** Whether nothing is to be written or read for them after their insert. */
    boolean isComplete() {
      return unheld.isEmpty() && rows.stream().noneMatch(IntentRow::isOrder);
    }
  }

  /**
   * Returns the intents that have a key of their own now or need none, and no compromised one.
   * First of all: a row that is refused here must not take an idempotency key.
   */
  Admitted admit(List<IntentRow> asked) throws SQLException {
    Set<IntentRow> compromised = CompromisedKeyCheck.lockAndFind(connection, asked);
    List<IntentRow> rows = asked.stream().filter(r -> !compromised.contains(r)).toList();
    List<IntentRow> unheld = keys.take(rows);
    Set<IntentRow> refused = new HashSet<>(unheld);
    return new Admitted(ordered(rows.stream().filter(r -> !refused.contains(r)).toList()), unheld);
  }

  /** Inserts those that are not there yet, and compares the others with what is there. */
  void insertMissing(Admitted admitted) throws SQLException, SerialNumberTaken {
    List<IntentRow> present = INSERT_MISSING.unwritten(connection, admitted.rows());
    requireSame(present);
    // An order that was there already may have been taken since: it is not put back.
    Set<IntentRow> old = new HashSet<>(present);
    backlog.add(admitted.rows().stream().filter(r -> r.isOrder() && !old.contains(r)).toList());
  }

  /** Returns the rows in the order in which transactions write them. */
  static List<IntentRow> ordered(List<IntentRow> rows) {
    return rows.stream().sorted(Comparator.comparing(r -> r.serialNumber().hex())).toList();
  }

  /** Returns the answers to rows that were inserted. */
  static Map<IntentRow, Optional<IntentAnswer>> recorded(List<IntentRow> rows) {
    Map<IntentRow, Optional<IntentAnswer>> answers = new HashMap<>();
    rows.forEach(r -> answers.put(r, Optional.of(new IntentAnswer.Recorded())));
    return answers;
  }

  /** Returns the statement that inserts intents, and fails if one is there already. */
  static String insertNew() {
    return INSERT;
  }

  /** Binds the parameters of {@link #insertNew}, and returns the number of the next one. */
  static int bind(PreparedStatement statement, int first, Admitted admitted) throws SQLException {
    return ArrayParameter.bind(statement, first, admitted.rows(), INTENT_COLUMNS);
  }

  /** Puts the orders among intents that were all new into the backlog. */
  void addOrders(Admitted admitted) throws SQLException {
    backlog.add(admitted.rows().stream().filter(IntentRow::isOrder).toList());
  }

  /** Returns the answers, which hold once the transaction commits. */
  Map<IntentRow, Optional<IntentAnswer>> answers(List<IntentRow> asked, Admitted admitted)
      throws SQLException, SerialNumberTaken {
    Map<IntentRow, Optional<IntentAnswer>> answers = recorded(admitted.rows());
    asked.forEach(r -> answers.putIfAbsent(r, Optional.of(new IntentAnswer.KeyCompromised())));
    answers.putAll(keys.holders(admitted.unheld()));
    return answers;
  }

  /** Executes the inserts and returns the answers, which hold once the transaction commits. */
  Map<IntentRow, Optional<IntentAnswer>> execute(List<IntentRow> asked)
      throws SQLException, SerialNumberTaken {
    Admitted admitted = admit(asked);
    insertMissing(admitted);
    return answers(asked, admitted);
  }

  /** A row that was there already must be this very row, left by an attempt whose end was lost. */
  private void requireSame(List<IntentRow> present) throws SQLException, SerialNumberTaken {
    if (present.isEmpty()) {
      return;
    }
    Map<SerialNumber, IntentRow> bySerial = new HashMap<>();
    present.forEach(r -> bySerial.put(r.serialNumber(), r));
    try (PreparedStatement statement = connection.prepareStatement(FIND_INTENTS)) {
      ArrayParameter.bind(statement, present, ROW);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          Intent stored = LedgerColumns.intent(result);
          IntentRow row = bySerial.remove(stored.serialNumber());
          if (row != null && !isSame(row, stored, result.getString("claim_owner"))) {
            throw new SerialNumberTaken(row);
          }
        }
      }
    }
    if (!bySerial.isEmpty()) {
      throw new SQLException("an intent was neither inserted nor found");
    }
  }

  private static boolean isSame(IntentRow row, Intent stored, String owner) {
    return stored.equals(row.intent()) && owner.equals(row.terms().owner().value());
  }

  private static @Nullable Object profileVersionOrNull(IntentRow row) {
    OptionalInt version = row.intent().origin().profileVersion();
    return version.isPresent() ? version.getAsInt() : null;
  }
}
