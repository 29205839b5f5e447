package org.sluiceca.api.issuance.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.issuance.store.commit.IntentRow;
import org.sluiceca.api.issuance.store.commit.OutcomeRow;
import org.sluiceca.api.issuance.store.commit.PendingRow;
import org.sluiceca.api.issuance.store.commit.SerialNumberTaken;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.intent.Claim;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.LedgerStore.IntentAnswer;
import org.sluiceca.core.intent.LedgerStore.OutcomeAnswer;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.request.IdempotencyKey;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.x509.SerialNumber;

/** What a writer makes of lost connections and rows at fault, on the real database. */
class LedgerWriterTest {

  private static final PostgresForTests SERVER = PostgresForTests.get();
  private static final Address ADDRESS = SERVER.freshDatabase();
  private static final Intents INTENTS = new Intents(6_000_003);
  private static final ClaimTerms TERMS =
      new ClaimTerms(new NodeId("node"), Duration.ofSeconds(15));

  private static final LedgerDatabase DATABASE = new LedgerDatabase(ADDRESS);

  private final Queue<CommitFault> faults = new ArrayDeque<>();
  private Runnable onCommit = () -> {};
  private final List<Integer> committed = new ArrayList<>();
  private final List<String> prepared = new ArrayList<>();
  private final JdbcTransaction transaction =
      new JdbcTransaction(faulty(DATABASE.writing()), DATABASE.partitions());
  private final LedgerWriter writer =
      new LedgerWriter(transaction, (size, nanos) -> committed.add(size), System::nanoTime);

  @BeforeAll
  static void open() throws SQLException {
    PostgresForTests.awaitLogin(DATABASE);
    try (Connection connection = DATABASE.writing().getConnection()) {
      // So that the only commits below are those of batches.
      DATABASE
          .partitions()
          .ensure(connection, Set.of(INTENTS.next().serialNumber().expiryWeek().number()));
    }
  }

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  private enum CommitFault {
    /** The connection ends before the commit. */
    LOST_BEFORE,
    /** The connection ends after the commit and before its answer. */
    LOST_AFTER,
    /** A deadlock was found and this transaction chosen. */
    DEADLOCK,
    /** The server ends the statement for the time that it took. */
    CANCELLED,
    /** A lock was not available in time. */
    LOCKED,
    /** None; the test looks at what the callers know at that moment. */
    LOOK,
    NONE
  }

  @Test
  void write_lostAfterTheCommit_resolvedAsRecorded() {
    IntentRow intent = row(INTENTS.next(Intents.ALICE, new IdempotencyKey("doubt")));
    faults.add(CommitFault.LOST_AFTER);

    writer.write(List.of(intent));

    assertThat(intent.result()).contains(new IntentAnswer.Recorded());
    assertThat(count("intent", intent)).isOne();

    OutcomeRow outcome = outcomeOf(intent);
    faults.add(CommitFault.LOST_AFTER);
    writer.write(List.of(outcome));
    assertThat(outcome.result()).contains(new OutcomeAnswer.Recorded());
  }

  /** Without an idempotency key it is written and committed by one message. */
  @Test
  void write_loneRowLostAfterTheCommit_resolvedAsRecorded() {
    IntentRow intent = row(INTENTS.next());
    faults.add(CommitFault.LOST_AFTER);

    writer.write(List.of(intent));

    assertThat(faults).isEmpty();
    assertThat(intent.result()).contains(new IntentAnswer.Recorded());
    assertThat(count("intent", intent)).isOne();
  }

  @Test
  void write_loneRowWithTheSerialNumberOfAnother_fails() {
    IntentRow first = row(INTENTS.next());
    writer.write(List.of(first));
    IntentRow collision = row(withSerialNumber(first.serialNumber(), INTENTS.next()));

    writer.write(List.of(collision));

    assertThat(collision.result()).isEmpty();
    assertThat(count("intent", first)).isOne();
  }

  @Test
  void write_loneRowAtTheCommit_notAnsweredYet() {
    IntentRow intent = row(INTENTS.next());
    List<Boolean> answered = new ArrayList<>();
    onCommit = () -> answered.add(intent.isAnswered());
    faults.add(CommitFault.LOOK);

    writer.write(List.of(intent));

    assertThat(answered).containsExactly(false);
    assertThat(intent.result()).contains(new IntentAnswer.Recorded());
  }

