package org.sluiceca.api.approval;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.sluiceca.api.approval.store.ApprovalStore;
import org.sluiceca.api.approval.store.StoredApproval;
import org.sluiceca.api.approval.store.StoredApproval.Decided;
import org.sluiceca.api.approval.store.StoredApproval.Decision;
import org.sluiceca.api.approval.store.StoredApproval.Status;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.core.failure.Invariant;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.x509.OctetString;
import tools.jackson.databind.json.JsonMapper;

/**
 * Holds acts back until a second person agrees, and has what was agreed to carried out once. Each
 * step is in the audit trail before it is done. Thread-safe; every method blocks, for some seconds
 * at most, and throws {@link org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable} when the
 * database does not answer: asking again is safe.
 */
public final class Approvals {

  /** A working day and the night; who is asked later asks again. */
  public static final Duration LIFETIME = Duration.ofHours(24);

  private static final JsonMapper JSON = new JsonMapper();

  private final Set<ApprovalAction> configured;
  private final ApprovalStore store;
  private final AuditTrail trail;
  private final Map<ApprovalAction, ApprovedAct> acts;
  private final BiPredicate<RequesterId, Role> hasRole;

  /**
   * Works on {@code store}.
   *
   * @param configured what this node is configured to hold back
   * @param acts one of each action
   * @param hasRole whether a requester has a valid credential with a role now; may ask the database
   */
  public Approvals(
      Set<ApprovalAction> configured,
      ApprovalStore store,
      AuditTrail trail,
      List<ApprovedAct> acts,
      BiPredicate<RequesterId, Role> hasRole) {
    this.configured = Set.copyOf(configured);
    this.store = store;
    this.trail = trail;
    this.acts =
        acts.stream()
            .collect(Collectors.toUnmodifiableMap(ApprovedAct::action, Function.identity()));
    this.hasRole = hasRole;
  }

  /** What came of a step. */
  public sealed interface Answer {

    /** It stands so now. */
    record Standing(StoredApproval approval) implements Answer {}

    /** There is none, or none that is this requester's to decide about. */
    record Unknown() implements Answer {}

    /** This requester may not. */
    record Forbidden(String detail) implements Answer {}

    /** It is decided already, has expired, or is not what was read. */
    record Contradicted(String detail) implements Answer {}
  }

  /**
   * Returns whether an act must wait. One that some node is configured to hold back, every node
   * holds back: a node with another setting is no way around.
   */
  public boolean isHeldBack(ApprovalAction action) {
    return configured.contains(action) || store.required().contains(action.text());
  }

  /**
   * Records what is asked for, and does nothing.
   *
   * @param content the act: texts, numbers, lists of texts and such maps
   * @return empty if too many wait already, of this one or of all
   */
  public Optional<StoredApproval> ask(
      ApprovalAction action, Map<String, Object> content, Requester by) {
    Map<String, Object> exact = new TreeMap<>(content);
    exact.put("action", action.text());
    String canonical = JSON.writeValueAsString(exact);
    UUID id = UUID.randomUUID();
    trail.recordDurably(
        new Fact(
            AuditKind.APPROVAL_ASK,
            by.id().value(),
            Map.of(
                "approval", id.toString(),
                "action", action.text(),
                "content", canonical,
                "sha256", Digest.ofText(canonical))));
    return store.ask(id, action.text(), canonical, by.id(), LIFETIME)
        ? store.find(id)
        : Optional.empty();
  }

  /** Returns 200 at most: what may be decided about, what is to be carried out, then the newest. */
  public List<StoredApproval> list() {
    return store.list();
  }

  /** Returns one. */
  public Optional<StoredApproval> find(UUID id) {
    return store.find(id);
  }

  /**
   * Approves, and carries it out. Again, by anybody who may approve it: carries out what was not
   * yet.
   *
   * @param sha256 of the content that was read
   */
  public Answer approve(UUID id, OctetString sha256, Requester by) {
    return decide(id, Decision.APPROVED, sha256, by);
  }

  /** Refuses for good. */
  public Answer refuse(UUID id, OctetString sha256, Requester by) {
    return decide(id, Decision.REFUSED, sha256, by);
  }

  /** Takes back what one has asked for oneself. */
  public Answer withdraw(UUID id, Requester by) {
    Optional<StoredApproval> found = store.find(id);
    if (found.isEmpty()) {
      return new Answer.Unknown();
    }
    if (!found.get().asked().by().equals(by.id())) {
      return new Answer.Forbidden("only the one who asked can withdraw");
    }
    return record(found.get(), Decision.WITHDRAWN, by);
  }

