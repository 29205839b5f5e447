package org.sluiceca.api.issuance.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.issuance.store.commit.OutcomeRow;
import org.sluiceca.api.platform.store.Await;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerStore;
import org.sluiceca.core.intent.OrderStore;
import org.sluiceca.core.intent.OrderStoreContract;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.x509.TbsCertificateDer;

/** The ledger on a real PostgreSQL keeps the contract, and what only a database can break. */
class PostgresLedgerStoreTest extends OrderStoreContract {

  private static final PostgresForTests SERVER = PostgresForTests.get();
  private static final Address ADDRESS = SERVER.freshDatabase();
  private static final String ROWS_WRITTEN =
      "SELECT (SELECT count(*) FROM intent) + (SELECT count(*) FROM outcome)";
  private static final List<Integer> BATCH_SIZES = Collections.synchronizedList(new ArrayList<>());

  private static LedgerDatabase database;
  private static PostgresLedgerStore store;

  @BeforeAll
  static void open() {
    database = new LedgerDatabase(ADDRESS);
    PostgresForTests.awaitLogin(database);
    store =
        new PostgresLedgerStore(
            database, LIFETIME, (size, nanos) -> BATCH_SIZES.add(size), System::nanoTime);
  }

  @AfterAll
  static void close() {
    store.close();
    database.close();
  }

  @BeforeEach
  void empty() {
    SERVER.execute(
        ADDRESS,
        "DELETE FROM intent",
        "DELETE FROM outcome",
        "DELETE FROM claim",
        "DELETE FROM idempotency",
        "DELETE FROM unresolved_intent",
        "DELETE FROM backlog",
        "DELETE FROM backlog_depth",
        "UPDATE recovery_watermark SET swept_before = '-infinity', announced = '-infinity'");
  }

  @Override
  protected LedgerStore store() {
    return store;
  }

  @Override
  protected OrderStore orders() {
    return new PostgresOrderStore(database, store);
  }

  @Override
  protected Ticker ticker() {
    return System::nanoTime;
  }

  /** A slow disk may hold up two statements for seconds. */
  @Override
  protected Duration slack() {
    return Duration.ofSeconds(12);
  }

  /** The database's clock cannot be moved, but everything recorded can grow older. */
  @Override
  protected void pass(Duration databaseTime) {
    String passed = "interval '" + databaseTime.toMillis() + " milliseconds'";
    SERVER.execute(
        ADDRESS,
        String.format(
            Locale.ROOT,
            "UPDATE intent SET recorded_at = recorded_at - %1$s, claim_until = claim_until - %1$s",
            passed),
        "UPDATE claim SET expires_at = expires_at - " + passed,
        "UPDATE unresolved_intent SET recorded_at = recorded_at - " + passed,
        String.format(
            Locale.ROOT,
            "UPDATE recovery_watermark SET swept_before = swept_before - %1$s, announced = announced - %1$s",
            passed));
  }

  /**
   * A disk that stalls holds the commit of "given up, never signed" for any time: recovery must not
   * take the intent over meanwhile, or its taker signs what is kept off the CRL.
   */
  @Test
  void claimExpired_neverSignedIsBeingRecorded_notTakenOver() throws Exception {
    Intent order = ordered(Intents.ALICE);
    SequencedMap<RequesterId, Integer> one = new LinkedHashMap<>();
    one.put(Intents.ALICE, 1);
    assertThat(orders().takeOrders(NODE_1, one)).hasSize(1);
    pass(LIFETIME.multipliedBy(2));
    Outcome neverSigned = new Outcome.Abandoned(Outcome.Reason.TOO_OLD, false);
    try (Connection stalled = database.writing().getConnection()) {
      var _ =
          new OutcomeInsert(stalled)
              .execute(
                  List.of(
                      new OutcomeRow(order.serialNumber(), neverSigned, claim(NODE_1, 1), soon())));

      assertThat(store.claimExpired(NODE_0, 10)).isEmpty();
      stalled.commit();
    }
    assertThat(store.claimExpired(NODE_0, 10)).isEmpty();
    assertThat(found(order).outcome()).contains(neverSigned);
  }

