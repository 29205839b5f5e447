package org.sluiceca.api.issuance;

import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.KeyFingerprint;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.core.failure.CaUnavailable;
import org.sluiceca.core.intent.ExpiredIntent;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.intent.RecordedIntent;
import org.sluiceca.core.intent.RecoveryPolicy;
import org.sluiceca.core.intent.RecoveryPolicy.Circumstances;
import org.sluiceca.core.intent.RecoveryPolicy.Decision;
import org.sluiceca.core.plan.Recheck;
import org.sluiceca.core.plan.Recheck.RecordedPlan;
import org.sluiceca.core.request.RequesterId;

/**
 * Whether an intent that was recorded some time ago is still to be signed: the same for what
 * recovery takes over and for what is taken out of the backlog. Thread-safe.
 */
public final class RecoveryDecider {

  private static final Logger LOG = LoggerFactory.getLogger(RecoveryDecider.class);

  /** What is asked again before an intent is signed late. */
  public interface Registry {

    /**
     * Returns whether this node has the issuer's key and the profile. If not, the intent is left to
     * a node that does: one that was started later may know more.
     */
    boolean isKnownHere(Intent.Origin origin);

    /** Returns whether this issuer may still issue, whether this node has it or not. */
    boolean isIssuerActive(Intent.Origin origin);

    /**
     * Returns whether this node has the issuer's newest certificate: what another node planned
     * under a newer one may last longer than the one here.
     */
    boolean isIssuerAsStored(Intent.Origin origin);

    /** Returns whether a key was reported as compromised, for this requester or for all. */
    boolean isKeyCompromised(KeyFingerprint key, RequesterId requester);

    /** Returns whether the requester may still have a certificate of this profile. */
    boolean isRequesterAllowed(Intent.Origin origin);
  }

  private final Ledger ledger;
  private final RecoveryPolicy policy;
  private final Recheck recheck;
  private final Registry registry;
  private final EventSink events;

  /** Decides by {@code policy}, after {@code recheck} and {@code registry} were asked. */
  public RecoveryDecider(
      Ledger ledger, RecoveryPolicy policy, Recheck recheck, Registry registry, EventSink events) {
    this.ledger = ledger;
    this.policy = policy;
    this.recheck = recheck;
    this.registry = registry;
    this.events = events;
  }

  /** Returns the same that asks the registry in another way. */
  public RecoveryDecider asking(UnaryOperator<Registry> otherwise) {
    return new RecoveryDecider(ledger, policy, recheck, otherwise.apply(registry), events);
  }

  /** What becomes of an intent. */
  public enum Verdict {
    /** Steps 6 to 8 are to follow. */
    FINISH,
    /** It has an outcome now. */
    GIVEN_UP,
    /** A later owner decides: this node cannot, or cannot now. */
    LEFT
  }

  /**
   * Decides about one intent. Blocks for the registry, and for a commit if it is given up. A fault
   * with one intent must not keep the rest of its batch, which is claimed already: it is left to a
   * later owner.
   */
  public Verdict of(ExpiredIntent expired) {
    RecordedIntent intent = expired.intent();
    events.accept(
        expired.untouched()
            ? new CaEvent.OrderTaken(intent.serialNumber())
            : new CaEvent.IntentTakenOver(intent.serialNumber(), intent.claim().epoch()));
    try {
      Intent.Origin origin = intent.intent().origin();
      if (!registry.isIssuerActive(origin)) {
        // Before anything else: left to a node that knows more, it would wait until it is too old.
        return carryOut(intent, policy.decide(expired, new Circumstances(false, false, false)));
      }
      if (isKeyCompromised(intent.intent())) {
        // Whatever this node knows of its profile: no node may sign it.
        return carryOut(intent, policy.decideCompromised(expired));
      }
      if (!registry.isKnownHere(origin) && !policy.isTooOld(expired)) {
        return Verdict.LEFT;
      }
      RecordedPlan plan = planOf(intent.intent());
      Optional<String> fault = recheck.fault(plan, expired.takenAt());
      if (fault.isPresent() && !recheck.knowsVersion(plan) && !policy.isTooOld(expired)) {
        LOG.warn(
            "intent {} waits for a node with version {} of profile {}: {}",
            intent.serialNumber(),
            plan.profileVersion().getAsInt(),
            plan.profile(),
            fault.get());
        return Verdict.LEFT;
      }
      if (fault.isPresent() && !registry.isIssuerAsStored(origin) && !policy.isTooOld(expired)) {
        LOG.warn(
            "intent {} waits for a node with the newest certificate of issuer {}: {}",
            intent.serialNumber(),
            origin.issuer(),
            fault.get());
        return Verdict.LEFT;
      }
      return carryOut(intent, policy.decide(expired, circumstances(intent.intent(), fault)));
    } catch (CaUnavailable e) {
      LOG.warn("intent {} waits: {}", intent.serialNumber(), e.getMessage());
      return Verdict.LEFT;
    } catch (IllegalArgumentException | IllegalStateException e) {
      LOG.error("intent {} waits", intent.serialNumber(), e);
      return Verdict.LEFT;
    }
  }

  private boolean isKeyCompromised(Intent intent) {
    try {
      return registry.isKeyCompromised(
          KeyFingerprint.of(intent.tbsCertificate()), intent.origin().requester());
    } catch (DerException e) {
      // The lints will find it, too.
      return false;
    }
  }

  private Verdict carryOut(RecordedIntent intent, Decision decision) {
    return switch (decision) {
      case Decision.Finish finish -> Verdict.FINISH;
      case Decision.Abandon(Outcome.Abandoned outcome) -> {
        abandon(intent, outcome);
        yield Verdict.GIVEN_UP;
      }
    };
  }

  private static RecordedPlan planOf(Intent intent) {
    return new RecordedPlan(
        intent.origin().requester(),
        intent.tbsCertificate(),
        intent.serialNumber(),
        intent.signatureAlgorithm(),
        intent.origin().profile(),
        intent.origin().profileVersion(),
        intent.origin().issuer());
  }

  private Circumstances circumstances(Intent intent, Optional<String> fault) {
    fault.ifPresent(f -> LOG.error("intent {} must not be signed: {}", intent.serialNumber(), f));
    return new Circumstances(true, registry.isRequesterAllowed(intent.origin()), fault.isEmpty());
  }

  private void abandon(RecordedIntent intent, Outcome.Abandoned outcome) {
    if (ledger.abandon(intent, outcome, intent.claim().until()).isOurs()) {
      LOG.warn("gave up intent {}: {}", intent.serialNumber(), outcome.reason());
      events.accept(
          new CaEvent.IntentAbandoned(
              intent.serialNumber(), outcome.reason().name(), outcome.maybeSigned()));
    }
  }
}
