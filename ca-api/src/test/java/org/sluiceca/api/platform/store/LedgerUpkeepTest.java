package org.sluiceca.api.platform.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.issuance.store.PostgresLedgerStore;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.core.intent.Claim;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.LedgerStore.IntentAnswer;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.request.IdempotencyKey;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.time.Deadline;

/** What is dropped after a week, and what never is. */
class LedgerUpkeepTest {

  private static final PostgresForTests SERVER = PostgresForTests.get();
  private static final Address ADDRESS = SERVER.freshDatabase();
  private static final Duration LIFETIME = Duration.ofSeconds(15);
  private static final ClaimTerms OWNER = new ClaimTerms(new NodeId("owner"), LIFETIME);
  private static final Intents INTENTS = new Intents(9_000_007);

  private static LedgerDatabase database;
  private static PostgresLedgerStore store;

  @BeforeAll
  static void open() {
    database = new LedgerDatabase(ADDRESS);
    PostgresForTests.awaitLogin(database);
    store = new PostgresLedgerStore(database, LIFETIME, (size, nanos) -> {}, System::nanoTime);
  }

  @AfterAll
  static void close() {
    store.close();
    database.close();
  }

  @Test
  void pass_keys_onlyOldOnesOfDecidedIntentsAreDropped() throws Exception {
    Intent old = recorded("old");
    Intent young = recorded("young");
    Intent pending = recorded("pending");
    decide(old);
    decide(young);
    age("idempotency", "recorded_at", old, "8 days");
    age("idempotency", "recorded_at", young, "6 days");
    age("idempotency", "recorded_at", pending, "8 days");

    try (LedgerUpkeep upkeep = new LedgerUpkeep(database)) {
      upkeep.pass();
    }

    assertThat(count("idempotency", old)).isZero();
    assertThat(count("idempotency", young)).isOne();
    assertThat(count("idempotency", pending)).isOne();
    assertThat(count("intent", old)).isOne();
    assertThat(count("outcome", old)).isOne();
    assertThat(store.recordIntent(again("old"), OWNER, soon()))
        .isEqualTo(new IntentAnswer.Recorded());
    assertThat(store.recordIntent(again("young"), OWNER, soon()))
        .isInstanceOf(IntentAnswer.KeyInUse.class);
  }

  @Test
  void pass_claims_onlyOldOnesOfDecidedIntentsAreDropped() throws Exception {
    Intent decided = recorded("claimed-decided");
    Intent pending = recorded("claimed-pending");
    claim(decided);
    claim(pending);
    decide(decided, 1);

    try (LedgerUpkeep upkeep = new LedgerUpkeep(database)) {
      upkeep.pass();
    }

    assertThat(count("claim", decided)).isZero();
    assertThat(count("claim", pending)).isOne();
  }

  @Test
  void pass_partitionsMissing_created() throws Exception {
    String ahead = "SELECT count(*) FROM pg_inherits WHERE inhparent = 'outcome'::regclass";
    String last =
        "SELECT max(substring(inhrelid::regclass::text FROM 'w([0-9]+)')::integer)"
            + " FROM pg_inherits WHERE inhparent = 'outcome'::regclass";
    long before = SERVER.number(ADDRESS, ahead);
    SERVER.execute(ADDRESS, "DROP TABLE outcome_w" + SERVER.number(ADDRESS, last));

    try (LedgerUpkeep upkeep = new LedgerUpkeep(database)) {
      upkeep.pass();
    }

    assertThat(SERVER.number(ADDRESS, ahead)).isEqualTo(before);
  }

  private static Intent again(String key) {
    return INTENTS.next(Intents.ALICE, new IdempotencyKey(key));
  }

  private static Intent recorded(String key) {
    Intent intent = again(key);
    assertThat(store.recordIntent(intent, OWNER, soon())).isEqualTo(new IntentAnswer.Recorded());
    return intent;
  }

  private static void decide(Intent intent) {
    decide(intent, 0);
  }

  private static void decide(Intent intent, int epoch) {
    store.recordOutcome(
        intent.serialNumber(),
        new Outcome.Issued(Intents.signature(1)),
        new Claim(OWNER.owner(), epoch, soon()),
        soon());
  }

  private static void claim(Intent intent) {
    SERVER.execute(
        ADDRESS,
        String.format(
            Locale.ROOT,
            "INSERT INTO claim (expiry_week, serial, epoch, owner, expires_at) VALUES (%d, %s, 1, '%s', now() - interval '8 days')",
            intent.serialNumber().expiryWeek().number(),
            literal(intent),
            OWNER.owner()));
  }

  private static void age(String table, String column, Intent intent, String by) {
    SERVER.execute(
        ADDRESS,
        String.format(
            Locale.ROOT,
            "UPDATE %1$s SET %2$s = %2$s - interval '%3$s' WHERE serial = %4$s",
            table,
            column,
            by,
            literal(intent)));
  }

  private static long count(String table, Intent intent) {
    return SERVER.number(
        ADDRESS, "SELECT count(*) FROM " + table + " WHERE serial = " + literal(intent));
  }

  private static String literal(Intent intent) {
    return "'\\x" + intent.serialNumber().hex() + "'";
  }

  private static Deadline soon() {
    return Deadline.after(Duration.ofSeconds(20), System::nanoTime);
  }
}
