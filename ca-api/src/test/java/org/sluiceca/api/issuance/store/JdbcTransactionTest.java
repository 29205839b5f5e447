package org.sluiceca.api.issuance.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.issuance.backlog.store.BacklogTake;
import org.sluiceca.api.issuance.store.commit.IntentRow;
import org.sluiceca.api.issuance.store.commit.OutcomeRow;
import org.sluiceca.api.issuance.store.commit.SerialNumberTaken;
import org.sluiceca.api.platform.store.Await;
import org.sluiceca.api.platform.store.ConnectionLimits;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;
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

/** A batch is written in one of several ways, by what its rows need. */
class JdbcTransactionTest {

  private static final PostgresForTests SERVER = PostgresForTests.get();
  private static final Address ADDRESS = SERVER.freshDatabase();
  private static final Intents INTENTS = new Intents(7_000_003);
  private static final ClaimTerms TERMS =
      new ClaimTerms(new NodeId("node"), Duration.ofSeconds(15));

  /** A lock is waited for as long as a test holds it. */
  private static final ConnectionLimits PATIENCE =
      new ConnectionLimits(
          Duration.ofSeconds(60),
          Duration.ofSeconds(70),
          Duration.ofSeconds(80),
          Duration.ofSeconds(90));

  private static final LedgerDatabase DATABASE = new LedgerDatabase(ADDRESS, PATIENCE);

  private static final String WAIT_FOR_A_LOCK =
      "SELECT count(*) FROM pg_stat_activity"
          + " WHERE datname = current_database() AND wait_event_type = 'Lock'";

  private static final String BACKLOG =
      "SELECT count(*) FROM backlog b JOIN backlog_depth d"
          + " ON d.requester = b.requester AND d.orders = 1";

  /** All that does not differ by the time at which it is written, without rows that have a key. */
  private static final String LEDGER =
      """
      SELECT string_agg(l.line, chr(10) ORDER BY l.line) FROM (
        SELECT 'intent ' || (to_jsonb(i) - 'recorded_at' - 'claim_until')::text
          || (i.claim_until - i.recorded_at)::text AS line
        FROM intent i WHERE i.idempotency_key IS NULL
        UNION ALL
        SELECT 'outcome ' || (to_jsonb(o) - 'recorded_at')::text FROM outcome o
        UNION ALL
        SELECT 'feed ' || encode(f.serials, 'hex') || (f.issued_at IS NOT NULL)
        FROM certificate_feed f
        UNION ALL
        SELECT 'unresolved ' || encode(u.serial, 'hex') FROM unresolved_intent u
        UNION ALL
        SELECT 'backlog ' || encode(b.serial, 'hex') FROM backlog b) l
      """;

  private final JdbcTransaction transaction =
      new JdbcTransaction(DATABASE.writing(), DATABASE.partitions());

  @BeforeAll
  static void open() {
    PostgresForTests.awaitLogin(DATABASE);
  }

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @BeforeEach
  void empty() {
    SERVER.execute(
        ADDRESS,
        "DELETE FROM intent",
        "DELETE FROM outcome",
        "DELETE FROM idempotency",
        "DELETE FROM certificate_feed",
        "DELETE FROM unresolved_intent",
        "DELETE FROM backlog",
        "DELETE FROM backlog_depth");
  }

  /** A batch with all its rows, and how it is written. */
  @FunctionalInterface
  private interface Way {
    void write(List<IntentRow> intents, List<OutcomeRow> outcomes) throws Exception;
  }

  @Test
  void commit_sameRowsInEachWay_sameLedger() throws Exception {
    List<Intent> earlier = List.of(INTENTS.next(), INTENTS.next(), INTENTS.next(), INTENTS.next());
    List<Intent> fresh = List.of(INTENTS.next(), INTENTS.next(), INTENTS.next());

    String plain = ledger(earlier, fresh, this::plain);
    String longer = ledger(earlier, fresh, this::withAKey);
    String repeated = ledger(earlier, fresh, JdbcTransactionTest::asIfRepeated);

    // Seven intents, four outcomes, and the feed of those that were issued.
    assertThat(plain.lines()).hasSize(12);
    assertThat(longer).isEqualTo(plain);
    assertThat(repeated).isEqualTo(plain);
  }

  /** By one message. */
  private void plain(List<IntentRow> intents, List<OutcomeRow> outcomes) throws Exception {
    assertThat(PlainCommit.takes(intents, outcomes)).isTrue();
    transaction.commit(intents, outcomes).run();
  }

  /** Because of one row more: the keys first, then the inserts and the commit by one message. */
  private void withAKey(List<IntentRow> intents, List<OutcomeRow> outcomes) throws Exception {
    List<IntentRow> all = new ArrayList<>(intents);
    all.add(row(INTENTS.next(Intents.BOB, new IdempotencyKey("key"))));
    assertThat(PlainCommit.takes(all, outcomes)).isFalse();
    transaction.commit(all, outcomes).run();
    assertThat(all.getLast().result()).contains(new IntentAnswer.Recorded());
  }

  /** By the statements that leave out what is there. */
  private static void asIfRepeated(List<IntentRow> intents, List<OutcomeRow> outcomes)
      throws Exception {
    try (Connection connection = DATABASE.writing().getConnection()) {
      new JdbcTransaction.Answers(
              new IntentInsert(connection).execute(intents),
              new OutcomeInsert(connection).execute(outcomes))
          .give();
      connection.commit();
    }
  }