  @Test
  void write_loneOutcomeOfAnUnknownIntent_unanswered() {
    OutcomeRow outcome = outcomeOf(row(INTENTS.next()));

    writer.write(List.of(outcome));

    assertThat(outcome.result()).isEmpty();
  }

  /** The message has committed the intent, and left out the outcome: that is looked for. */
  @Test
  void write_failedAfterTheCommit_rowsThatWereRecordedAreNotRefused() {
    IntentRow intent = row(INTENTS.next());
    OutcomeRow left = outcomeOf(row(INTENTS.next()));
    faults.addAll(List.of(CommitFault.NONE, CommitFault.CANCELLED));

    writer.write(List.of(intent, left));

    assertThat(faults).isEmpty();
    assertThat(intent.result()).contains(new IntentAnswer.Recorded());
    assertThat(left.result()).isEmpty();
    assertThat(count("intent", intent)).isOne();
  }

  /** The last attempt has committed, and what looks for the row left out waits for a lock. */
  @Test
  void write_lockedAfterTheCommitOfTheLastAttempt_halvesAreWrittenAgain() {
    IntentRow intent = row(INTENTS.next());
    OutcomeRow left = outcomeOf(row(INTENTS.next()));
    faults.addAll(List.of(CommitFault.DEADLOCK, CommitFault.NONE, CommitFault.LOCKED));

    writer.write(List.of(intent, left));

    assertThat(faults).isEmpty();
    assertThat(intent.result()).contains(new IntentAnswer.Recorded());
    assertThat(left.result()).isEmpty();
    assertThat(count("intent", intent)).isOne();
  }

  /**
   * No attempt is left to find out what stands there: the rows are refused, as if their end were
   * lost, and are there. Recovery goes on with such an intent; who repeats it gets its answer.
   */
  @Test
  void write_failedAfterTheCommitOfTheLastAttempt_refusedAndRecorded() {
    Intent intent = INTENTS.next();
    IntentRow refused = row(intent);
    OutcomeRow left = outcomeOf(row(INTENTS.next()));
    faults.addAll(List.of(CommitFault.DEADLOCK, CommitFault.NONE, CommitFault.CANCELLED));

    writer.write(List.of(refused, left));

    assertThat(faults).isEmpty();
    assertThatExceptionOfType(LedgerUnavailable.class).isThrownBy(refused::result);
    assertThatExceptionOfType(LedgerUnavailable.class).isThrownBy(left::result);
    assertThat(count("intent", refused)).isOne();
    assertThat(committed).isEmpty();

    IntentRow again = row(intent);
    writer.write(List.of(again));
    assertThat(again.result()).contains(new IntentAnswer.Recorded());
    assertThat(count("intent", again)).isOne();
  }

  @Test
  void write_lostBeforeTheCommitOrDeadlock_writtenBySecondAttempt() {
    for (CommitFault fault : List.of(CommitFault.LOST_BEFORE, CommitFault.DEADLOCK)) {
      IntentRow intent = row(INTENTS.next());
      faults.add(fault);

      writer.write(List.of(intent));

      assertThat(intent.result()).contains(new IntentAnswer.Recorded());
      assertThat(count("intent", intent)).isOne();
    }
  }

  @Test
  void write_lostTwice_refused() {
    IntentRow intent = row(INTENTS.next());
    faults.add(CommitFault.LOST_BEFORE);
    faults.add(CommitFault.LOST_BEFORE);

    writer.write(List.of(intent));

    assertThatExceptionOfType(LedgerUnavailable.class).isThrownBy(intent::result);
    assertThat(count("intent", intent)).isZero();
  }

  @Test
  void write_serialNumberOfAnother_thatRowAloneFails() {
    IntentRow first = row(INTENTS.next());
    writer.write(List.of(first));
    IntentRow collision = row(withSerialNumber(first.serialNumber(), INTENTS.next()));
    IntentRow before = row(INTENTS.next());
    IntentRow after = row(INTENTS.next());

    writer.write(List.of(before, collision, after));

    assertThat(collision.result()).isEmpty();
    assertThat(before.result()).contains(new IntentAnswer.Recorded());
    assertThat(after.result()).contains(new IntentAnswer.Recorded());
  }

