package org.sluiceca.api.crl;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.core.crl.CrlIssuance;
import org.sluiceca.core.crl.CrlSchedule;
import org.sluiceca.core.crl.CrlSchedule.Due;
import org.sluiceca.core.crl.CrlStore;
import org.sluiceca.core.crl.CrlTerms;
import org.sluiceca.core.crl.PlannedCrl;
import org.sluiceca.core.crl.ScopeState;
import org.sluiceca.core.der.TbsCertListWriter;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.core.failure.CaUnavailable;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.x509.IssuerName;

/**
 * Keeps the CRLs of a node new: four times a second it asks where every scope stands, fetches what
 * other nodes signed, and issues what is due. Owns one platform thread, because it runs for the
 * life of the node; a revocation that this node recorded wakes it.
 */
public final class CrlLoop implements EventSink, AutoCloseable {

  /** Others' CRLs are seen within this time: a quarter of the second in which one is known. */
  private static final Duration PAUSE = Duration.ofMillis(250);

  /** Where there are so many scopes that asking takes long, a fifth of the time is spent on it. */
  private static final int PAUSES_PER_LOOK = 4;

  /** While a revocation of this node's own is not on its CRL. */
  private static final Duration PAUSE_EAGER = Duration.ofMillis(100);

  /** How long this node leaves to others what it did not cause. */
  private static final Duration PATIENCE_MIN = Duration.ofSeconds(2);

  /** Longer than the number that a failed attempt leaves behind keeps others waiting. */
  private static final Duration REST = CrlIssuance.SIGN_MAX.multipliedBy(3);

  private static final Duration STOP_WAIT_MAX = CrlIssuance.SIGN_MAX.plusSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(CrlLoop.class);

  /**
   * What it works with.
   *
   * @param isSignable whether this node can sign for an issuer now
   * @param node this node's name, for the record
   * @param sweep revokes what was given up after it may have been signed
   */
  public record Parts(
      CrlStore store,
      CrlIssuance issuance,
      IssuerCatalog issuers,
      Predicate<IssuerName> isSignable,
      CrlFolder folder,
      Runnable sweep,
      String node) {}

  private final Parts parts;
  private final CrlTerms terms;
  private final CrlSchedule schedule;
  private final CrlMetrics metrics;
  private final Duration patience;

  /** A permit wakes the thread. */
  private final Semaphore wake = new Semaphore(0);

  private volatile boolean stopped;
  private volatile boolean isEager;
  private final Thread thread;

  // Owned by the thread.
  private int passes;
  private long lookNanos;
  private final Map<CrlScope, Instant> resting = new HashMap<>();

  /** Makes the loop; {@link #start} starts it. */
  public CrlLoop(Parts parts, CrlTerms terms, CrlMetrics metrics, RandomGenerator random) {
    this.parts = parts;
    this.terms = terms;
    this.schedule = new CrlSchedule(terms);
    this.metrics = metrics;
    this.patience = PATIENCE_MIN.plusMillis(random.nextInt((int) PATIENCE_MIN.toMillis()));
    this.thread = Thread.ofPlatform().name("crl").daemon().unstarted(this::run);
  }

  /** Starts the thread. */
  public void start() {
    thread.start();
  }

  /** Hears of revocations that this node recorded. */
  @Override
  public void accept(CaEvent event) {
    if (event instanceof CaEvent.CertificateRevoked
        || event instanceof CaEvent.CertificatesRevoked
        || event instanceof CaEvent.HoldReleased) {
      isEager = true;
      wake.release();
    }
  }

