package org.sluiceca.api.issuance.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.sluiceca.api.issuance.store.commit.IntentRow;
import org.sluiceca.api.issuance.store.commit.OutcomeRow;
import org.sluiceca.api.platform.store.ArrayParameter;
import org.sluiceca.api.platform.store.SqlFailure;

/**
 * Locks, inserts and commits a batch in one round trip, if all that it needs is that: nearly
 * always, for only orders, idempotency keys, intents without a readable public key and outcomes
 * that were never signed need more. A node with few requests feels each round trip most. For a
 * batch whose rows are new; it fails if one is there already, and has changed nothing then.
 */
final class PlainCommit {

  private static final List<ArrayParameter<IntentRow>> COLUMNS =
      Stream.concat(
              IntentInsert.INTENT_COLUMNS.stream(),
              Stream.of(new ArrayParameter<>("bytea", CompromisedKeyCheck::octets)))
          .toList();

  // The insert has a snapshot of its own, from after the locks: see CompromisedKeyCheck.
  private static final String LOCK_AND_INSERT =
      CompromisedKeyCheck.LOCK
          + String.format(Locale.ROOT, IntentInsert.INSERT_FROM, ", unnest(?) AS spki_sha256")
          + """
          WHERE NOT EXISTS (SELECT FROM compromised_key c WHERE c.spki_sha256 = n.spki_sha256)
            AND NOT EXISTS (SELECT FROM compromised_key_claim c
                            WHERE c.spki_sha256 = n.spki_sha256 AND c.requester = n.requester)
          """;

  private static final String INTENTS = LOCK_AND_INSERT + JdbcTransaction.COMMIT;
  private static final String BOTH =
      LOCK_AND_INSERT + JdbcTransaction.NEXT + OutcomeInsert.insertNew() + JdbcTransaction.COMMIT;

  private PlainCommit() {}

  /** Returns whether this commits these rows; there must be an intent among them. */
  static boolean takes(List<IntentRow> intents, List<OutcomeRow> outcomes) {
    return !intents.isEmpty()
        && intents.stream().allMatch(PlainCommit::isPlain)
        && outcomes.stream().noneMatch(OutcomeInsert::isNeverSigned);
  }

  private static boolean isPlain(IntentRow row) {
    return row.publicKey().isPresent() && !row.isOrder() && row.intent().idempotencyKey().isEmpty();
  }

  /**
   * Commits the rows but for those whose public key is compromised or whose claim is lost. Blocks
   * for a round trip.
   *
   * @return whether all were inserted
   */
  static boolean commit(Connection connection, List<IntentRow> intents, List<OutcomeRow> outcomes)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(outcomes.isEmpty() ? INTENTS : BOTH)) {
      int next = bind(statement, IntentInsert.ordered(intents));
      if (!outcomes.isEmpty()) {
        OutcomeInsert.bind(statement, next, OutcomeInsert.ordered(outcomes));
      }
      // The locks give a result of their own first.
      statement.execute();
      return nextCount(statement) == intents.size()
          && (outcomes.isEmpty() || nextCount(statement) == outcomes.size());
    }
  }

  private static int bind(PreparedStatement statement, List<IntentRow> rows) throws SQLException {
    CompromisedKeyCheck.bindBuckets(
        statement, rows.stream().map(CompromisedKeyCheck::octets).toArray(byte[][]::new));
    return ArrayParameter.bind(statement, 2, rows, COLUMNS);
  }

  private static int nextCount(PreparedStatement statement) throws SQLException {
    if (statement.getMoreResults() || statement.getUpdateCount() < 0) {
      // It is committed: another attempt finds what stands there.
      throw new SQLException("an insert gave no count of its rows", SqlFailure.SERIALIZATION);
    }
    return statement.getUpdateCount();
  }

  /**
   * Executes the statements without a row. The server has then read its catalogs and planned, which
   * the first batch would wait for. Nothing is written, locked or found.
   */
  static void plan(Connection connection) throws SQLException {
    try (PreparedStatement intents = connection.prepareStatement(INTENTS);
        PreparedStatement outcomes =
            connection.prepareStatement(JdbcTransaction.Insert.OUTCOMES.committed);
        PreparedStatement both = connection.prepareStatement(BOTH)) {
      int _ = bind(intents, List.of());
      intents.execute();
      OutcomeInsert.bind(outcomes, 1, List.of());
      outcomes.execute();
      OutcomeInsert.bind(both, bind(both, List.of()), List.of());
      both.execute();
    }
  }
}
