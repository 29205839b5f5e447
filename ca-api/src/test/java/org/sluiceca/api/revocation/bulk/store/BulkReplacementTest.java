package org.sluiceca.api.revocation.bulk.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.renewal.store.RateStore;
import org.sluiceca.api.renewal.store.ReplacementStore;
import org.sluiceca.api.revocation.store.PostgresRevocationStore;
import org.sluiceca.api.revocation.store.RevocationDatabase;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.renewal.Replacement;
import org.sluiceca.core.renewal.Urgency;
import org.sluiceca.core.revoke.Revoker;
import org.sluiceca.core.revoke.bulk.BulkJob;
import org.sluiceca.core.revoke.bulk.BulkRevocation;
import org.sluiceca.core.revoke.bulk.BulkSelection;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.testkit.Revocable;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.RevocationReason;

/** What is recorded of replacements and rates, and what a certificate finds of it. */
class BulkReplacementTest {

  private static final RevocationDatabase DATABASE = new RevocationDatabase();
  private static final Instant NOW = Fixtures.NOW;
  private static final Instant BEFORE = NOW.minusSeconds(3_600);

  private final Revocable certificates = new Revocable(29);
  private final BulkJobStore jobs = new BulkJobStore(DATABASE.database());
  private final ReplacementStore replacements = new ReplacementStore(DATABASE.database());
  private final RateStore rates = new RateStore(DATABASE.database());
  private final PostgresRevocationStore revocations =
      new PostgresRevocationStore(DATABASE.database());

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @BeforeEach
  void empty() {
    DATABASE.empty();
    DATABASE.execute("DELETE FROM renewal_node_rate");
  }

  private LedgerEntry issued(String requester) {
    LedgerEntry entry =
        BulkCountTest.of(
            certificates.silent(NOW.plus(Duration.ofDays(20))), requester, "web", "issuing");
    DATABASE.issued(entry, BEFORE);
    return entry;
  }

  private BulkJob started(long selected) {
    BulkJob job =
        new BulkJob(
            UUID.randomUUID(),
            new BulkRevocation(
                new BulkSelection(
                    Optional.of(Intents.ALICE),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty()),
                RevocationReason.KEY_COMPROMISE,
                Optional.empty(),
                Intents.BOB),
            NOW,
            selected);
    jobs.record(job);
    jobs.start(job.id(), "a");
    return job;
  }

  private Optional<Replacement> found(LedgerEntry entry, RevocationReason reason) {
    return replacements
        .recordedAt(entry.intent().serialNumber())
        .flatMap(at -> replacements.ofRevoked(entry, reason, at));
  }

  @Test
  void start_job_recordedOnceWithItsCountAndTheRateThen() {
    rates.report("a", 100);
    BulkJob job = started(1_000);
    Replacement first = replacements.recent().getFirst();

    jobs.start(job.id(), "b");
    DATABASE.execute("UPDATE renewal_rate SET recorded_at = now() - interval '2 hours'");
    rates.report("a", 10);

    assertThat(replacements.recent()).containsExactly(first);
    assertThat(first.certificates()).isEqualTo(Map.of(Urgency.COMPROMISED, 1_000L));
    assertThat(first.sparePerSecond()).isEqualTo(50);
    assertThat(first.within()).isEqualTo(Replacement.A_DAY);
    // The next one shares what the HSM spares now.
    started(2_000);
    assertThat(replacements.recent().getFirst().sparePerSecond()).isEqualTo(2.5);
  }

  /**
   * Planted: the table takes nothing. A revocation that waits is worse than many renewals at once.
   */
  @Test
  void start_replacementCannotBeRecorded_jobStartsAndALaterStepRecordsIt() {
    DATABASE.execute("ALTER TABLE replacement ADD CONSTRAINT planted CHECK (false) NOT VALID");
    BulkJob job;
    try {
      job = started(1_000);
      new BulkBatches(DATABASE.database(), "a", Duration.ZERO).step(job);
    } finally {
      DATABASE.execute("ALTER TABLE replacement DROP CONSTRAINT planted");
    }
    assertThat(jobs.find(job.id()).orElseThrow().status()).isEqualTo(BulkJobStore.Status.RUNNING);
    assertThat(replacements.recent()).isEmpty();

    new BulkBatches(DATABASE.database(), "a", Duration.ZERO).step(job);

    assertThat(replacements.recent()).hasSize(1);
  }

