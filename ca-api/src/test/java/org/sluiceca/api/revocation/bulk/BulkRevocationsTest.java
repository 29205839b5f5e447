package org.sluiceca.api.revocation.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.platform.change.RestingLoop;
import org.sluiceca.api.platform.change.Topic;
import org.sluiceca.api.revocation.bulk.BulkRevocations.DryRun;
import org.sluiceca.api.revocation.bulk.BulkRevocations.Start;
import org.sluiceca.api.revocation.bulk.store.BulkBatches;
import org.sluiceca.api.revocation.bulk.store.BulkCount;
import org.sluiceca.api.revocation.bulk.store.BulkJobStore;
import org.sluiceca.api.revocation.bulk.store.BulkJobStore.Status;
import org.sluiceca.api.revocation.store.RevocationDatabase;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.revoke.bulk.BulkRevocation;
import org.sluiceca.core.revoke.bulk.BulkSelection;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.testkit.ListEventSink;
import org.sluiceca.core.testkit.Revocable;
import org.sluiceca.core.x509.RevocationReason;

/** From the dry run to the end, with its rows in the audit trail. */
class BulkRevocationsTest {

  private static final RevocationDatabase DATABASE = new RevocationDatabase();
  private static final RequesterId OFFICER = new RequesterId("officer");

  private final List<AuditRow> rows = new CopyOnWriteArrayList<>();
  private final ListEventSink events = new ListEventSink();
  private final BulkJobStore store = new BulkJobStore(DATABASE.database());
  private final AuditTrail trail = new AuditTrail("chain", rows::addAll, InstantSource.system());
  private final BulkRevocationLoop loop = loop(trail);
  private final BulkRevocations revocations = revocations(trail, loop);
  private final Revocable certificates = new Revocable(31);

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @BeforeEach
  void begin() {
    DATABASE.empty();
    trail.start();
  }

  @AfterEach
  void end() {
    trail.close();
  }

  @Test
  void step_noJob_restsUntilThereIsOne() {
    RestingLoop.check(
        Set.of(Topic.BULK_REVOCATIONS), loop::restUntilChanged, loop::step, Duration.ofSeconds(1));
  }

  @Test
  void start_confirmed_doneAndTold() {
    issue(3);
    DryRun.Counted counted = dryRun();
    assertThat(counted.tally().count()).isEqualTo(3);
    assertThat(DATABASE.number("SELECT count(*) FROM revocation")).isZero();
    issue(2);

    Start started = revocations.start(wish(OFFICER), counted.job().confirmation());
    work();

    assertThat(started).isEqualTo(new Start.Started(counted.job().id()));
    BulkJobStore.State state = revocations.find(counted.job().id()).orElseThrow();
    assertThat(state.status()).isEqualTo(Status.DONE);
    assertThat(state.endedAt()).isPresent();
    assertThat(DATABASE.number("SELECT count(*) FROM revocation")).isEqualTo(3);
    assertThat(events.names()).containsExactly("CertificatesRevoked");
    assertThat(rows)
        .extracting(AuditRow::kind)
        .containsExactly("revocation.dry-run", "revocation.start", "revocation.end");
    assertThat(rows.getLast().content())
        .contains("\"outcome\":\"done\"", "\"revoked\":3", "requester=alice");
  }

  @Test
  void start_sameConfirmationAgain_sameJob() {
    issue(1);
    String confirmation = dryRun().job().confirmation();
    Start first = revocations.start(wish(OFFICER), confirmation);
    work();
    DATABASE.execute("UPDATE revocation_job SET recorded_at = recorded_at - interval '1 day'");

    Start second = revocations.start(wish(OFFICER), confirmation);
    work();

    assertThat(second).isEqualTo(first);
    assertThat(DATABASE.number("SELECT count(*) FROM revocation_job_start")).isOne();
    assertThat(DATABASE.number("SELECT count(*) FROM revocation")).isOne();
  }

