package org.sluiceca.core.enroll;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.sluiceca.core.admit.AdmissionDecision;
import org.sluiceca.core.admit.BacklogPermit;
import org.sluiceca.core.admit.LinePermit;
import org.sluiceca.core.check.CheckedSignature;
import org.sluiceca.core.csr.VerifiedCsr;
import org.sluiceca.core.der.TbsCertificateWriter;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.core.failure.CaUnavailable.ClaimLost;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.failure.CaUnavailable.SignatureRefused;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.intent.RecordedIntent;
import org.sluiceca.core.intent.Recording;
import org.sluiceca.core.plan.IssuancePlan;
import org.sluiceca.core.profile.AuthorizedRequest;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.sign.SigningCost;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Pending;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.OctetString;

/**
 * The straight line of one enrollment: {@link #accept} ends with a durable promise, {@link #finish}
 * keeps it, whether a client waits or not. The order of the eight steps is held by types: each
 * takes what only the step before can make. The same numbers stand in docs/ISSUANCE-CYCLE.md.
 *
 * <p>Thread-safe. Both methods block: accept for CPU work and one commit, finish for the signer and
 * one commit. Neither holds a database connection while the signer works.
 */
public final class Enrollment {

  /**
   * What is left of the claim for step 8 when step 6 takes its longest: a commit takes 0.2 to 3 ms,
   * a stalled database gets a second chance.
   */
  public static final Duration RECORD_MARGIN = Duration.ofSeconds(2);

  /** Longer than the transaction of an outcome that was taken just before its claim ended. */
  private static final Duration COMMIT_MAX = Duration.ofMinutes(1);

  private final AcceptSteps accept;
  private final FinishSteps finish;
  private final Ledger ledger;
  private final EnrollmentEvents events;

  /** Builds the line; the ledger belongs to both halves. */
  public Enrollment(AcceptSteps accept, FinishSteps finish, Ledger ledger, EventSink events) {
    this.accept = accept;
    this.finish = finish;
    this.ledger = ledger;
    this.events = new EnrollmentEvents(events);
  }

  /**
   * Steps 1 to 5: from a request to a durable intent, or to a refusal that left no trace. An order
   * for which the line has no place is recorded all the same, in the backlog.
   *
   * <p>Once the intent is durable, its signature is asked for at once (step 6), by the thread that
   * made it durable.
   *
   * @param deadline when the caller stops waiting for step 5
   * @param answerBy until when the client of a request that got this place waits for a certificate
   * @throws org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable if step 5 could not be made
   *     durable in time; a retry with the same Idempotency-Key is safe
   * @throws org.sluiceca.core.failure.CaUnavailable.IssuerInactive if this node does not have the
   *     profile's issuer; another node may
   * @throws org.sluiceca.core.failure.CaUnavailable.ProfileUnavailable if this node cannot use the
   *     profile's active version; another node may
   */
  public Acceptance accept(
      EnrollmentRequest request, Deadline deadline, Function<LinePermit, Deadline> answerBy) {
    // 1 admit: a place on the line, or the way into the backlog, before anything is parsed.
    Lane lane = accept.authorizer().lane(request);
    SigningCost work = accept.work().apply(request.profile());
    return switch (admit(request, lane, work, deadline)) {
      case AdmissionDecision.Shed shed -> {
        events.shed(request, lane, shed);
        yield new Acceptance.Shed(shed);
      }
      case AdmissionDecision.Permit place -> {
        Acceptance acceptance = null;
        try {
          events.admitted(request, place.lane());
          acceptance = acceptAdmitted(place, request, deadline, answerBy);
          yield acceptance;
        } finally {
          if (!(acceptance instanceof Acceptance.Accepted)) {
            place.close();
          }
        }
      }
    };
  }

  /** The same for a client that waits as long for the certificate as for step 5. */
  public Acceptance accept(EnrollmentRequest request, Deadline deadline) {
    return accept(request, deadline, place -> deadline);
  }

  /** Returns the lane in which a request would be signed; a look-up. */
  public Lane lane(EnrollmentRequest request) {
    return accept.authorizer().lane(request);
  }

  private AdmissionDecision admit(
      EnrollmentRequest request, Lane lane, SigningCost work, Deadline deadline) {
    RequesterId requester = request.requester().account();
    return request.isOrder()
        ? accept.orders().admit(lane, requester, work, deadline)
        : accept.admission().admit(lane, requester, work, deadline);
  }

  private Acceptance acceptAdmitted(
      AdmissionDecision.Permit place,
      EnrollmentRequest request,
      Deadline deadline,
      Function<LinePermit, Deadline> answerBy) {
    try {
      // 2 authorize: this requester, this profile.
      AuthorizedRequest authorized = accept.authorizer().authorize(place, request);

      // 3 verify: parse, key strength, proof of possession.
      VerifiedCsr verified = accept.csrVerifier().verify(authorized);

      // 4 plan: every byte of the certificate, judged by the lints.
      IssuancePlan plan = accept.planner().plan(verified);

      // 5 record: durable and claimed before anything is signed.
      return switch (place) {
        case LinePermit admitted -> {
          PendingFinish pending =
              new PendingFinish(admitted.lane(), answerBy.apply(admitted), finish.signer());
          yield switch (ledger.recordIntent(plan, deadline, pending.beginning())) {
            case Recording.Recorded _ -> {
              events.recorded(plan);
              yield new Acceptance.Accepted(pending, admitted);
            }
            case Recording.Unrecorded unrecorded -> earlier(request, place.lane(), unrecorded);
          };
        }
        case BacklogPermit parked ->
            switch (ledger.recordOrder(plan, deadline)) {
              case Recording.Ordered(Intent intent) -> {
                events.recorded(plan);
                yield new Acceptance.Ordered(intent);
              }
              case Recording.Unrecorded unrecorded -> earlier(request, place.lane(), unrecorded);
            };
      };
    } catch (RejectedException e) {
      return rejected(request, e.rejection());
    }
  }

