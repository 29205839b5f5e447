package org.sluiceca.api.issuance.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.issuance.store.commit.IntentRow;
import org.sluiceca.api.platform.store.Await;
import org.sluiceca.api.platform.store.ConnectionLimits;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.api.revocation.store.CompromisedKeyStore;
import org.sluiceca.api.revocation.store.PostgresRevocationStore;
import org.sluiceca.api.revocation.store.SameKeyCertificates;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.KeyFingerprint;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.LedgerStore.IntentAnswer;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.request.IdempotencyKey;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.revoke.RevocationEvent;
import org.sluiceca.core.revoke.RevocationEvent.Change;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.x509.RevocationReason;
import org.springframework.core.io.ClassPathResource;

/** Revocations that report a key, and intents for it, in transactions side by side. */
class CompromisedKeyTest {

  private static final PostgresForTests SERVER = PostgresForTests.get();
  private static final Address ADDRESS = SERVER.freshDatabase();
  private static final Duration LIFETIME = Duration.ofSeconds(15);
  private static final ClaimTerms TERMS = new ClaimTerms(new NodeId("node-0"), LIFETIME);
  private static final String LOCKS_WAITED_FOR =
      "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
          + " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";

  private static final String TABLES_WAITED_FOR =
      "SELECT count(*) FROM pg_locks WHERE locktype = 'relation' AND NOT granted"
          + " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
  private static final String KEYS_LOCKED =
      "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted"
          + " AND classid = 1853187683"
          + " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";

  private static final RequesterId OFFICER = new RequesterId("officer");

  private static LedgerDatabase database;

  private final Intents intents = new Intents(System.nanoTime());
  private final AtomicInteger batches = new AtomicInteger();

  /** A node forgets no key that it has refused, so each test has one of its own. */
  private PostgresLedgerStore store;

