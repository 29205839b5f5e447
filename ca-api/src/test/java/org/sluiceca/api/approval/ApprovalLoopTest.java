package org.sluiceca.api.approval;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.approval.store.ApprovalStore;
import org.sluiceca.api.approval.store.StoredApproval;
import org.sluiceca.api.approval.store.StoredApproval.Decision;
import org.sluiceca.api.approval.store.StoredApproval.Status;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.store.AuditStore;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.Requester.Authentication;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import tools.jackson.databind.JsonNode;

/** What cannot be carried out keeps nothing else from its turn, and ends one day. */
class ApprovalLoopTest {

  private static final PostgresForTests SERVER = PostgresForTests.get();
  private static final ApprovalAction ACTION = ApprovalAction.BULK_REVOCATION;

  private final LedgerDatabase.Address address = SERVER.freshDatabase();
  private final LedgerDatabase database = new LedgerDatabase(address);
  private final ApprovalStore store = new ApprovalStore(database);
  private final AuditTrail trail =
      new AuditTrail("test.1", new AuditStore(database)::append, InstantSource.system());
  private final List<UUID> tried = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);
  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
  private final Approvals approvals =
      new Approvals(Set.of(), store, trail, List.of(new Act()), (requester, role) -> true);
  private final ApprovalLoop loop = new ApprovalLoop(approvals, now::get, nanos::get);

  /** Does what the test sets: nothing, or a fault of the kind that the content names. */
  private final class Act implements ApprovedAct {

    @Override
    public ApprovalAction action() {
      return ACTION;
    }

    @Override
    public Result carryOut(UUID approval, JsonNode content, RequesterId askedBy) {
      tried.add(approval);
      return switch (content.path("fault").asString("")) {
        case "unsupported" -> throw new UnsupportedOperationException("of a bug");
        case "silent" -> throw new UnsupportedOperationException();
        case "error" -> throw new StackOverflowError("of another bug");
        default -> Result.done("well");
      };
    }
  }

  @BeforeEach
  void open() {
    PostgresForTests.awaitLogin(database);
    trail.start();
  }

  @AfterEach
  void close() {
    trail.close();
    database.close();
  }

  private StoredApproval approved(String fault) {
    StoredApproval asked =
        approvals.ask(ACTION, Map.of("fault", fault), requester("alice")).orElseThrow();
    assertThat(store.decide(asked.id(), Decision.APPROVED, requester("bob").id(), asked.sha256()))
        .isTrue();
    return asked;
  }

  private static Requester requester(String name) {
    return new Requester(
        new RequesterId(name), Authentication.CLIENT_CERTIFICATE, Set.of(Role.OFFICER), Set.of());
  }

  private Status status(StoredApproval approval) {
    return store.find(approval.id()).orElseThrow().status();
  }

  private void later(Duration duration) {
    nanos.addAndGet(duration.toNanos());
  }

  /** Planted: only the foreseen faults are caught. */
  @Test
  void pass_actThatThrowsAnything_theNextIsDone() {
    StoredApproval bug = approved("unsupported");
    StoredApproval worse = approved("error");
    StoredApproval good = approved("");

    loop.pass(Duration.ZERO);

    assertThat(status(good)).isEqualTo(Status.DONE);
    assertThat(status(bug)).isEqualTo(Status.APPROVED);
    assertThat(status(worse)).isEqualTo(Status.APPROVED);
    assertThat(loop.failures()).isEqualTo(2);
  }

  /** Planted: the oldest always come first, and 16 of them are a whole pass. */
  @Test
  void pass_moreThatFailThanOnePassTakes_theOthersGetTheirTurn() {
    for (int i = 0; i < 20; i++) {
      approved("unsupported");
    }
    StoredApproval good = approved("");

    loop.pass(Duration.ZERO);
    assertThat(status(good)).isEqualTo(Status.APPROVED);
    loop.pass(Duration.ZERO);

    assertThat(status(good)).isEqualTo(Status.DONE);
  }

  @Test
  void pass_whatFailed_restsForLongerEachTime() {
    StoredApproval bug = approved("unsupported");
    loop.pass(Duration.ZERO);
    loop.pass(Duration.ZERO);
    assertThat(tried).hasSize(1);

    later(Duration.ofSeconds(10));
    loop.pass(Duration.ZERO);
    assertThat(tried).hasSize(2);
    later(Duration.ofSeconds(19));
    loop.pass(Duration.ZERO);
    assertThat(tried).hasSize(2);
    later(Duration.ofSeconds(1));
    loop.pass(Duration.ZERO);

    assertThat(tried).hasSize(3).containsOnly(bug.id());
    // Never for longer than ten minutes.
    for (int i = 0; i < 20; i++) {
      later(Duration.ofMinutes(10));
      loop.pass(Duration.ZERO);
    }
    assertThat(tried).hasSize(23);
  }

  /** Planted: tried without end. */
  @Test
  void pass_stillFailingAfterADay_endsFailedWithItsReason() {
    StoredApproval bug = approved("unsupported");
    Instant decided = store.find(bug.id()).orElseThrow().decided().orElseThrow().at();
    now.set(decided.plus(ApprovalLoop.GIVEN_UP_AFTER).minusMillis(1));
    loop.pass(Duration.ZERO);
    assertThat(status(bug)).isEqualTo(Status.APPROVED);

    now.set(decided.plus(ApprovalLoop.GIVEN_UP_AFTER));
    later(Duration.ofMinutes(10));
    loop.pass(Duration.ZERO);

    assertThat(status(bug)).isEqualTo(Status.FAILED);
    assertThat(store.find(bug.id()).orElseThrow().ended().orElseThrow().detail())
        .contains("24 hours")
        .contains("of a bug");
    assertThat(
            SERVER.number(address, "SELECT count(*) FROM audit_event WHERE kind = 'approval.end'"))
        .isOne();
    later(Duration.ofMinutes(10));
    loop.pass(Duration.ZERO);
    assertThat(tried).hasSize(2);
  }

  @Test
  void pass_faultWithoutAMessage_endsNamedByItsKind() {
    StoredApproval silent = approved("silent");
    now.set(now.get().plus(Duration.ofDays(2)));

    loop.pass(Duration.ZERO);

    assertThat(store.find(silent.id()).orElseThrow().ended().orElseThrow().detail())
        .endsWith("UnsupportedOperationException");
  }

  /** A day is over while no node ran: it is tried before it is given up. */
  @Test
  void pass_afterADay_triedFirst() {
    StoredApproval good = approved("");
    now.set(now.get().plus(Duration.ofDays(9)));

    loop.pass(Duration.ZERO);

    assertThat(status(good)).isEqualTo(Status.DONE);
  }

  /** Planted: rows that contradict one another, before one that is good. */
  @Test
  void pass_brokenInvariant_neverDoneAndStarvesNothing() {
    StoredApproval changed = approved("");
    SERVER.execute(
        address,
        "ALTER TABLE approval DISABLE TRIGGER append_only",
        "ALTER TABLE approval DROP CONSTRAINT approval_check",
        "UPDATE approval SET content = content || ' '");
    StoredApproval good = approved("");

    loop.pass(Duration.ZERO);

    assertThat(tried).containsExactly(good.id());
    assertThat(status(good)).isEqualTo(Status.DONE);
    assertThat(status(changed)).isEqualTo(Status.APPROVED);
    assertThat(loop.failures()).isOne();
    now.set(now.get().plus(Duration.ofDays(2)));
    later(Duration.ofMinutes(10));
    loop.pass(Duration.ZERO);
    assertThat(status(changed)).isEqualTo(Status.FAILED);
    assertThat(store.find(changed.id()).orElseThrow().ended().orElseThrow().detail())
        .contains("broken invariant");
    assertThat(tried).hasSize(1);
  }

  /** Planted: another node has given it up between this one's look and its turn. */
  @Test
  void carryOut_endedMeanwhile_nothingIsDone() {
    StoredApproval read = approved("");
    StoredApproval decided = store.find(read.id()).orElseThrow();
    store.end(read.id(), false, "given up");

    approvals.carryOut(decided);

    assertThat(tried).isEmpty();
    assertThat(status(read)).isEqualTo(Status.FAILED);
  }
}
