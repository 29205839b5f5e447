package org.sluiceca.api.fulfil;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.core.enroll.Finish;
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
 * Finishes or gives up the intents that their nodes let lie: at start and then every few seconds,
 * on every node. Owns one platform thread, because it runs for the life of the node.
 */
public final class RecoveryLoop implements AutoCloseable {

  /** With a claim of 15 s an intent of a dead node is taken over within 20 s. */
  private static final Duration PAUSE = Duration.ofSeconds(3);

  /** Nodes that started together must not ask together. */
  private static final double PAUSE_JITTER = 0.3;

  /** Small against the lane's queue: recovered work must not crowd out callers who wait. */
  private static final int BATCH_MAX = 64;

  private static final Duration STOP_WAIT_MAX = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(RecoveryLoop.class);

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

  /** What the loop works with. */
  public record Parts(
      Ledger ledger,
      Fulfilment fulfilment,
      RecoveryPolicy policy,
      Recheck recheck,
      Registry registry) {}

  private final Parts parts;
  private final EventSink events;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Thread thread;

  /** Makes the loop; {@link #start} starts it. */
  public RecoveryLoop(Parts parts, EventSink events, InstantSource clock, RandomGenerator random) {
    this.parts = parts;
    this.events = events;
    this.clock = clock;
    this.random = random;
    this.thread = Thread.ofPlatform().name("recovery").daemon().unstarted(this::run);
  }

  /** Starts the loop. */
  public void start() {
    thread.start();
  }

  private void run() {
    boolean running = true;
    while (running) {
      try {
        pass();
      } catch (CaUnavailable e) {
        LOG.warn("recovery waits: {}", e.getMessage());
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) { // The loop of an owned thread: it must outlive any bug.
        LOG.error("recovery pass failed", e);
      }
      running = !pause();
    }
  }

  /** Returns whether the loop was stopped meanwhile. */
  private boolean pause() {
    double factor = 1 + PAUSE_JITTER * (2 * random.nextDouble() - 1);
    try {
      return stopped.await((long) (PAUSE.toNanos() * factor), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      return true;
    }
  }

  /** One pass: takes over what has run out, batch by batch, and sees each batch through. */
  void pass() throws InterruptedException {
    List<ExpiredIntent> batch = parts.ledger().takeOverExpired(BATCH_MAX);
    while (!batch.isEmpty() && stopped.getCount() > 0) {
      List<Future<Optional<Finish>>> started = new ArrayList<>();
      List<RecordedIntent> finishing = new ArrayList<>();
      for (ExpiredIntent expired : batch) {
        startOrGiveUp(expired)
            .ifPresent(
                future -> {
                  started.add(future);
                  finishing.add(expired.intent());
                });
      }
      int finished = 0;
      for (int i = 0; i < started.size(); i++) {
        if (parts
            .fulfilment()
            .await(started.get(i), finishing.get(i).claim().until())
            .isPresent()) {
          finished++;
        }
      }
      LOG.info("took over {} intents, finished {}", batch.size(), finished);
      // Nothing finished: the signer is away. Taking more would only churn through claims.
      batch =
          finished == 0 && !finishing.isEmpty()
              ? List.of()
              : parts.ledger().takeOverExpired(BATCH_MAX);
    }
  }

  /**
   * Starts to finish one intent, or gives it up, or leaves it. A fault with one intent must not
   * keep the rest of its batch, which is claimed already, from being started.
   */
  private Optional<Future<Optional<Finish>>> startOrGiveUp(ExpiredIntent expired) {
    RecordedIntent intent = expired.intent();
    events.accept(new CaEvent.IntentTakenOver(intent.serialNumber(), intent.claim().epoch()));
    if (!parts.registry().isKnownHere(intent.intent().origin())
        && !parts.policy().isTooOld(expired, clock.instant())) {
      return Optional.empty();
    }
    try {
      return switch (parts.policy().decide(expired, circumstances(intent.intent()))) {
        case Decision.Finish finish -> Optional.of(parts.fulfilment().start(intent));
        case Decision.Abandon(Outcome.Abandoned outcome) -> {
          abandon(intent, outcome);
          yield Optional.empty();
        }
      };
    } catch (CaUnavailable e) {
      LOG.warn("intent {} waits: {}", intent.serialNumber(), e.getMessage());
      return Optional.empty();
    }
  }

  private Circumstances circumstances(Intent intent) {
    Instant now = clock.instant();
    Optional<String> fault =
        parts
            .recheck()
            .fault(
                new RecordedPlan(
                    intent.tbsCertificate(),
                    intent.serialNumber(),
                    intent.signatureAlgorithm(),
                    intent.origin().profile(),
                    intent.origin().issuer()),
                now);
    fault.ifPresent(f -> LOG.error("intent {} must not be signed: {}", intent.serialNumber(), f));
    return new Circumstances(
        now,
        parts.registry().isIssuerActive(intent.origin()),
        parts.registry().isRequesterAllowed(intent.origin()),
        fault.isEmpty());
  }

  private void abandon(RecordedIntent intent, Outcome.Abandoned outcome) {
    parts.ledger().abandon(intent, outcome, intent.claim().until());
    LOG.warn("gave up intent {}: {}", intent.serialNumber(), outcome.reason());
    events.accept(
        new CaEvent.IntentAbandoned(
            intent.serialNumber(), outcome.reason().name(), outcome.maybeSigned()));
  }

  /** Ends the loop after its present batch, waiting 5 s at most. */
  @Override
  public void close() {
    stopped.countDown();
    try {
      if (!thread.join(STOP_WAIT_MAX)) {
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