  @BeforeAll
  static void open() {
    database = new LedgerDatabase(ADDRESS);
    PostgresForTests.awaitLogin(database);
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  @BeforeEach
  void empty() {
    store =
        new PostgresLedgerStore(
            database, LIFETIME, (size, nanos) -> batches.incrementAndGet(), System::nanoTime);
    SERVER.execute(
        ADDRESS,
        "DELETE FROM compromised_key",
        "DELETE FROM compromised_key_claim",
        "DELETE FROM certificate_index",
        "DELETE FROM revocation",
        "DELETE FROM idempotency",
        "DELETE FROM intent");
  }

  @Test
  void recordIntent_keyReported_refusedAndOtherKeysAreNot() throws DerException {
    Intent first = intents.next();
    record(first);

    revoke(first, 1, RevocationReason.KEY_COMPROMISE);

    assertThat(record(intents.next())).isEqualTo(new IntentAnswer.KeyCompromised());
    assertThat(record(intents.next(SoftwareKey.named("ed25519"))))
        .isEqualTo(new IntentAnswer.Recorded());
    assertThat(
            new CompromisedKeyStore(database)
                .contains(KeyFingerprint.of(first.tbsCertificate()), Intents.BOB))
        .isTrue();
  }

  /** A look a minute after the newest key reads nothing again, however many came at once. */
  @Test
  void since_newest_againOnlyForAMinute() {
    CompromisedKeyStore keys = new CompromisedKeyStore(database);
    Intent first = intents.next();
    record(first);
    revoke(first, 1, RevocationReason.KEY_COMPROMISE);
    Instant newest = keys.since(Instant.EPOCH, 10).getFirst().at();
    assertThat(keys.since(newest, 10)).hasSize(1);

    SERVER.execute(
        ADDRESS, "UPDATE compromised_key SET recorded_at = recorded_at - interval '2 minutes'");
    newest = keys.since(Instant.EPOCH, 10).getFirst().at();

    assertThat(keys.since(newest, 10)).isEmpty();
    assertThat(keys.since(newest.minusNanos(1000), 10)).hasSize(1);
  }

  /**
   * A requester with a copy of another's request has a certificate of that key, too: what it says
   * of the key ends its own use of it alone.
   */
  @Test
  void recordIntent_keyReportedByItsRequester_refusedToThatOneAlone() throws DerException {
    Intent alices = intents.next();
    Intent bobs = intents.next(Intents.BOB, new IdempotencyKey("first"));
    record(alices);
    record(bobs);

    revoke(alices, 1, RevocationReason.KEY_COMPROMISE, Intents.ALICE);

    assertThat(record(intents.next())).isEqualTo(new IntentAnswer.KeyCompromised());
    assertThat(record(intents.next(Intents.BOB, new IdempotencyKey("second"))))
        .isEqualTo(new IntentAnswer.Recorded());
    CompromisedKeyStore keys = new CompromisedKeyStore(database);
    KeyFingerprint key = KeyFingerprint.of(alices.tbsCertificate());
    assertThat(keys.contains(key, Intents.ALICE)).isTrue();
    assertThat(keys.contains(key, Intents.BOB)).isFalse();
    assertThat(keys.isReportedByItsRequester(alices.serialNumber())).isTrue();
    assertThat(keys.isReportedByItsRequester(bobs.serialNumber())).isFalse();
    assertThat(keys.since(Instant.EPOCH, 10)).isEmpty();

    revoke(bobs, 1, RevocationReason.KEY_COMPROMISE, OFFICER);

    assertThat(record(intents.next(Intents.BOB, new IdempotencyKey("third"))))
        .isEqualTo(new IntentAnswer.KeyCompromised());
  }

  @Test
  void recordIntent_otherReason_recorded() {
    Intent first = intents.next();
    record(first);
    revoke(first, 1, RevocationReason.CERTIFICATE_HOLD);
    revoke(first, 2, RevocationReason.SUPERSEDED);

    assertThat(record(intents.next())).isEqualTo(new IntentAnswer.Recorded());
  }

  /** RFC 5280 5.3.1: what was superseded may turn out to be compromised. */
  @Test
  void recordIntent_reasonBecameKeyCompromise_refused() {
    Intent first = intents.next();
    record(first);
    revoke(first, 1, RevocationReason.SUPERSEDED);
    revoke(first, 2, RevocationReason.KEY_COMPROMISE);

    assertThat(record(intents.next())).isEqualTo(new IntentAnswer.KeyCompromised());
  }

  /** What an earlier release recorded had no trigger: the migration itself takes it in. */
  @Test
  void migration_keyReportedBeforeIt_refusedAfterwards() throws IOException {
    Intent first = intents.next();
    record(first);
    SERVER.execute(ADDRESS, "ALTER TABLE revocation DISABLE TRIGGER record_compromised_keys");
    try {
      revoke(first, 1, RevocationReason.KEY_COMPROMISE);
    } finally {
      SERVER.execute(ADDRESS, "ALTER TABLE revocation ENABLE TRIGGER record_compromised_keys");
    }
    assertThat(record(intents.next())).isEqualTo(new IntentAnswer.Recorded());

    String migration =
        new ClassPathResource("db/migration/V18__compromised_key.sql")
            .getContentAsString(StandardCharsets.UTF_8);
    SERVER.execute(ADDRESS, migration.substring(migration.lastIndexOf("INSERT INTO")));

    assertThat(record(intents.next())).isEqualTo(new IntentAnswer.KeyCompromised());
  }

  /** The requester's key stays free: a new request with another public key may use it. */
  @Test
  void recordIntent_refused_takesNoIdempotencyKey() {
    Intent first = intents.next();
    record(first);
    revoke(first, 1, RevocationReason.KEY_COMPROMISE);

    Intent keyed = intents.next(Intents.ALICE, new IdempotencyKey("k"));
    assertThat(record(keyed)).isEqualTo(new IntentAnswer.KeyCompromised());

    assertThat(SERVER.number(ADDRESS, "SELECT count(*) FROM idempotency")).isZero();
  }

  /** Each batch with such a row is written twice: a requester must not have that go on. */
  @Test
  void recordIntent_refusedBefore_refusedWithoutATransaction() {
    Intent first = intents.next();
    record(first);
    revoke(first, 1, RevocationReason.KEY_COMPROMISE, Intents.ALICE);
    assertThat(record(intents.next())).isEqualTo(new IntentAnswer.KeyCompromised());
    // The observer of a batch comes after the answer.
    Await.until("two batches", () -> batches.get() == 2);

    assertThat(record(intents.next())).isEqualTo(new IntentAnswer.KeyCompromised());
    assertThat(record(intents.next(Intents.ALICE, new IdempotencyKey("k"))))
        .isEqualTo(new IntentAnswer.KeyCompromised());
    assertThat(
            new PostgresOrderStore(database, store)
                .recordOrder(
                    intents.next(), TERMS.owner(), Deadline.after(LIFETIME, System::nanoTime)))
        .isEqualTo(new IntentAnswer.KeyCompromised());
    assertThat(record(intents.next(Intents.BOB, new IdempotencyKey("k"))))
        .isEqualTo(new IntentAnswer.Recorded());

    Await.until("one batch for what was not refused", () -> batches.get() == 3);
    assertThat(SERVER.number(ADDRESS, "SELECT count(*) FROM intent")).isEqualTo(2);
  }

  @Test
  void execute_batchWithOneCompromisedKey_refusesThatOneAlone() throws Exception {
    Intent first = intents.next();
    record(first);
    revoke(first, 1, RevocationReason.KEY_COMPROMISE);
    IntentRow bad = row(intents.next());
    IntentRow good = row(intents.next(SoftwareKey.named("ed448")));
    IntentRow other = row(intents.next(SoftwareKey.named("rsa-2048")));

    try (Connection connection = database.writing().getConnection()) {
      Map<IntentRow, Optional<IntentAnswer>> answers =
          new IntentInsert(connection).execute(List.of(good, bad, other));
      connection.commit();

      assertThat(answers.get(bad)).contains(new IntentAnswer.KeyCompromised());
      assertThat(answers.get(good)).contains(new IntentAnswer.Recorded());
      assertThat(answers.get(other)).contains(new IntentAnswer.Recorded());
    }
  }

  /** The insert leaves it out, and the rows that are there after the commit show which one. */
  @Test
  void commit_batchWithOneCompromisedKey_refusesThatOneAlone() throws Exception {
    Intent first = intents.next();
    record(first);
    revoke(first, 1, RevocationReason.KEY_COMPROMISE);
    IntentRow bad = row(intents.next());
    IntentRow good = row(intents.next(SoftwareKey.named("ed448")));
    IntentRow other = row(intents.next(SoftwareKey.named("rsa-2048")));
    List<IntentRow> batch = List.of(good, bad, other);

    assertThat(PlainCommit.takes(batch, List.of())).isTrue();
    new JdbcTransaction(database.writing(), database.partitions()).commit(batch, List.of()).run();

    assertThat(bad.result()).contains(new IntentAnswer.KeyCompromised());
    assertThat(good.result()).contains(new IntentAnswer.Recorded());
    assertThat(other.result()).contains(new IntentAnswer.Recorded());
    assertThat(SERVER.number(ADDRESS, "SELECT count(*) FROM intent")).isEqualTo(3);
  }

  /** What stands there is another intent, which does not make this one recorded. */
  @Test
  void commit_compromisedKeyUnderTheSerialNumberOfAnother_refused() throws Exception {
    Intent first = intents.next();
    record(first);
    revoke(first, 1, RevocationReason.KEY_COMPROMISE);
    Intent standing = intents.next(SoftwareKey.named("ed448"));
    record(standing);
    Intent other = intents.next();
    IntentRow bad =
        row(
            new Intent(
                standing.serialNumber(),
                other.tbsCertificate(),
                other.signatureAlgorithm(),
                other.origin(),
                other.idempotencyKey(),
                other.payloadHash()));

    new JdbcTransaction(database.writing(), database.partitions())
        .commit(List.of(bad), List.of())
        .run();

    assertThat(bad.result()).contains(new IntentAnswer.KeyCompromised());
  }

  /** The revocation has written and not committed: the intent waits, and is refused then. */
  @Test
  void recordIntent_revocationUnderWay_waitsForItAndIsRefused() throws Exception {
    Intent first = intents.next();
    record(first);
    try (ExecutorService threads = Executors.newSingleThreadExecutor();
        Connection revoking = SERVER.connect(ADDRESS)) {
      revoking.setAutoCommit(false);
      insertRevocation(revoking, first);

      Future<IntentAnswer> answer = threads.submit(() -> record(intents.next()));
      Await.until("a lock is waited for", () -> SERVER.number(ADDRESS, LOCKS_WAITED_FOR) == 1);
      assertThat(answer.isDone()).isFalse();
      revoking.commit();

      assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo(new IntentAnswer.KeyCompromised());
    }
  }

  /** One message, one transaction: between its statements no revocation can commit. */
  @Test
  void recordIntent_alone_holdsTheLockOfItsKeyWhileItInserts() throws Exception {
    ConnectionLimits patience =
        new ConnectionLimits(
            Duration.ofSeconds(30),
            Duration.ofSeconds(40),
            Duration.ofSeconds(50),
            Duration.ofSeconds(60));
    ClaimTerms terms = new ClaimTerms(new NodeId("node-1"), Duration.ofMinutes(2));
    try (LedgerDatabase patient = new LedgerDatabase(ADDRESS, patience)) {
      PostgresForTests.awaitLogin(patient);
      try (PostgresLedgerStore own =
              new PostgresLedgerStore(patient, terms.lifetime(), (s, n) -> {}, System::nanoTime);
          ExecutorService threads = Executors.newSingleThreadExecutor();
          Connection other = SERVER.connect(ADDRESS)) {
        // So that the next one finds its partition.
        own.recordIntent(intents.next(), terms, Deadline.after(LIFETIME, System::nanoTime));
        other.setAutoCommit(false);
        other.createStatement().execute("LOCK TABLE intent IN SHARE MODE");

        Future<IntentAnswer> answer =
            threads.submit(
                () ->
                    own.recordIntent(
                        intents.next(), terms, Deadline.after(LIFETIME, System::nanoTime)));
        Await.until("the insert waits", () -> SERVER.number(ADDRESS, TABLES_WAITED_FOR) == 1);

        assertThat(SERVER.number(ADDRESS, KEYS_LOCKED)).isOne();
        other.rollback();
        assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo(new IntentAnswer.Recorded());
        assertThat(SERVER.number(ADDRESS, KEYS_LOCKED)).isZero();
      }
    }
  }

  /** The intent was inserted and not committed: the revocation waits, so the intent came first. */
  @Test
  void revoke_intentUnderWay_waitsForIt() throws Exception {
    Intent first = intents.next();
    record(first);
    IntentRow row = row(intents.next());
    try (ExecutorService threads = Executors.newSingleThreadExecutor();
        Connection recording = database.writing().getConnection()) {
      Map<IntentRow, Optional<IntentAnswer>> answers =
          new IntentInsert(recording).execute(List.of(row));
      Future<?> revoked = threads.submit(() -> revoke(first, 1, RevocationReason.KEY_COMPROMISE));
      Await.until("a lock is waited for", () -> SERVER.number(ADDRESS, LOCKS_WAITED_FOR) == 1);
      assertThat(revoked.isDone()).isFalse();
      recording.commit();
      revoked.get(30, TimeUnit.SECONDS);

      assertThat(answers.get(row)).contains(new IntentAnswer.Recorded());
    }
    assertThat(record(intents.next())).isEqualTo(new IntentAnswer.KeyCompromised());
  }

  @Test
  void sameKey_othersOfTheRequester_thoseThatAreValid() {
    Instant end = Instant.now().plus(Duration.ofDays(30)).truncatedTo(ChronoUnit.SECONDS);
    Intent compromised = intents.expiringAt(end);
    Intent other = intents.expiringAt(end);
    Intent revoked = intents.expiringAt(end);
    Intent otherKey = intents.next(SoftwareKey.named("ed25519"));
    List.of(compromised, other, revoked, otherKey).forEach(this::record);
    SERVER.execute(
        ADDRESS,
        """
        INSERT INTO certificate_index (expiry_week, serial, issued_at, requester, profile, issuer,
          not_before, not_after, subject, subject_names, sans)
        SELECT expiry_week, serial, now(), requester, profile, issuer, now(), now() + interval '9 days',
          '', '{}', '{}'
        FROM intent
        """);
    revoke(revoked, 1, RevocationReason.SUPERSEDED);

    assertThat(new SameKeyCertificates(database).of(compromised))
        .containsExactly(other.serialNumber());
  }

  /** Two implementations of one hash must agree for every kind of key. */
  @Test
  void spkiSha256_everyKindOfKey_isTheFingerprint() throws Exception {
    for (String name :
        List.of(
            "ec-p256",
            "ec-p384",
            "ec-p521",
            "ed25519",
            "ed448",
            "rsa-2048",
            "rsa-3072",
            "rsa-4096")) {
      SoftwareKey key = SoftwareKey.named(name);
      byte[] tbs = intents.next(key).tbsCertificate().encoded();

      assertThat(spkiSha256(tbs)).isEqualTo(KeyFingerprint.of(key.publicKey()).sha256().octets());
    }
  }

  @Test
  void spkiSha256_octetsThatAreNoCertificate_isNull() throws Exception {
    byte[] tbs = intents.next().tbsCertificate().encoded();
    for (int length = 1; length < 300 && length < tbs.length; length += 7) {
      byte[] cut = Arrays.copyOf(tbs, length);
      byte[] hash = spkiSha256(cut);
      assertThat(hash == null || hash.length == 32).isTrue();
    }
    assertThat(spkiSha256(new byte[] {0x30})).isNull();
    assertThat(spkiSha256(new byte[] {0x30, (byte) 0x80, 0, 0})).isNull();
    assertThat(spkiSha256(new byte[] {0x30, (byte) 0x84, 127, 127, 127, 127})).isNull();
  }

  private static byte @Nullable [] spkiSha256(byte[] tbs) throws Exception {
    try (Connection connection = SERVER.connect(ADDRESS);
        PreparedStatement statement = connection.prepareStatement("SELECT spki_sha256(?)")) {
      statement.setBytes(1, tbs);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getBytes(1);
      }
    }
  }