  private Answer decide(UUID id, Decision decision, OctetString sha256, Requester by) {
    Optional<StoredApproval> found = store.find(id);
    if (found.isEmpty()) {
      return new Answer.Unknown();
    }
    StoredApproval approval = found.get();
    Optional<ApprovalAction> action = ApprovalAction.of(approval.asked().action());
    if (action.isEmpty() || !by.has(action.get().role())) {
      return new Answer.Forbidden("this action needs the role that asking for it needs");
    }
    if (approval.asked().by().equals(by.id())) {
      return new Answer.Forbidden("who has asked can withdraw, and decides nothing else");
    }
    if (decision == Decision.APPROVED && isBeneficiary(by.id(), approval)) {
      return new Answer.Forbidden(
          "it gives you a credential: an administrator who neither asked for it nor gets it"
              + " approves it");
    }
    if (!approval.sha256().equals(sha256)) {
      return new Answer.Contradicted("what was read is not what is asked for");
    }
    if (decision == Decision.APPROVED
        && approval.status() == Status.PENDING
        && !hasRole.test(approval.asked().by(), action.get().role())) {
      return new Answer.Contradicted("who has asked may no longer do this");
    }
    return record(approval, decision, by);
  }

  private Answer record(StoredApproval read, Decision decision, Requester by) {
    if (read.status() == Status.PENDING) {
      trail.recordDurably(
          new Fact(
              AuditKind.APPROVAL_DECIDE,
              by.id().value(),
              Map.of(
                  "approval", read.id().toString(),
                  "action", read.asked().action(),
                  "decision", decision.name(),
                  "askedBy", read.asked().by().value(),
                  "sha256", read.sha256().toString())));
      store.decide(read.id(), decision, by.id(), read.sha256());
    }
    StoredApproval now = store.find(read.id()).orElseThrow();
    if (now.decided().map(Decided::decision).filter(decision::equals).isEmpty()) {
      return new Answer.Contradicted("it is " + now.status().name() + " already");
    }
    if (decision == Decision.APPROVED && now.ended().isEmpty()) {
      carryOut(now);
    }
    return new Answer.Standing(store.find(read.id()).orElseThrow());
  }

  /**
   * Carries out what was approved, unless that was done: at the approval, or by any node after a
   * crash. Whatever the act throws is thrown on, and it stays approved.
   *
   * @throws org.sluiceca.core.failure.Invariant.Broken if the rows contradict one another: another
   *     program wrote past this class, and nothing is done
   */
  void carryOut(StoredApproval approval) {
    Decided decided = approval.decided().orElseThrow();
    if (store.find(approval.id()).flatMap(StoredApproval::ended).isPresent()) {
      // By another node since it was read.
      return;
    }
    Invariant.check(
        decided.decision() == Decision.APPROVED
            && !decided.by().equals(approval.asked().by())
            && isWhole(approval),
        "approval " + approval.id() + " is not what was approved");
    end(
        approval,
        decided,
        isBeneficiary(decided.by(), approval)
            // By a node of a former version, which did not compare them.
            ? ApprovedAct.Result.failed("who approved it would get it: ask again")
            : act(approval)
                .orElseThrow(() -> new IllegalStateException("no act of " + approval.asked()))
                .carryOut(approval.id(), JSON.readTree(approval.content()), approval.asked().by()));
  }

  private boolean isBeneficiary(RequesterId requester, StoredApproval approval) {
    return act(approval)
        .flatMap(act -> act.beneficiary(JSON.readTree(approval.content())))
        .filter(requester::equals)
        .isPresent();
  }

  private Optional<ApprovedAct> act(StoredApproval approval) {
    return ApprovalAction.of(approval.asked().action())
        .flatMap(action -> Optional.ofNullable(acts.get(action)));
  }

  /** Ends as failed what was approved and could not be carried out for too long. */
  void giveUp(StoredApproval approval, String reason) {
    end(approval, approval.decided().orElseThrow(), ApprovedAct.Result.failed(reason));
  }

  private void end(StoredApproval approval, Decided decided, ApprovedAct.Result result) {
    trail.recordDurably(
        new Fact(
            AuditKind.APPROVAL_END,
            decided.by().value(),
            Map.of(
                "approval", approval.id().toString(),
                "action", approval.asked().action(),
                "askedBy", approval.asked().by().value(),
                "outcome", result.isDone() ? "done" : "failed",
                "detail", result.detail())));
    store.end(approval.id(), result.isDone(), result.detail());
  }

  /** Whether the content is the one that was asked for, and of the kind that it was asked as. */
  private static boolean isWhole(StoredApproval approval) {
    return Digest.sha256(approval.content().getBytes(StandardCharsets.UTF_8))
            .equals(approval.sha256())
        && JSON.readTree(approval.content())
            .path("action")
            .asString("")
            .equals(approval.asked().action());
  }

  /** Returns what was approved so long ago and has not ended, but for those, 16 at most. */
  List<StoredApproval> leftOver(Duration since, Collection<UUID> except) {
    return store.unfinished(since, except);
  }
}