  @Test
  void start_notWhatWasShownOrNotByThatOfficer_refused() {
    issue(1);
    String confirmation = dryRun().job().confirmation();
    BulkRevocation otherReason =
        new BulkRevocation(
            wish(OFFICER).selection(),
            RevocationReason.UNSPECIFIED,
            wish(OFFICER).invalidityDate(),
            OFFICER);
    BulkRevocation wider =
        new BulkRevocation(
            new BulkSelection(
                Optional.empty(),
                Optional.of(certificates.onCrl("issuing.crl").intent().origin().profile()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()),
            RevocationReason.SUPERSEDED,
            Optional.empty(),
            OFFICER);

    for (BulkRevocation wish : List.of(wish(Intents.BOB), otherReason, wider)) {
      assertThat(revocations.start(wish, confirmation)).isInstanceOf(Start.NotConfirmed.class);
    }
    assertThat(revocations.start(wish(OFFICER), "0".repeat(64)))
        .isInstanceOf(Start.NotConfirmed.class);

    assertThat(DATABASE.number("SELECT count(*) FROM revocation_job_start")).isZero();
  }

  @Test
  void start_olderThanAQuarterOfAnHour_refused() {
    issue(1);
    String confirmation = dryRun().job().confirmation();
    DATABASE.execute("UPDATE revocation_job SET recorded_at = recorded_at - interval '901 s'");

    assertThat(revocations.start(wish(OFFICER), confirmation))
        .isInstanceOf(Start.NotConfirmed.class);

    DATABASE.execute("UPDATE revocation_job SET recorded_at = recorded_at + interval '10 s'");
    assertThat(revocations.start(wish(OFFICER), confirmation)).isInstanceOf(Start.Started.class);
  }

  /** Whatever brings it about: what was found and what was shown differ. */
  @Test
  void end_otherCountThanShown_failed() {
    issue(2);
    DryRun.Counted counted = dryRun();
    DATABASE.execute("UPDATE revocation_job SET selected = 3");

    assertThat(revocations.start(wish(OFFICER), counted.job().confirmation()))
        .isInstanceOf(Start.Started.class);
    work();

    assertThat(store.find(counted.job().id()).orElseThrow().status()).isEqualTo(Status.FAILED);
    assertThat(rows.getLast().content()).contains("\"outcome\":\"failed\"");
  }

  @Test
  void dryRunAndStart_auditTrailAway_notDone() {
    issue(1);
    String confirmation = dryRun().job().confirmation();
    // Closed, it refuses at once; AuditTrailTest has one whose store fails.
    AuditTrail away = new AuditTrail("away", batch -> {}, InstantSource.system());
    away.close();
    BulkRevocations there = revocations(away, loop(away));

    assertThatExceptionOfType(LedgerUnavailable.class)
        .isThrownBy(() -> there.start(wish(OFFICER), confirmation));
    assertThatExceptionOfType(LedgerUnavailable.class)
        .isThrownBy(() -> there.dryRun(wish(OFFICER), () -> {}));

    assertThat(DATABASE.number("SELECT count(*) FROM revocation_job_start")).isZero();
    assertThat(DATABASE.number("SELECT count(*) FROM revocation_job")).isOne();
    assertThat(store.find(UUID.randomUUID())).isEmpty();
  }

  private DryRun.Counted dryRun() {
    return (DryRun.Counted) revocations.dryRun(wish(OFFICER), () -> {});
  }

  private void work() {
    while (loop.pass()) {
      // One batch of each job at a time.
    }
  }

  private BulkRevocationLoop loop(AuditTrail auditTrail) {
    return new BulkRevocationLoop(
        store,
        new BulkBatches(DATABASE.database(), "node", Duration.ofHours(1)),
        auditTrail,
        events,
        "node");
  }

  private BulkRevocations revocations(AuditTrail auditTrail, BulkRevocationLoop worker) {
    return new BulkRevocations(new BulkCount(DATABASE.database()), store, auditTrail, worker);
  }

  private static BulkRevocation wish(RequesterId by) {
    return new BulkRevocation(
        new BulkSelection(
            Optional.of(Intents.ALICE),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty()),
        RevocationReason.SUPERSEDED,
        Optional.empty(),
        by);
  }

  private void issue(int number) {
    Instant notAfter = Instant.now().truncatedTo(ChronoUnit.SECONDS).plus(Duration.ofDays(30));
    for (int i = 0; i < number; i++) {
      DATABASE.issued(certificates.silent(notAfter), Instant.now());
    }
  }
}
