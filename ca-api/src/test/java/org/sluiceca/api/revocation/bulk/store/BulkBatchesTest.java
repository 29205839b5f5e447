package org.sluiceca.api.revocation.bulk.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.revocation.bulk.store.BulkBatches.Step;
import org.sluiceca.api.revocation.bulk.store.BulkJobStore.Status;
import org.sluiceca.api.revocation.store.PostgresRevocationStore;
import org.sluiceca.api.revocation.store.RevocationDatabase;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.revoke.Revocation;
import org.sluiceca.core.revoke.RevocationResult;
import org.sluiceca.core.revoke.RevocationStatus;
import org.sluiceca.core.revoke.Revoker;
import org.sluiceca.core.revoke.bulk.BulkCounts;
import org.sluiceca.core.revoke.bulk.BulkJob;
import org.sluiceca.core.revoke.bulk.BulkRevocation;
import org.sluiceca.core.revoke.bulk.BulkSelection;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.testkit.Revocable;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;

/** All that was shown is revoked, once, and nothing else: with many nodes, crashes, and others. */
class BulkBatchesTest {

  private static final RevocationDatabase DATABASE = new RevocationDatabase();
  private static final Instant NOW = Fixtures.NOW;
  private static final Instant BEFORE = NOW.minusSeconds(3_600);

  /** A lease that has always ended, and one that never does. */
  private static final Duration NONE = Duration.ZERO;

  private static final Duration LONG = Duration.ofHours(1);

  private static final int BATCH = 4;
  private static final int PAGE = 3;
  private static final int SEEDS = 12;

  private final Revocable certificates = new Revocable(23);
  private final BulkJobStore jobs = new BulkJobStore(DATABASE.database());
  private final PostgresRevocationStore revocations =
      new PostgresRevocationStore(DATABASE.database());

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @BeforeEach
  void empty() {
    DATABASE.empty();
  }

  @Test
  void step_untilAllRead_allAndOnlyThose() {
    List<LedgerEntry> alices = issued("alice", 11, BEFORE);
    List<LedgerEntry> others = issued("bob", 5, BEFORE);
    BulkJob job = started(11);

    List<SerialNumber> revoked = run(List.of(node("a", NONE)), job, new SplittableRandom(1));

    assertThat(revoked).containsExactlyInAnyOrderElementsOf(serials(alices));
    assertAll(alices, job);
    assertThat(others).allSatisfy(o -> assertThat(status(o).events()).isZero());
    assertThat(jobs.find(job.id()).orElseThrow().counts()).isEqualTo(new BulkCounts(11, 0, 0));
    assertThat(status(alices.getFirst()).revocation())
        .hasValueSatisfying(
            r -> {
              assertThat(r.reason()).isEqualTo(RevocationReason.KEY_COMPROMISE);
              assertThat(r.invalidityDate()).contains(BEFORE);
            });
  }

  @Test
  void step_issuedAfterTheDryRun_leftAlone() {
    List<LedgerEntry> shown = issued("alice", 3, BEFORE);
    BulkJob job = started(3);
    List<LedgerEntry> later = issued("alice", 3, NOW);

    run(List.of(node("a", NONE)), job, new SplittableRandom(1));

    assertAll(shown, job);
    assertThat(later).allSatisfy(l -> assertThat(status(l).events()).isZero());
  }

  @Test
  void step_decidedMeanwhile_keepsItsReason() {
    List<LedgerEntry> shown = issued("alice", 3, BEFORE);
    BulkJob job = started(3);
    revoke(shown.get(0), RevocationReason.SUPERSEDED);
    revoke(shown.get(1), RevocationReason.CERTIFICATE_HOLD);

    run(List.of(node("a", NONE)), job, new SplittableRandom(1));

    assertThat(shown)
        .extracting(s -> status(s).revocation().map(Revocation::reason).orElseThrow())
        .containsExactly(
            RevocationReason.SUPERSEDED,
            RevocationReason.CERTIFICATE_HOLD,
            RevocationReason.KEY_COMPROMISE);
    assertThat(jobs.find(job.id()).orElseThrow().counts()).isEqualTo(new BulkCounts(1, 2, 0));
  }

  @Test
  void step_manyCrls_revisionsOfEachWithoutGap() {
    List<LedgerEntry> entries = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      LedgerEntry entry =
          BulkCountTest.of(
              certificates.onCrl("issuing/" + (1 + i % 3) + ".crl"), "alice", "web", "issuing");
      DATABASE.issued(entry, BEFORE);
      entries.add(entry);
    }
    BulkJob job = started(9);
    revoke(entries.getFirst(), RevocationReason.SUPERSEDED);