  /**
   * A node of the release before starts a job and goes on with it; this one only looks at it. What
   * was revoked before it looked belongs to the job, too.
   */
  @Test
  void step_jobOfAnotherNodeWithoutReplacement_recordedOnce() {
    LedgerEntry early = issued("alice");
    BulkJob job = started(1_000);
    assertThat(new BulkBatches(DATABASE.database(), "a", Duration.ZERO).step(job))
        .isInstanceOf(BulkBatches.Step.Went.class);
    DATABASE.execute("DELETE FROM replacement");
    BulkBatches node = new BulkBatches(DATABASE.database(), "b", Duration.ofDays(1));

    assertThat(node.step(job)).isInstanceOf(BulkBatches.Step.Elsewhere.class);
    Replacement first = replacements.recent().getFirst();
    node.step(job);

    assertThat(first.certificates()).isEqualTo(Map.of(Urgency.COMPROMISED, 1_000L));
    assertThat(replacements.recent()).containsExactly(first);
    assertThat(found(early, RevocationReason.KEY_COMPROMISE)).contains(first);
    assertThat(
            DATABASE.number(
                "SELECT count(*) FROM replacement p JOIN revocation_job_start s USING (job)"
                    + " WHERE p.begun = s.recorded_at"))
        .isOne();
  }

  @Test
  void ofRevoked_byTheJob_thatReplacementAndNoOther() {
    LedgerEntry selected = issued("alice");
    LedgerEntry other = issued("bob");
    LedgerEntry early = issued("alice");
    Revoker revoker = new Revoker(revocations, () -> NOW, event -> {});
    revoker.revoke(early, Intents.BOB, RevocationReason.KEY_COMPROMISE, Optional.empty());
    BulkJob job = started(1);
    BulkBatches node = new BulkBatches(DATABASE.database(), "a", Duration.ZERO);
    while (!(node.step(job) instanceof BulkBatches.Step.AllRead)) {
      // One batch after another.
    }
    revoker.revoke(other, Intents.BOB, RevocationReason.KEY_COMPROMISE, Optional.empty());

    assertThat(found(selected, RevocationReason.KEY_COMPROMISE))
        .contains(replacements.recent().getFirst());
    // Of another requester; and revoked alone before.
    assertThat(found(other, RevocationReason.KEY_COMPROMISE)).isEmpty();
    assertThat(found(early, RevocationReason.KEY_COMPROMISE)).isEmpty();
    // For another reason than the job's.
    assertThat(found(selected, RevocationReason.SUPERSEDED)).isEmpty();
  }

  @Test
  void ofRetired_recordedByTheStore_stillValidWithinItsTime() {
    IssuerName issuer = new IssuerName("issuing");
    assertThat(replacements.ofRetired(issuer)).isEmpty();
    // Neither is in the tally yet.
    issued("alice");
    issued("bob");

    for (int i = 0; i < 2; i++) {
      int _ =
          DATABASE
              .database()
              .sql()
              .transaction(
                  "not recorded",
                  jdbc -> {
                    ReplacementStore.recordRetirement(jdbc, issuer);
                    return 0;
                  });
    }

    Replacement replacement = replacements.ofRetired(issuer).orElseThrow();
    assertThat(replacement.certificates()).isEqualTo(Map.of(Urgency.STILL_VALID, 2L));
    assertThat(replacement.within()).isEqualTo(ReplacementStore.RETIREMENT_WITHIN);
    assertThat(replacement.sparePerSecond()).isEqualTo(RateStore.ASSUMED_PER_SECOND);
    assertThat(replacements.ofRetired(new IssuerName("other"))).isEmpty();
  }

  @Test
  void report_severalNodes_halfTheirSumOnceAnHour() {
    Instant before = Instant.now().minusSeconds(60);
    rates.report("a", 20);
    rates.report("b", 40);

    // Recorded when the first one reported; later rates follow after an hour.
    assertThat(rates.at(Instant.now().plusSeconds(60))).isEqualTo(10);
    assertThat(rates.at(before)).isEqualTo(RateStore.ASSUMED_PER_SECOND);
    DATABASE.execute("UPDATE renewal_rate SET recorded_at = now() - interval '2 hours'");
    rates.report("a", 20);
    assertThat(rates.at(Instant.now().plusSeconds(60))).isEqualTo(30);
    assertThat(rates.at(before)).isEqualTo(10);
  }