  /** What it executes would be committed. */
  @Test
  void plan_beforeTheFirstRecording_writesNoRowAndRecordingsGoOn() {
    BATCH_SIZES.clear();
    long before = SERVER.number(ADDRESS, ROWS_WRITTEN);

    store.plan(soon());
    store.plan(Deadline.after(Duration.ZERO, System::nanoTime));

    assertThat(SERVER.number(ADDRESS, ROWS_WRITTEN)).isEqualTo(before);
    assertThat(BATCH_SIZES).isEmpty();
    assertThat(isRecorded(intents.next())).isTrue();
  }

  @Test
  void recordIntent_manyWriters_shareTransactions() {
    BATCH_SIZES.clear();

    together(500, i -> recorded());

    // The observer hears of a batch after its callers have their answers.
    Await.until("500 rows committed", () -> rows() == 500);
    assertThat(BATCH_SIZES).hasSizeLessThan(250).allMatch(size -> size <= 256);
  }

  private static int rows() {
    synchronized (BATCH_SIZES) {
      return BATCH_SIZES.stream().mapToInt(Integer::intValue).sum();
    }
  }

  @Test
  void recordIntent_rowRefusedByTheSchema_othersOfItsBatchRecorded() {
    List<Intent> all =
        IntStream.range(0, 40)
            .mapToObj(i -> i == 17 ? withoutBytes(intents.next()) : intents.next())
            .toList();

    List<Boolean> recorded = together(all.size(), i -> isRecorded(all.get(i)));

    for (int i = 0; i < all.size(); i++) {
      assertThat(recorded.get(i)).isEqualTo(i != 17);
      assertThat(store.find(all.get(i).serialNumber()).isPresent()).isEqualTo(i != 17);
    }
  }

  @Test
  void recordIntent_expiresInTwentyYears_partitionMade() {
    Intent intent = intents.expiringAt(Instant.parse("2046-11-21T00:00:00Z"));

    record(intent);

    assertThat(found(intent).intent()).isEqualTo(intent);
  }

  @Test
  void recordIntent_manyUnknownWeeksAtOnce_partitionsMade() {
    List<Intent> all =
        IntStream.range(0, 30)
            .mapToObj(
                i ->
                    intents.expiringAt(
                        Instant.parse("2031-01-01T00:00:00Z").plus(Duration.ofDays(7L * (i % 10)))))
            .toList();

    together(all.size(), i -> record(all.get(i)));

    assertThat(all).allSatisfy(i -> assertThat(found(i).intent()).isEqualTo(i));
  }

  @Test
  void construct_claimNotLongerThanTransaction_refused() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(
            () ->
                new PostgresLedgerStore(
                    database, Duration.ofSeconds(10), (size, nanos) -> {}, System::nanoTime))
        .withMessageContaining("transaction timeout");
  }

  @Test
  void recordIntent_claimNotLongerThanTransaction_refused() {
    LedgerStore.ClaimTerms tooShort =
        new LedgerStore.ClaimTerms(NODE_0.owner(), Duration.ofSeconds(10));

    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> store.recordIntent(intents.next(), tooShort, soon()));
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> store.claimExpired(tooShort, 10));
  }

  private boolean isRecorded(Intent intent) {
    try {
      record(intent);
      return true;
    } catch (LedgerUnavailable e) {
      return false;
    }
  }

  private static Intent withoutBytes(Intent intent) {
    return new Intent(
        intent.serialNumber(),
        TbsCertificateDer.of(new byte[0]),
        intent.signatureAlgorithm(),
        intent.origin(),
        Optional.empty(),
        intent.payloadHash());
  }
}