  /** What fails for one row that is there already is written again, without it. */
  @Test
  void write_oneOutcomeOfABatchIsThere_othersWrittenAndItSaysWhatStands() {
    IntentRow decided = row(INTENTS.next());
    IntentRow open = row(INTENTS.next());
    writer.write(List.of(decided, open));
    OutcomeRow first = outcomeOf(decided);
    writer.write(List.of(first));
    OutcomeRow again = outcomeOf(decided, 2);
    OutcomeRow other = outcomeOf(open);
    IntentRow intent = row(INTENTS.next(Intents.ALICE, new IdempotencyKey("third")));

    writer.write(List.of(again, other, intent));

    assertThat(again.result()).contains(new OutcomeAnswer.AlreadyDecided(first.outcome()));
    assertThat(other.result()).contains(new OutcomeAnswer.Recorded());
    assertThat(intent.result()).contains(new IntentAnswer.Recorded());
    assertThat(count("intent", intent)).isOne();
    assertThat(count("idempotency", intent)).isOne();
  }

  /** The answers to outcomes are right also if not all were inserted. */
  @Test
  void write_oneOutcomeWithoutItsClaim_othersWritten() {
    IntentRow lost = row(INTENTS.next());
    IntentRow held = row(INTENTS.next());
    writer.write(List.of(lost, held));
    OutcomeRow stranger =
        new OutcomeRow(
            lost.serialNumber(),
            new Outcome.Issued(Intents.signature(1)),
            new Claim(new NodeId("stranger"), 0, soon()),
            soon());
    OutcomeRow other = outcomeOf(held);
    OutcomeRow unknown = outcomeOf(row(INTENTS.next()));

    writer.write(List.of(stranger, other, unknown, row(INTENTS.next())));

    assertThat(stranger.result()).contains(new OutcomeAnswer.ClaimLost());
    assertThat(other.result()).contains(new OutcomeAnswer.Recorded());
    assertThat(unknown.result()).isEmpty();
    assertThat(count("outcome", stranger) + count("outcome", unknown)).isZero();
    assertThat(count("outcome", other)).isOne();
  }

  @Test
  void write_keyLockedByAFrozenTransaction_othersWritten() throws SQLException {
    IdempotencyKey key = new IdempotencyKey("frozen");
    try (Connection frozen = SERVER.connect(ADDRESS)) {
      frozen.setAutoCommit(false);
      writeUncommitted(frozen, INTENTS.next(Intents.ALICE, key));
      IntentRow blocked = row(INTENTS.next(Intents.ALICE, key));
      IntentRow free = row(INTENTS.next());

      writer.write(List.of(blocked, free));

      assertThat(free.result()).contains(new IntentAnswer.Recorded());
      assertThatExceptionOfType(LedgerUnavailable.class).isThrownBy(blocked::result);
      frozen.rollback();
    }
  }

  @Test
  void write_atTheCommit_nobodyIsAnsweredYet() {
    IntentRow first = row(INTENTS.next());
    writer.write(List.of(first));
    IntentRow intent = row(INTENTS.next());
    OutcomeRow outcome = outcomeOf(first);
    List<Boolean> answered = new ArrayList<>();
    onCommit =
        () -> {
          answered.add(intent.isAnswered());
          answered.add(outcome.isAnswered());
        };
    faults.add(CommitFault.LOOK);

    writer.write(List.of(intent, outcome));

    assertThat(answered).containsExactly(false, false);
    assertThat(intent.isAnswered() && outcome.isAnswered()).isTrue();
  }

  @Test
  void write_intentsAndOutcomes_oneCommit() {
    IntentRow first = row(INTENTS.next());
    writer.write(List.of(first));
    committed.clear();

    writer.write(List.of(outcomeOf(first), row(INTENTS.next()), row(INTENTS.next())));

    assertThat(committed).containsExactly(3);
  }