  /** A burst of 600 in ten seconds, some before it, and one long after: against the recursion. */
  @Test
  void backlogSeconds_manyRevocations_asTheQueueHasIt() {
    Instant start = Instant.now().truncatedTo(ChronoUnit.MINUTES).minus(Duration.ofHours(2));
    List<Instant> times = IntStream.range(0, 600).mapToObj(i -> start.plusMillis(i * 16L)).toList();
    DATABASE.execute("SELECT ensure_expiry_weeks(ARRAY[3000])");
    for (int i = 0; i < times.size(); i++) {
      DATABASE.execute(revocation(i, times.get(i), i % 3 == 0 ? 1 : 4));
    }
    double interval = 2 / 4.0;
    Instant minute = start.plusSeconds(60);
    double waits = 0;
    Instant last = start;
    for (Instant time : times) {
      waits = Math.max(0, waits - Duration.between(last, time).toNanos() / 1e9) + interval;
      last = time;
    }
    waits = Math.max(0, waits - Duration.between(last, minute).toNanos() / 1e9);

    assertThat(waits).isGreaterThan(200);
    assertThat(rates.backlogSeconds(minute, 4, false)).isEqualTo(waits, within(1e-3));
    // Compromised keys wait for their like alone: a third of them.
    assertThat(rates.backlogSeconds(minute, 4, true)).isEqualTo(40, within(1.0));
    // An HSM that is fast enough has none.
    assertThat(rates.backlogSeconds(minute, 1_000, false)).isZero();
    assertThat(rates.backlogSeconds(start.plusSeconds(3_600), 4, false)).isZero();
    assertThat(rates.ahead(start, times.get(599), false)).isEqualTo(599);
    assertThat(rates.ahead(start, start, false)).isZero();
  }

  /**
   * Five single revocations among the rows of bulk revocations, more than are looked back on: a
   * batch has one time for its certificates and for itself.
   */
  @Test
  void backlogSeconds_betweenManyRowsOfBulkRevocations_singleOnesAlone() {
    Instant start = Instant.now().truncatedTo(ChronoUnit.MINUTES).minus(Duration.ofHours(2));
    DATABASE.execute("SELECT ensure_expiry_weeks(ARRAY[3000])");
    BulkJob job = started(60_000);
    DATABASE.execute(
        String.format(
            Locale.ROOT,
            "INSERT INTO revocation_job_batch (job, number, owner, read_week, read_serial, revoked,"
                + " already_revoked, refused, recorded_at) SELECT '%s', n, 'a', 1, '\\x', 500, 0, 0,"
                + " '%s'::timestamptz + n * interval '250 milliseconds'"
                + " FROM generate_series(1, 120) AS n",
            job.id(),
            start),
        String.format(
            Locale.ROOT,
            "INSERT INTO revocation (expiry_week, serial, event, issuer, shard, revision,"
                + " recorded_at, requester, reason, revoked_at, not_after) SELECT 3000,"
                + " decode(lpad(to_hex(n), 38, '0'), 'hex'), 1, 'issuing', 0, n + 1,"
                + " '%s'::timestamptz + (1 + n / 500) * interval '250 milliseconds', 'bob', 1, now(),"
                + " now() FROM generate_series(0, 59999) AS n",
            start));
    for (int i = 0; i < 5; i++) {
      DATABASE.execute(revocation(60_000 + i, start.plusMillis(100 + i * 250), i == 0 ? 1 : 4));
    }
    Instant minute = start.plusSeconds(60);

    // Each takes 100 s: 500 s from the first one's time on.
    assertThat(rates.backlogSeconds(minute, 0.02, false)).isEqualTo(500 - 59.9, within(1e-3));
    assertThat(rates.backlogSeconds(minute, 0.02, true)).isEqualTo(100 - 59.9, within(1e-3));
    assertThat(rates.ahead(start, minute, false)).isEqualTo(5);
    assertThat(rates.ahead(start, minute, true)).isOne();
  }

  private static String revocation(int number, Instant at, int reason) {
    return String.format(
        Locale.ROOT,
        "INSERT INTO revocation (expiry_week, serial, event, issuer, shard, revision, recorded_at,"
            + " requester, reason, revoked_at, not_after) VALUES (3000, decode(lpad('%x', 38, '0'),"
            + " 'hex'), 1, 'issuing', 0, %d, '%s', 'bob', %d, now(), now())",
        number,
        number + 1,
        at,
        reason);
  }
}
