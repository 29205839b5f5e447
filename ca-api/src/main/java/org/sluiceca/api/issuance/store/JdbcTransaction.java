package org.sluiceca.api.issuance.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.sluiceca.api.issuance.store.commit.IntentRow;
import org.sluiceca.api.issuance.store.commit.OutcomeRow;
import org.sluiceca.api.issuance.store.commit.PendingRow;
import org.sluiceca.api.platform.store.PartitionKeeper;
import org.sluiceca.api.platform.store.SqlFailure;
import org.sluiceca.core.intent.LedgerStore.IntentAnswer;
import org.sluiceca.core.intent.LedgerStore.OutcomeAnswer;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;

/**
 * A batch's transaction on PostgreSQL, with a connection of the writers' pool. Thread-safe.
 *
 * <p>Serial numbers are random, so nearly always all rows are new. Therefore intents and outcomes
 * are first inserted by statements in one round trip, which fail if a row is there already: ON
 * CONFLICT would cost PostgreSQL a look-up, a lock and a record of the log more for each row. A
 * batch that fails so, after a lost connection or because another node has decided, is written
 * again by statements that leave out what is there.
 */
final class JdbcTransaction implements LedgerWriter.Transaction {

  private static final String NEXT = ";\n";
  private static final String COMMIT = NEXT + "COMMIT";

  /**
   * The inserts of a batch, alone and with the commit in the same message. If one fails, the server
   * executes nothing after it.
   */
  private enum Insert {
    INTENTS(IntentInsert.insertNew()),
    OUTCOMES(OutcomeInsert.insertNew()),
    BOTH(IntentInsert.insertNew() + NEXT + OutcomeInsert.insertNew());

    private final String alone;
    private final String committed;

    Insert(String sql) {
      this.alone = sql;
      this.committed = sql + COMMIT;
    }
  }

  private static final String PLAIN_INTENTS = IntentInsert.lockAndInsertNew() + COMMIT;
  private static final String PLAIN_BOTH =
      IntentInsert.lockAndInsertNew() + NEXT + OutcomeInsert.insertNew() + COMMIT;

  /** The driver keeps a statement's plan when it is executed for the fifth time. */
  private static final int PLAN_ROUNDS = 6;

  private final DataSource connections;
  private final PartitionKeeper partitions;

  JdbcTransaction(DataSource connections, PartitionKeeper partitions) {
    this.connections = connections;
    this.partitions = partitions;
  }

  /**
   * Executes the statements of nearly every batch without a row on both of the writers'
   * connections, as often as the driver wants before it keeps a statement's plan. The server has
   * then read its catalogs and planned, which the first batch would wait for. Nothing is written,
   * locked or found. Blocks; a batch that comes meanwhile waits for a connection.
   *
   * @param until when no further round is begun
   */
  void plan(Deadline until, Ticker ticker) throws SQLException {
    try (Connection first = connections.getConnection();
        Connection second = connections.getConnection()) {
      for (int round = 0; round < PLAN_ROUNDS && !until.hasPassed(ticker); round++) {
        plan(first);
        plan(second);
      }
    }
  }

  private static void plan(Connection connection) throws SQLException {
    try (PreparedStatement intents = connection.prepareStatement(PLAIN_INTENTS);
        PreparedStatement outcomes = connection.prepareStatement(Insert.OUTCOMES.committed)) {
      int _ = IntentInsert.bindLockAndInsert(intents, List.of());
      intents.execute();
      OutcomeInsert.bind(outcomes, 1, List.of());
      outcomes.execute();
    }
  }

  /** What gives the rows their answers, once the transaction has committed. */
  private record Answers(
      Map<IntentRow, Optional<IntentAnswer>> recorded,
      Map<OutcomeRow, Optional<OutcomeAnswer>> decided) {

    void give() {
      // Clients that wait for an outcome before those whose signatures are started now.
      decided.forEach(PendingRow::give);
      recorded.forEach(PendingRow::give);
    }
  }

  @Override
  public Runnable commit(List<IntentRow> intents, List<OutcomeRow> outcomes)
      throws SQLException, SerialNumberTaken {
    // Closing without a commit rolls back.
    try (Connection connection = connections.getConnection()) {
      partitions.ensure(
          connection,
          intents.stream()
              .map(r -> r.serialNumber().expiryWeek().number())
              .collect(Collectors.toSet()));
      try {
        return isPlain(intents, outcomes)
            ? commitPlain(connection, intents, outcomes)::give
            : commitNew(connection, intents, outcomes)::give;
      } catch (SQLException e) {
        if (!SqlFailure.isDuplicate(e)) {
          throw e;
        }
        connection.rollback();
        return commitMissing(connection, intents, outcomes)::give;
      }
    }
  }