  private static void insertRevocation(Connection connection, Intent intent) throws Exception {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            INSERT INTO revocation (expiry_week, serial, event, issuer, shard, revision, not_after,
              requester, reason, revoked_at)
            VALUES (?, ?, 1, 'issuing', 0, 1, now(), 'officer', 1, now())
            """)) {
      statement.setInt(1, intent.serialNumber().expiryWeek().number());
      statement.setBytes(2, intent.serialNumber().octets());
      statement.executeUpdate();
    }
  }

  private static void revoke(Intent intent, int number, RevocationReason reason) {
    revoke(intent, number, reason, OFFICER);
  }

  private static void revoke(Intent intent, int number, RevocationReason reason, RequesterId by) {
    assertThat(
            new PostgresRevocationStore(database)
                .append(
                    new RevocationEvent(
                        intent.serialNumber(),
                        number,
                        new CrlScope(intent.origin().issuer(), 0),
                        by,
                        Instant.parse("2027-01-01T00:00:00Z"),
                        new Change.Revoked(reason, Optional.empty(), Optional.empty()))))
        .isPresent();
  }

  private static IntentRow row(Intent intent) {
    return new IntentRow(intent, TERMS, Deadline.after(LIFETIME, System::nanoTime));
  }

  private IntentAnswer record(Intent intent) {
    return store.recordIntent(intent, TERMS, Deadline.after(LIFETIME, System::nanoTime));
  }
}