  private Acceptance earlier(
      EnrollmentRequest request, Lane lane, Recording.Unrecorded unrecorded) {
    return switch (unrecorded) {
      case Recording.Replayed(LedgerEntry first) -> replay(request, lane, first);
      case Recording.KeyCompromised compromised -> rejected(request, Rejection.compromisedKey());
      case Recording.KeyReused reused ->
          rejected(
              request,
              new Rejection(
                  Rejection.Reason.IDEMPOTENCY_KEY_REUSED,
                  "the Idempotency-Key was used before with another payload"));
    };
  }

  /**
   * Begins step 6 for an intent that this node has taken over, or out of the backlog; by the thread
   * that goes on with {@link #finish}.
   *
   * @param answerBy until when a client waits for it
   */
  public PendingFinish begin(RecordedIntent intent, Lane lane, Deadline answerBy) {
    PendingFinish pending = new PendingFinish(lane, answerBy, finish.signer());
    pending.begin(intent);
    return pending;
  }

  /**
   * Steps 6 to 8: takes the signature of what was recorded, checks and records it, or returns the
   * outcome that another node recorded first. Safe to repeat for one intent: the first recorded
   * outcome stands.
   *
   * @param until when the calling thread stops; empty says that it did, and that another may go on
   * @throws org.sluiceca.core.failure.CaUnavailable if there is no outcome yet; the intent stays
   *     pending and recovery goes on with it when its claim has run out
   */
  public Optional<Finish> finish(PendingFinish pending, Deadline until)
      throws InterruptedException {
    RecordedIntent intent = pending.intent();
    Optional<Pending<Ledger.Decided>> recording = pending.recording();
    if (recording.isEmpty()) {
      // 6 sign: only while this node's claim lives, and with time left for step 8.
      requireClaim(pending);
      Optional<OctetString> signature = pending.signature().await(until);
      if (signature.isEmpty()) {
        return Optional.empty();
      }
      events.signed(intent);

      // 7 check: under the issuer's key, over the recorded bytes.
      CheckedSignature certificate = check(intent, pending.lane(), signature.get());

      // 8 record: durable; only now may the certificate leave, and only the one that came first.
      recording =
          Optional.of(
              pending.record(ledger.startOutcome(intent, certificate, intent.claim().until())));
    }
    return recording.get().await(until).map(decided -> released(intent, decided));
  }

  /**
   * The same, blocking until there is an outcome.
   *
   * @throws org.sluiceca.core.failure.CaUnavailable as the other
   */
  public Finish finish(PendingFinish pending) throws InterruptedException {
    Deadline end = pending.intent().claim().until().earlierBy(COMMIT_MAX.negated());
    return finish(pending, end)
        .orElseThrow(() -> new LedgerUnavailable("the transaction of an outcome did not end"));
  }

  private void requireClaim(PendingFinish pending) {
    try {
      ledger.requireClaim(pending.intent(), signBy(pending.intent()));
    } catch (ClaimLost e) {
      pending.abandon();
      throw e;
    }
  }

  private Finish released(RecordedIntent intent, Ledger.Decided decided) {
    return switch (decided.outcome()) {
      case Outcome.Issued issued -> {
        Intent recorded = intent.intent();
        CertificateDer released =
            TbsCertificateWriter.assemble(
                recorded.tbsCertificate(), recorded.signatureAlgorithm(), issued.signature());
        if (decided.isOurs()) {
          events.issued(intent, released);
        }
        yield new Finish.Issued(released);
      }
      case Outcome.Abandoned abandoned -> new Finish.Abandoned(abandoned);
    };
  }

  /**
   * Returns when the intent must have its signature, for this node to record it under its claim.
   */
  public static Deadline signBy(RecordedIntent intent) {
    return intent.claim().until().earlierBy(RECORD_MARGIN);
  }

  private CheckedSignature check(RecordedIntent intent, Lane lane, OctetString signature) {
    try {
      return finish.postSignCheck().check(intent, signature);
    } catch (SignatureRefused e) {
      events.signatureRefused(intent, lane);
      throw e;
    }
  }

  private Acceptance replay(EnrollmentRequest request, Lane lane, LedgerEntry first) {
    events.replayed(request, lane, first);
    return first.outcome().isPresent()
        ? new Acceptance.Replayed(first)
        : new Acceptance.InProgress(first);
  }

  private Acceptance rejected(EnrollmentRequest request, Rejection rejection) {
    events.rejected(request, rejection);
    return new Acceptance.Rejected(rejection);
  }
}
