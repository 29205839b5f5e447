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
import org.sluiceca.api.issuance.store.commit.SerialNumberTaken;
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

  /** Between the statements of a message. If one fails, the server executes nothing after it. */
  static final String NEXT = ";\n";

  static final String COMMIT = NEXT + "COMMIT";

  /** The inserts of a batch, alone and with the commit in the same message. */
  enum Insert {
    INTENTS(IntentInsert.insertNew()),
    OUTCOMES(OutcomeInsert.insertNew()),
    BOTH(IntentInsert.insertNew() + NEXT + OutcomeInsert.insertNew());

    final String alone;
    final String committed;

    Insert(String sql) {
      this.alone = sql;
      this.committed = sql + COMMIT;
    }
  }

  /** The driver keeps a statement's plan when it is executed for the fifth time. */
  private static final int PLAN_ROUNDS = 6;

  private final DataSource connections;
  private final PartitionKeeper partitions;

  JdbcTransaction(DataSource connections, PartitionKeeper partitions) {
    this.connections = connections;
    this.partitions = partitions;
  }

  /**
   * Lets the server plan the statements of nearly every batch on the writer's connection, as {@link
   * PlainCommit#plan} does. Blocks; a batch that comes meanwhile uses another connection.
   *
   * @param until when no further round is begun
   */
  void plan(Deadline until, Ticker ticker) throws SQLException {
    try (Connection connection = connections.getConnection()) {
      for (int round = 0; round < PLAN_ROUNDS && !until.hasPassed(ticker); round++) {
        PlainCommit.plan(connection);
      }
    }
  }

  /** What gives the rows their answers, once the transaction has committed. */
  record Answers(
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
        return commitNew(connection, intents, outcomes)::give;
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

  private static Answers commitNew(
      Connection connection, List<IntentRow> intents, List<OutcomeRow> outcomes)
      throws SQLException, SerialNumberTaken {
    if (PlainCommit.takes(intents, outcomes)) {
      return PlainCommit.commit(connection, intents, outcomes)
          ? new Answers(IntentInsert.recorded(intents), OutcomeInsert.recorded(outcomes))
          : explain(connection, intents, outcomes);
    }
    if (intents.stream().anyMatch(IntentRow::isOrder)
        && outcomes.stream().anyMatch(OutcomeInsert::isNeverSigned)) {
      // Rarely both: the backlog is locked before recovery's list, as by nodes of earlier releases.
      return commitMissing(connection, intents, outcomes);
    }
    IntentInsert intentInsert = new IntentInsert(connection);
    OutcomeInsert outcomeInsert = new OutcomeInsert(connection);
    IntentInsert.Admitted admitted = intentInsert.admit(intents);
    List<OutcomeRow> ordered = OutcomeInsert.ordered(outcomes);
    outcomeInsert.holdFromRecovery(ordered);
    boolean isLast = admitted.isComplete();
    boolean areDecided = insert(connection, admitted, ordered, isLast) == ordered.size();
    if (isLast && !areDecided) {
      return explain(connection, intents, outcomes);
    }
    intentInsert.addOrders(admitted);
    Answers answers =
        new Answers(
            intentInsert.answers(intents, admitted),
            areDecided ? OutcomeInsert.recorded(ordered) : outcomeInsert.explain(ordered));
    // Costs nothing if it is done already.
    connection.commit();
    return answers;
  }

  /**
   * Answers the rows of a message that has committed without some of them: writes them again, which
   * finds what stands there.
   */
  private static Answers explain(
      Connection connection, List<IntentRow> intents, List<OutcomeRow> outcomes)
      throws SQLException, SerialNumberTaken {
    try {
      return commitMissing(connection, intents, outcomes);
    } catch (SQLException e) {
      if (SqlFailure.of(e) != SqlFailure.DATABASE) {
        throw e;
      }
      // Refused, rows that are recorded would be taken for lost: another attempt, if one is left.
      throw new SQLException("committed, and not explained", SqlFailure.SERIALIZATION, e);
    }
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