  private void run() {
    while (!stopped) {
      try {
        pass();
      } catch (CaUnavailable e) {
        LOG.warn("CRLs wait: {}", e.getMessage());
      } catch (RuntimeException e) { // The loop of an owned thread: it must outlive any bug.
        LOG.error("a pass over the CRLs failed", e);
      }
      try {
        long least = (isEager ? PAUSE_EAGER : PAUSE).toNanos();
        long pause = Math.max(least, PAUSES_PER_LOOK * lookNanos);
        if (wake.tryAcquire(pause, TimeUnit.NANOSECONDS)) {
          wake.drainPermits();
        }
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** Once a minute at this pace, and at the start. */
  private static final int PASSES_PER_SWEEP = 240;

  private void pass() {
    if (passes++ % PASSES_PER_SWEEP == 0) {
      parts.sweep().run();
    }
    boolean wasEager = isEager;
    boolean isOpen = false;
    long start = System.nanoTime();
    List<ScopeState> states = parts.store().states();
    lookNanos = System.nanoTime() - start;
    for (ScopeState state : states) {
      try {
        fetch(state);
        if (!isResting(state)) {
          isOpen |= issueIfDue(state, wasEager ? Duration.ZERO : patience);
        }
      } catch (CaUnavailable e) {
        LOG.warn("the CRL of {} waits: {}", state.scope(), e.getMessage());
        rest(state);
      } catch (IOException | IllegalArgumentException | IllegalStateException e) {
        // One scope must not hold up the others.
        LOG.error("the CRL of {} cannot be made", state.scope(), e);
        rest(state);
      }
    }
    metrics.seen(states);
    if (wasEager && !isOpen && wake.availablePermits() == 0) {
      isEager = false;
    }
  }

  /** After a failure of this node's own others go first: perhaps they can. */
  private void rest(ScopeState state) {
    metrics.failed(state.scope().issuer());
    resting.put(state.scope(), state.now().plus(REST));
  }

  private boolean isResting(ScopeState state) {
    Instant until = resting.get(state.scope());
    return until != null && until.isAfter(state.now());
  }

  private void fetch(ScopeState state) throws IOException {
    if (state.newest().isEmpty()
        || state.newest().get().number() <= parts.folder().number(state.scope())) {
      return;
    }
    Optional<CrlStore.SignedCrl> signed =
        parts.store().find(state.scope(), state.newest().get().number());
    if (signed.isPresent()) {
      publish(signed.get());
    }
  }

  private void publish(CrlStore.SignedCrl signed) throws IOException {
    PlannedCrl crl = signed.crl();
    parts
        .folder()
        .publish(
            crl,
            TbsCertListWriter.assemble(
                crl.tbsCertList(), crl.signatureAlgorithm(), signed.signature()));
  }

  /** Returns whether there are events that the newest CRL still does not have. */
  private boolean issueIfDue(ScopeState state, Duration left) throws IOException {
    Optional<Issuer> issuer = parts.issuers().find(state.scope().issuer());
    boolean isPending = state.pending().isPresent();
    if (issuer.isEmpty() || !parts.isSignable().test(state.scope().issuer())) {
      return false;
    }
    Due due = schedule.due(state, left);
    if (due == Due.NOTHING) {
      return isPending;
    }
    long start = System.nanoTime();
    Optional<CrlStore.SignedCrl> issued =
        parts.issuance().issue(issuer.get(), state.scope(), due, terms, parts.node());
    if (issued.isEmpty()) {
      return isPending;
    }
    publish(issued.get());
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    metrics.issued(took, pendingFor(state));
    LOG.info(
        "CRL {} of {}: {} entries in {} ms",
        issued.get().crl().number(),
        state.scope(),
        issued.get().crl().terms().entries(),
        took.toMillis());
    return false;
  }

  private static Optional<Duration> pendingFor(ScopeState state) {
    return state.pending().map(p -> between(p.since(), state.now()));
  }

  private static Duration between(Instant since, Instant now) {
    return since.isAfter(now) ? Duration.ZERO : Duration.between(since, now);
  }

  /** Ends the thread after its present pass, waiting as long as a signature may take. */
  @Override
  public void close() {
    stopped = true;
    wake.release();
    try {
      if (!thread.join(STOP_WAIT_MAX)) {
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