  private static Answers commitMissing(
      Connection connection, List<IntentRow> intents, List<OutcomeRow> outcomes)
      throws SQLException, SerialNumberTaken {
    Answers answers =
        new Answers(
            new IntentInsert(connection).execute(intents),
            new OutcomeInsert(connection).execute(outcomes));
    connection.commit();
    return answers;
  }

  /** Whether all that these rows need is locks, inserts and a commit: nearly always. */
  private static boolean isPlain(List<IntentRow> intents, List<OutcomeRow> outcomes) {
    return !intents.isEmpty()
        && IntentInsert.isPlain(intents)
        && outcomes.stream().noneMatch(OutcomeInsert::isNeverSigned);
  }

  /** Locks, inserts and commits in one round trip, which a node with few requests feels most. */
  private static Answers commitPlain(
      Connection connection, List<IntentRow> intents, List<OutcomeRow> outcomes)
      throws SQLException {
    List<OutcomeRow> ordered = OutcomeInsert.ordered(outcomes);
    int recorded;
    int decided = 0;
    try (PreparedStatement statement =
        connection.prepareStatement(ordered.isEmpty() ? PLAIN_INTENTS : PLAIN_BOTH)) {
      int next = IntentInsert.bindLockAndInsert(statement, intents);
      if (!ordered.isEmpty()) {
        OutcomeInsert.bind(statement, next, ordered);
      }
      // The locks give a result of their own first.
      statement.execute();
      recorded = nextCount(statement);
      if (!ordered.isEmpty()) {
        decided = nextCount(statement);
      }
    }
    // After the commit: what stands there then never changes.
    Answers answers =
        new Answers(
            recorded == intents.size()
                ? IntentInsert.recorded(intents)
                : new IntentInsert(connection).explain(intents),
            decided == ordered.size()
                ? OutcomeInsert.recorded(ordered)
                : new OutcomeInsert(connection).explain(ordered));
    connection.commit();
    return answers;
  }

  private static int nextCount(PreparedStatement statement) throws SQLException {
    if (statement.getMoreResults() || statement.getUpdateCount() < 0) {
      throw new SQLException("an insert gave no count of its rows");
    }
    return statement.getUpdateCount();
  }

  private static Answers commitNew(
      Connection connection, List<IntentRow> intents, List<OutcomeRow> outcomes)
      throws SQLException, SerialNumberTaken {
    IntentInsert intentInsert = new IntentInsert(connection);
    OutcomeInsert outcomeInsert = new OutcomeInsert(connection);
    IntentInsert.Admitted admitted = intentInsert.admit(intents);
    List<OutcomeRow> ordered = OutcomeInsert.ordered(outcomes);
    outcomeInsert.holdFromRecovery(ordered);
    boolean isLast = admitted.isComplete();
    int decided = insert(connection, admitted, ordered, isLast);
    intentInsert.addOrders(admitted);
    Answers answers =
        new Answers(
            intentInsert.answers(intents, admitted),
            // After the commit, too: what stands there then never changes.
            decided == ordered.size()
                ? OutcomeInsert.recorded(ordered)
                : outcomeInsert.explain(ordered));
    // Costs nothing if it is done already.
    connection.commit();
    return answers;
  }

  /**
   * Inserts the rows, and commits if this {@code isLast}.
   *
   * @return how many outcomes it inserted: those whose claim holds
   */
  private static int insert(
      Connection connection,
      IntentInsert.Admitted admitted,
      List<OutcomeRow> outcomes,
      boolean isLast)
      throws SQLException {
    boolean hasIntents = !admitted.rows().isEmpty();
    boolean hasOutcomes = !outcomes.isEmpty();
    if (!hasIntents && !hasOutcomes) {
      return 0;
    }
    Insert insert =
        hasIntents && hasOutcomes ? Insert.BOTH : hasIntents ? Insert.INTENTS : Insert.OUTCOMES;
    try (PreparedStatement statement =
        connection.prepareStatement(isLast ? insert.committed : insert.alone)) {
      int next = hasIntents ? IntentInsert.bind(statement, 1, admitted) : 1;
      if (hasOutcomes) {
        OutcomeInsert.bind(statement, next, outcomes);
      }
      statement.execute();
      if (insert == Insert.BOTH) {
        statement.getMoreResults();
      }
      return hasOutcomes ? statement.getUpdateCount() : 0;
    }
  }
}