  /** The driver finds a statement that the server has planned by its text. */
  @Test
  void plan_beforeTheFirstBatches_hasTheStatementsThatTheyExecute() throws SQLException {
    transaction.plan(soon(), System::nanoTime);
    List<String> planned = List.copyOf(prepared);
    prepared.clear();
    IntentRow first = row(INTENTS.next());
    IntentRow second = row(INTENTS.next());

    writer.write(List.of(first));
    writer.write(List.of(outcomeOf(first), second));
    writer.write(List.of(outcomeOf(second)));

    assertThat(committed).containsExactly(1, 2, 1);
    assertThat(prepared).hasSize(3).doesNotHaveDuplicates().isSubsetOf(planned);
  }

  private static Intent withSerialNumber(SerialNumber serialNumber, Intent other) {
    return new Intent(
        serialNumber,
        other.tbsCertificate(),
        other.signatureAlgorithm(),
        other.origin(),
        other.idempotencyKey(),
        other.payloadHash());
  }

  private static void writeUncommitted(Connection connection, Intent intent) throws SQLException {
    try {
      new IntentInsert(connection).execute(List.of(row(intent)));
    } catch (SerialNumberTaken e) {
      throw new AssertionError(e);
    }
  }

  private static long count(String table, PendingRow<?> row) {
    return SERVER.number(
        ADDRESS,
        String.format(
            Locale.ROOT,
            "SELECT count(*) FROM %s WHERE serial = '\\x%s'",
            table,
            row.serialNumber().hex()));
  }

  private static IntentRow row(Intent intent) {
    return new IntentRow(intent, TERMS, soon());
  }

  private static OutcomeRow outcomeOf(IntentRow intent) {
    return outcomeOf(intent, 1);
  }

  private static OutcomeRow outcomeOf(IntentRow intent, long signature) {
    return new OutcomeRow(
        intent.serialNumber(),
        new Outcome.Issued(Intents.signature(signature)),
        new Claim(TERMS.owner(), 0, soon()),
        soon());
  }

  private static Deadline soon() {
    return Deadline.after(Duration.ofSeconds(20), System::nanoTime);
  }

  /** The same connections, whose commits meet the next of {@link #faults}. */
  private DataSource faulty(DataSource source) {
    return proxy(
        DataSource.class,
        (method, arguments) -> {
          Object result = method.invoke(source, arguments);
          return result instanceof Connection connection ? faulty(connection) : result;
        });
  }

  /** A transaction commits by its last statement, or by the driver's commit. */
  private Connection faulty(Connection connection) {
    return proxy(
        Connection.class,
        (method, arguments) -> {
          if (method.getName().equals("commit")) {
            meet(connection::commit);
            return null;
          }
          Object result = method.invoke(connection, arguments);
          if (result instanceof PreparedStatement) {
            prepared.add((String) arguments[0]);
          }
          return result instanceof PreparedStatement statement
                  && ((String) arguments[0]).endsWith("COMMIT")
              ? faulty(statement)
              : result;
        });
  }

  private PreparedStatement faulty(PreparedStatement statement) {
    return proxy(
        PreparedStatement.class,
        (method, arguments) -> {
          if (method.getName().equals("execute")) {
            meet(statement::execute);
            return false;
          }
          return method.invoke(statement, arguments);
        });
  }

  private interface Committing {
    void run() throws SQLException;
  }

  private void meet(Committing commit) throws SQLException {
    switch (faults.isEmpty() ? CommitFault.NONE : faults.remove()) {
      case LOST_AFTER -> {
        commit.run();
        throw new SQLException("planted", "08006");
      }
      case LOST_BEFORE -> throw new SQLException("planted", "57P01");
      case DEADLOCK -> throw new SQLException("planted", "40P01");
      case CANCELLED -> throw new SQLException("planted", "57014");
      case LOCKED -> throw new SQLException("planted", "55P03");
      case LOOK -> {
        onCommit.run();
        commit.run();
      }
      case NONE -> commit.run();
    }
  }

  /** What a proxy does for a method. */
  private interface Handler {
    @Nullable Object handle(Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Handler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                return handler.handle(method, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