  /** Returns the ledger's rows once a batch has been written. */
  private String ledger(List<Intent> earlier, List<Intent> fresh, Way way) throws Exception {
    empty();
    record(earlier);
    List<IntentRow> intents = fresh.stream().map(JdbcTransactionTest::row).toList();
    List<OutcomeRow> outcomes =
        List.of(
            outcome(earlier.get(0), new Outcome.Issued(Intents.signature(1))),
            outcome(earlier.get(1), new Outcome.Issued(Intents.signature(2))),
            outcome(earlier.get(2), new Outcome.Abandoned(Outcome.Reason.TOO_OLD, true)),
            outcome(earlier.get(3), new Outcome.Issued(Intents.signature(3))));

    way.write(intents, outcomes);

    assertThat(intents).allMatch(r -> r.result().orElseThrow() instanceof IntentAnswer.Recorded);
    assertThat(outcomes).allMatch(r -> r.result().orElseThrow() instanceof OutcomeAnswer.Recorded);
    try (Connection connection = SERVER.connect(ADDRESS);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(LEDGER)) {
      rows.next();
      return rows.getString(1);
    }
  }

  @Test
  void commit_orderAndNeverSigned_bothRecorded() throws Exception {
    Intent listed = listed();
    IntentRow order = order();
    IntentRow other = row(INTENTS.next());
    OutcomeRow neverSigned = neverSigned(listed);

    transaction.commit(List.of(other, order), List.of(neverSigned)).run();

    assertThat(order.result()).contains(new IntentAnswer.Recorded());
    assertThat(other.result()).contains(new IntentAnswer.Recorded());
    assertThat(neverSigned.result()).contains(new OutcomeAnswer.Recorded());
    assertThat(SERVER.number(ADDRESS, BACKLOG)).isOne();
    assertThat(SERVER.number(ADDRESS, "SELECT count(*) FROM intent")).isEqualTo(3);
    assertThat(
            SERVER.number(
                ADDRESS,
                "SELECT count(*) FROM outcome WHERE kind = 'abandoned' AND NOT maybe_signed"))
        .isOne();
  }

  /**
   * A node that takes orders changes their number first and recovery's list then. A batch in the
   * other order would wait in a circle with it.
   */
  @Test
  void commit_orderAndNeverSigned_listIsNotLockedBeforeTheBacklog() throws Exception {
    Intent listed = listed();
    SERVER.execute(
        ADDRESS,
        String.format(
            Locale.ROOT,
            "INSERT INTO backlog_depth (requester, slot, orders, taken)"
                + " SELECT '%s', n, 0, 0 FROM generate_series(0, %d) AS n",
            Intents.ALICE.value(),
            BacklogTake.SLOTS - 1));
    IntentRow order = order();
    OutcomeRow neverSigned = neverSigned(listed);
    try (ExecutorService threads = Executors.newSingleThreadExecutor();
        Connection taking = SERVER.connect(ADDRESS)) {
      taking.setAutoCommit(false);
      taking.createStatement().execute("SELECT FROM backlog_depth FOR UPDATE");

      Future<Runnable> answers =
          threads.submit(() -> transaction.commit(List.of(order), List.of(neverSigned)));
      Await.until("the backlog is waited for", () -> SERVER.number(ADDRESS, WAIT_FOR_A_LOCK) == 1);
      // Fails at once if the batch has locked it.
      taking.createStatement().execute("SELECT FROM unresolved_intent FOR UPDATE NOWAIT");
      taking.rollback();

      answers.get(60, TimeUnit.SECONDS).run();
    }
    assertThat(order.result()).contains(new IntentAnswer.Recorded());
    assertThat(neverSigned.result()).contains(new OutcomeAnswer.Recorded());
    assertThat(SERVER.number(ADDRESS, BACKLOG)).isOne();
  }

  private void record(List<Intent> intents) throws SQLException, SerialNumberTaken {
    transaction.commit(intents.stream().map(JdbcTransactionTest::row).toList(), List.of()).run();
  }

  /** An intent that recovery has listed. */
  private Intent listed() throws SQLException, SerialNumberTaken {
    Intent intent = INTENTS.next();
    record(List.of(intent));
    SERVER.execute(
        ADDRESS,
        "INSERT INTO unresolved_intent (expiry_week, serial, recorded_at)"
            + " SELECT i.expiry_week, i.serial, i.recorded_at FROM intent i");
    return intent;
  }

  private static IntentRow order() {
    return IntentRow.order(INTENTS.next(), TERMS.owner(), soon());
  }

  private static IntentRow row(Intent intent) {
    return new IntentRow(intent, TERMS, soon());
  }

  private static OutcomeRow neverSigned(Intent intent) {
    return outcome(intent, new Outcome.Abandoned(Outcome.Reason.TOO_OLD, false));
  }

  private static OutcomeRow outcome(Intent intent, Outcome outcome) {
    SerialNumber serialNumber = intent.serialNumber();
    return new OutcomeRow(serialNumber, outcome, new Claim(TERMS.owner(), 0, soon()), soon());
  }

  private static Deadline soon() {
    return Deadline.after(Duration.ofMinutes(2), System::nanoTime);
  }
}