    run(List.of(node("a", NONE)), job, new SplittableRandom(1));

    assertAll(entries, job);
    assertRevisionsWithoutGap();
  }

  @Test
  void step_ofAnotherNodeThatLives_elsewhere() {
    issued("alice", 9, BEFORE);
    BulkJob job = started(9);
    BulkBatches first = node("a", LONG);
    BulkBatches second = node("b", LONG);

    assertThat(second.step(job)).isInstanceOf(Step.Elsewhere.class);
    assertThat(first.step(job)).isInstanceOf(Step.Went.class);
    assertThat(second.step(job)).isInstanceOf(Step.Elsewhere.class);
    assertThat(node("c", NONE).step(job)).isInstanceOf(Step.Went.class);
    // Now it is the third's.
    assertThat(first.step(job)).isInstanceOf(Step.Elsewhere.class);
  }

  /** Crashes after any batch, in any order of nodes: each goes on where the last one was. */
  @Test
  void step_nodesTakingOverAtRandom_everyOneOnce() {
    for (int seed = 0; seed < SEEDS; seed++) {
      DATABASE.empty();
      SplittableRandom random = new SplittableRandom(seed);
      List<LedgerEntry> entries = issued("alice", 1 + random.nextInt(15), BEFORE);
      issued("bob", random.nextInt(6), BEFORE);
      BulkJob job = started(entries.size());

      List<SerialNumber> revoked =
          run(List.of(node("a", NONE), node("b", NONE), node("c", NONE)), job, random);

      assertThat(revoked)
          .as("seed %d", seed)
          .containsExactlyInAnyOrderElementsOf(serials(entries))
          .doesNotHaveDuplicates();
      assertAll(entries, job);
      assertRevisionsWithoutGap();
    }
  }

  /** A crash inside a batch, at each of its rows: nothing of it stands, and all of it comes. */
  @Test
  void step_failsAtAnyRow_nothingOfTheBatchThenAll() {
    for (String table : List.of("revocation", "revocation_job_batch", "crl_scope")) {
      DATABASE.empty();
      List<LedgerEntry> entries = issued("alice", 7, BEFORE);
      BulkJob job = started(7);
      BulkBatches node = node("a", NONE);
      DATABASE.execute(
          "CREATE OR REPLACE FUNCTION fail_here() RETURNS trigger LANGUAGE plpgsql AS"
              + " $$ BEGIN RAISE EXCEPTION 'planted'; END $$",
          String.format(
              Locale.ROOT,
              "CREATE TRIGGER planted AFTER INSERT OR UPDATE ON %s FOR EACH ROW EXECUTE FUNCTION fail_here()",
              table));

      assertThatExceptionOfType(LedgerUnavailable.class).isThrownBy(() -> node.step(job));
      assertThat(DATABASE.number("SELECT count(*) FROM revocation")).isZero();
      assertThat(DATABASE.number("SELECT count(*) FROM revocation_job_batch")).isZero();
      DATABASE.execute("DROP TRIGGER planted ON " + table);
      run(List.of(node), job, new SplittableRandom(1));

      assertAll(entries, job);
      assertRevisionsWithoutGap();
    }
  }

  @Test
  void step_threeNodesAtOnceAndOfficers_everyOneOnce() throws Exception {
    List<LedgerEntry> entries = issued("alice", 60, BEFORE);
    BulkJob job = started(60);
    List<Future<List<SerialNumber>>> nodes = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (String name : List.of("a", "b", "c")) {
        nodes.add(
            threads.submit(
                () -> run(List.of(node(name, NONE)), job, new SplittableRandom(name.charAt(0)))));
      }
      for (int i = 0; i < 60; i += 7) {
        revoke(entries.get(i), RevocationReason.SUPERSEDED);
      }
    }

    List<SerialNumber> revoked = new ArrayList<>();
    for (Future<List<SerialNumber>> node : nodes) {
      revoked.addAll(node.get());
    }
    assertThat(revoked).doesNotHaveDuplicates();
    BulkCounts counts = jobs.find(job.id()).orElseThrow().counts();
    assertThat(counts.revoked()).isEqualTo(revoked.size());
    assertThat(counts.accountFor(job)).isTrue();
    assertThat(entries).allSatisfy(e -> assertThat(status(e).revocation()).isPresent());
    assertRevisionsWithoutGap();
  }

  @Test
  void start_twiceAndEndTwice_once() {
    BulkJob job = started(0);
    assertThat(jobs.find(job.id()).orElseThrow().status()).isEqualTo(Status.PENDING);

    jobs.start(job.id(), "b");
    assertThat(DATABASE.number("SELECT count(*) FROM revocation_job_start")).isOne();
    assertThat(node("a", LONG).step(job)).isInstanceOf(Step.Went.class);
    assertThat(jobs.find(job.id()).orElseThrow().status()).isEqualTo(Status.RUNNING);
    assertThat(node("a", LONG).step(job)).isInstanceOf(Step.AllRead.class);
    jobs.end(job.id(), true);
    jobs.end(job.id(), false);

    assertThat(jobs.find(job.id()).orElseThrow().status()).isEqualTo(Status.DONE);
    assertThat(jobs.unfinished()).isEmpty();
  }

  @Test
  void shown_asRecorded() {
    BulkJob job = job(3);
    jobs.record(job);

    BulkJobStore.Shown shown = jobs.shown(job.confirmation()).orElseThrow();

    assertThat(shown.job()).isEqualTo(job);
    assertThat(shown.isStarted()).isFalse();
    assertThat(shown.age()).isLessThan(Duration.ofMinutes(1));
    assertThat(jobs.shown("0".repeat(64))).isEmpty();
    assertThat(jobs.find(job.id())).isEmpty();
    assertThat(jobs.unfinished()).isEmpty();
  }

  private static BulkJob job(long selected) {
    return new BulkJob(
        UUID.randomUUID(),
        new BulkRevocation(
            new BulkSelection(
                Optional.of(Intents.ALICE),
                Optional.empty(),
                Optional.empty(),
                Optional.of(BEFORE.minusNanos(1_000)),
                Optional.empty()),
            RevocationReason.KEY_COMPROMISE,
            Optional.of(BEFORE),
            Intents.BOB),
        NOW,
        selected);
  }

  private BulkJob started(long selected) {
    BulkJob job = job(selected);
    jobs.record(job);
    jobs.start(job.id(), "a");
    return job;
  }

  private static BulkBatches node(String name, Duration lease) {
    return new BulkBatches(
        new BulkReading(DATABASE.database(), PAGE), DATABASE.database(), name, lease, BATCH);
  }

  /**
   * Steps of nodes chosen at random, until one finds everything read; returns what they reported.
   */
  private static List<SerialNumber> run(
      List<BulkBatches> nodes, BulkJob job, SplittableRandom random) {
    List<SerialNumber> revoked = new ArrayList<>();
    while (true) {
      switch (nodes.get(random.nextInt(nodes.size())).step(job)) {
        case Step.Went went -> revoked.addAll(went.revoked());
        case Step.Elsewhere elsewhere -> {}
        case Step.AllRead allRead -> {
          return revoked;
        }
      }
    }
  }

  private List<LedgerEntry> issued(String requester, int number, Instant at) {
    List<LedgerEntry> entries = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      // Some in one week, some in another.
      LedgerEntry entry =
          BulkCountTest.of(
              certificates.silent(NOW.plus(Duration.ofDays(i % 2 == 0 ? 20 : 40))),
              requester,
              "web",
              "issuing");
      DATABASE.issued(entry, at);
      entries.add(entry);
    }
    return entries;
  }

  private void revoke(LedgerEntry entry, RevocationReason reason) {
    Revoker revoker = new Revoker(revocations, () -> NOW, event -> {});
    assertThat(revoker.revoke(entry, Intents.BOB, reason, Optional.empty()))
        .isInstanceOf(RevocationResult.Done.class);
  }

  private RevocationStatus status(LedgerEntry entry) {
    return revocations.status(entry.intent().serialNumber());
  }

  private static List<SerialNumber> serials(List<LedgerEntry> entries) {
    return entries.stream().map(e -> e.intent().serialNumber()).toList();
  }

  private void assertAll(List<LedgerEntry> entries, BulkJob job) {
    assertThat(entries)
        .allSatisfy(
            e -> {
              assertThat(status(e).events()).isOne();
              assertThat(status(e).revocation()).isPresent();
            });
    assertThat(jobs.find(job.id()).orElseThrow().counts().accountFor(job)).isTrue();
  }

  /** The events of each scope are numbered 1 to its revision, each once. */
  private static void assertRevisionsWithoutGap() {
    assertThat(
            DATABASE.number(
                """
                SELECT count(*) FROM crl_scope s
                WHERE s.revision <> (SELECT count(DISTINCT r.revision) FROM revocation r
                    WHERE r.issuer = s.issuer AND r.shard = s.shard)
                  OR s.revision <> (SELECT coalesce(max(r.revision), 0) FROM revocation r
                    WHERE r.issuer = s.issuer AND r.shard = s.shard)
                  OR s.revision <> (SELECT count(*) FROM revocation r
                    WHERE r.issuer = s.issuer AND r.shard = s.shard)
                """))
        .isZero();
  }
}
