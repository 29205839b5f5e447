package org.sluiceca.api.fulfil;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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

/**
 * One pass of recovery: takes over what has run out, batch by batch, decides about each intent and
 * sees each batch through. Owns no thread: {@link RecoveryLoop} runs it, and the simulation.
 */
public final class RecoveryPass {

  /** Small against the lane's queue: recovered work must not crowd out callers who wait. */
  private static final int BATCH_MAX = 64;

  /** With a claim of 15 s an intent of a dead node is taken over within 20 s. */
  private static final Duration PAUSE = Duration.ofSeconds(3);

  /** Nodes that started together must not ask together. */
  private static final double PAUSE_JITTER = 0.3;

  private static final Logger LOG = LoggerFactory.getLogger(RecoveryPass.class);

  /** What recovery asks again before it signs. */
  public interface Registry {

    /**
     * Returns whether this node has the issuer's key and the profile. If not, the intent is left to
     * a node that does: one that was started later may know more.
     */
    boolean isKnownHere(Intent.Origin origin);

    /** Returns whether this issuer may still issue. */
    boolean isIssuerActive(Intent.Origin origin);

    /** Returns whether the requester may still have a certificate of this profile. */
    boolean isRequesterAllowed(Intent.Origin origin);
  }

  /** Finishes intents beside one another. */
  @FunctionalInterface
  public interface Finisher {

    /** Returns how many got an outcome; waits until the ends of their claims at most. */
    int finishAll(List<RecordedIntent> intents) throws InterruptedException;
  }

  /** What a pass works with. */
  public record Parts(
      Ledger ledger,
      Finisher finisher,
      RecoveryPolicy policy,
      Recheck recheck,
      Registry registry) {}

  private final Parts parts;
  private final EventSink events;

  /** Recovers by {@code parts}. */
  public RecoveryPass(Parts parts, EventSink events) {
    this.parts = parts;
    this.events = events;
  }

  /** Returns how long to wait after a pass. */
  public static Duration pause(RandomGenerator random) {
    double factor = 1 + PAUSE_JITTER * (2 * random.nextDouble() - 1);
    return Duration.ofNanos((long) (PAUSE.toNanos() * factor));
  }

  /** Runs until nothing is left to take over, nothing can be finished, or it is stopped. */
  public void run(BooleanSupplier stopped) throws InterruptedException {
    List<ExpiredIntent> batch = parts.ledger().takeOverExpired(BATCH_MAX);
    while (!batch.isEmpty() && !stopped.getAsBoolean()) {
      List<RecordedIntent> finishing = new ArrayList<>();
      for (ExpiredIntent expired : batch) {
        if (isToBeFinished(expired)) {
          finishing.add(expired.intent());
        }
      }
      int finished = parts.finisher().finishAll(finishing);
      LOG.info("took over {} intents, finished {}", batch.size(), finished);
      // Nothing finished: the signer is away. Taking more would only churn through claims.
      batch =
          finished == 0 && !finishing.isEmpty()
              ? List.of()
              : parts.ledger().takeOverExpired(BATCH_MAX);
    }
  }

  /**
   * Decides about one intent, and gives it up or leaves it here if it is not to be finished. A
   * fault with one intent must not keep the rest of its batch, which is claimed already.
   */
  private boolean isToBeFinished(ExpiredIntent expired) {
    RecordedIntent intent = expired.intent();
    events.accept(new CaEvent.IntentTakenOver(intent.serialNumber(), intent.claim().epoch()));
    try {
      if (!parts.registry().isKnownHere(intent.intent().origin())
          && !parts.policy().isTooOld(expired)) {
        return false;
      }
      RecordedPlan plan = planOf(intent.intent());
      Optional<String> fault = parts.recheck().fault(plan, expired.takenAt());
      if (fault.isPresent()
          && !parts.recheck().knowsVersion(plan)
          && !parts.policy().isTooOld(expired)) {
        LOG.warn(
            "intent {} waits for a node with version {} of profile {}: {}",
            intent.serialNumber(),
            plan.profileVersion().getAsInt(),
            plan.profile(),
            fault.get());
        return false;
      }
      return switch (parts.policy().decide(expired, circumstances(intent.intent(), fault))) {
        case Decision.Finish finish -> true;
        case Decision.Abandon(Outcome.Abandoned outcome) -> {
          abandon(intent, outcome);
          yield false;
        }
      };
    } catch (CaUnavailable e) {
      LOG.warn("intent {} waits: {}", intent.serialNumber(), e.getMessage());
      return false;
    } catch (IllegalArgumentException | IllegalStateException e) {
      LOG.error("intent {} waits", intent.serialNumber(), e);
      return false;
    }
  }

  private static RecordedPlan planOf(Intent intent) {
    return new RecordedPlan(
        intent.tbsCertificate(),
        intent.serialNumber(),
        intent.signatureAlgorithm(),
        intent.origin().profile(),
        intent.origin().profileVersion(),
        intent.origin().issuer());
  }

  private Circumstances circumstances(Intent intent, Optional<String> fault) {
    fault.ifPresent(f -> LOG.error("intent {} must not be signed: {}", intent.serialNumber(), f));
    return new Circumstances(
        parts.registry().isIssuerActive(intent.origin()),
        parts.registry().isRequesterAllowed(intent.origin()),
        fault.isEmpty());
  }

  private void abandon(RecordedIntent intent, Outcome.Abandoned outcome) {
    if (parts.ledger().abandon(intent, outcome, intent.claim().until()).isOurs()) {
      LOG.warn("gave up intent {}: {}", intent.serialNumber(), outcome.reason());
      events.accept(
          new CaEvent.IntentAbandoned(
              intent.serialNumber(), outcome.reason().name(), outcome.maybeSigned()));
    }
  }
}
