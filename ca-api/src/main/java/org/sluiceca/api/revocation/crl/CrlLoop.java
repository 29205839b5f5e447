package org.sluiceca.api.revocation.crl;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.platform.PeriodicTask;
import org.sluiceca.api.platform.change.ChangeWatch;
import org.sluiceca.api.platform.change.Rest;
import org.sluiceca.api.platform.change.Topic;
import org.sluiceca.core.crl.CrlIssuance;
import org.sluiceca.core.crl.CrlSchedule;
import org.sluiceca.core.crl.CrlSchedule.Due;
import org.sluiceca.core.crl.CrlSpacing;
import org.sluiceca.core.crl.CrlStore;
import org.sluiceca.core.crl.CrlTerms;
import org.sluiceca.core.crl.DeltaOutcome;
import org.sluiceca.core.crl.DeltaSchedule;
import org.sluiceca.core.crl.DeltaTerms;
import org.sluiceca.core.crl.PlannedCrl;
import org.sluiceca.core.crl.ScopeState;
import org.sluiceca.core.crl.ScopeState.Pending;
import org.sluiceca.core.der.TbsCertListWriter;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.core.failure.CaUnavailable;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.x509.IssuerName;

/**
 * Keeps the CRLs of a node new: it asks where every scope stands, fetches what other nodes signed,
 * and issues what is due. It does so four times a second while something is to be done, and else
 * rests until a change, or until a CRL is due. Owns one platform thread, because it runs for the
 * life of the node; a revocation that this node recorded wakes it.
 */
public final class CrlLoop implements EventSink, AutoCloseable {

  /** Others' CRLs are seen within this time: a quarter of the second in which one is known. */
  private static final Duration PAUSE = Duration.ofMillis(250);

  /** The longest rest while every CRL is as it has to be: the change watch ends it. */
  private static final Duration PAUSE_RESTING = Duration.ofSeconds(5);

  private static final Duration SWEEP_PERIOD = Duration.ofMinutes(1);

  /** Where the scopes are many and asking takes long, a fifth of the time is spent on it. */
  private static final int PAUSES_PER_LOOK = 4;

  /** While a revocation of this node's own is not on its CRL. */
  private static final Duration PAUSE_EAGER = Duration.ofMillis(100);

  /** How long this node leaves to others what it did not cause. */
  private static final Duration PATIENCE_MIN = Duration.ofSeconds(2);

  /** Longer than the number that a failed attempt leaves behind keeps others waiting. */
  private static final Duration REST = CrlIssuance.SIGN_MAX.multipliedBy(3);

  /** After another node was first with a delta: longer than that takes. */
  private static final Duration DELTA_REST = Duration.ofSeconds(2);

  private static final Duration STOP_WAIT_MAX = CrlIssuance.SIGN_MAX.plusSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(CrlLoop.class);

  /** Compromises first, then what has waited longest. */
  private static final Comparator<ScopeState> ORDER =
      Comparator.comparing((ScopeState state) -> !isCompromise(state) && !isUrgent(state))
          .thenComparing(state -> state.pending().map(Pending::since).orElse(Instant.MAX));

  /**
   * What it works with.
   *
   * @param isSignable whether this node can sign for an issuer now
   * @param signers where an issuer's CRLs are signed, and how long that takes; empty if unknown.
   *     Must return at once
   * @param node this node's name, for the record
   * @param sweep revokes what was given up after it may have been signed
   */
  public record Parts(
      CrlStore store,
      CrlIssuance issuance,
      IssuerCatalog issuers,
      Predicate<IssuerName> isSignable,
      Function<IssuerName, Optional<CrlSpacing.Signer>> signers,
      CrlFolder folder,
      Runnable sweep,
      String node) {}

  private final Parts parts;
  private final CrlTerms terms;
  private final CrlSchedule schedule;
  private final Optional<DeltaSchedule> deltas;
  private final CrlMetrics metrics;
  private final Ticker ticker;
  private final Duration patience;

  private volatile boolean isEager;
  private final PeriodicTask task =
      new PeriodicTask(
          new PeriodicTask.Terms(
              CrlLoop.class, "crl", "CRLs wait", Duration.ZERO, PAUSE, STOP_WAIT_MAX),
          isStopping -> step());

  // Set before the thread starts.
  private Rest rest = Rest.never();

  // Owned by the thread.
  private long sweepAtNanos = System.nanoTime();
  private long lookNanos;

  /** When the states of the present pass began to be read. */
  private long lookedAtNanos;

  /** Whether a CRL was to be signed in the present pass, which takes long on a slow HSM. */
  private boolean isTried;

  /** Whether scopes of the present pass were left to the next one. */
  private boolean isLeft;

  /** Those that wait for CRLs of other scopes, or for the next pass, as of the present one. */
  private Set<CrlScope> waiting = Set.of();

  /** Whether a CRL is to be signed that waits for no other. */
  private boolean isPressing;

  private final Map<CrlName, Instant> resting = new HashMap<>();

  /**
   * By scope, the number that was the highest known here when another node seemed to be faster.
   * Only once for each: this node may not see that number (a delta, where it makes none).
   */
  private final Map<CrlScope, Long> yielded = new HashMap<>();

  /** Issuers of which it is not known where they are signed for, because asking failed. */
  private final Set<IssuerName> unknownSigners = new HashSet<>();

  /** Scopes without a CRL that a delta could be to, and until when they are not asked for again. */
  private final Map<CrlScope, Instant> baseless = new HashMap<>();

  /** Makes the loop; {@link #start} starts it. */
  public CrlLoop(
      Parts parts, CrlTerms terms, CrlMetrics metrics, RandomGenerator random, Ticker ticker) {
    this.parts = parts;
    this.terms = terms;
    this.schedule = new CrlSchedule(terms);
    this.deltas = terms.deltas().map(DeltaSchedule::new);
    this.metrics = metrics;
    this.ticker = ticker;
    this.patience = PATIENCE_MIN.plusMillis(random.nextInt((int) PATIENCE_MIN.toMillis()));
  }

  /** Rests from now on while nothing is to be done. Before {@link #start}. */
  public void restUntilChanged(ChangeWatch changes) {
    rest = changes.rest(List.of(Topic.REVOCATIONS, Topic.CRLS), task::wake);
  }

  /** Starts the thread. */
  public void start() {
    task.start();
  }

  /** Hears of revocations that this node recorded. */
  @Override
  public void accept(CaEvent event) {
    if (event instanceof CaEvent.CertificateRevoked
        || event instanceof CaEvent.CertificatesRevoked
        || event instanceof CaEvent.HoldReleased) {
      isEager = true;
      task.wake();
    }
  }

  /** Looks once; returns how long to wait. Of the owned thread, or in its place. */
  Duration step() {
    rest.begin();
    List<ScopeState> states = pass();
    Duration share = Duration.ofNanos(PAUSES_PER_LOOK * lookNanos);
    if (isLeft) {
      Duration wait = share.minus(sinceLook());
      return wait.isNegative() ? Duration.ZERO : wait;
    }
    if (isEager || share.compareTo(PAUSE) > 0) {
      // Waiting for a turn takes seconds: then the others' pace will do.
      Duration least = isEager && isPressing ? PAUSE_EAGER : PAUSE;
      return least.compareTo(share) > 0 ? least : share;
    }
    Duration idle =
        new CrlRest(terms, name -> parts.folder().number(name)).idle(states, PAUSE_RESTING);
    return idle.compareTo(PAUSE) > 0 ? rest.pause(PAUSE, idle) : PAUSE;
  }

  /**
   * Looks once and does what is due. Of the owned thread, or in its place.
   *
   * @return where every scope stood before
   */
  @CanIgnoreReturnValue
  List<ScopeState> pass() {
    if (System.nanoTime() - sweepAtNanos >= 0) {
      sweepAtNanos = System.nanoTime() + SWEEP_PERIOD.toNanos();
      parts.sweep().run();
    }
    boolean wasEager = isEager;
    boolean isOpen = false;
    lookedAtNanos = ticker.nanoTime();
    List<ScopeState> states = parts.store().states();
    lookNanos = sinceLook().toNanos();
    Duration left = wasEager ? Duration.ZERO : patience;
    waiting = new HashSet<>(waiting(states, left));
    isPressing = false;
    isTried = false;
    isLeft = false;
    for (ScopeState state : states.stream().sorted(ORDER).toList()) {
      boolean isMissing = pass(CrlName.complete(state.scope()), state, left);
      isOpen |= isMissing && !isLeftToOthers(state);
      isPressing |= isMissing && !waiting.contains(state.scope());
      // Not in the pass that signed a complete CRL: issued together the two would have to have one
      // number (RFC 5280 5.2.3).
      if (deltas.isPresent()) {
        boolean isDeltaMissing =
            isPublished(state) ? pass(CrlName.delta(state.scope()), state, left) : isUrgent(state);
        isOpen |= isDeltaMissing;
        isPressing |= isDeltaMissing;
      }
    }
    metrics.seen(states);
    if (wasEager && !isOpen && !task.isWoken()) {
      isEager = false;
    }
    return states;
  }

  /** Whether the present pass has left CRLs to the next one, which is to come at once. */
  boolean hasLeft() {
    return isLeft;
  }

  private Duration sinceLook() {
    return Duration.ofNanos(ticker.nanoTime() - lookedAtNanos);
  }

  /** Whether it waits for its turn for so long that all nodes look after it: one is enough. */
  private boolean isLeftToOthers(ScopeState state) {
    return waiting.contains(state.scope())
        && pendingFor(state).filter(past -> past.compareTo(PATIENCE_MIN) >= 0).isPresent();
  }

  private Set<CrlScope> waiting(List<ScopeState> states, Duration left) {
    Set<CrlScope> candidates =
        states.stream()
            .filter(state -> schedule.due(state, left) == Due.UNSCHEDULED)
            .filter(this::canSign)
            .filter(state -> !isResting(CrlName.complete(state.scope()), state))
            .map(ScopeState::scope)
            .collect(Collectors.toUnmodifiableSet());
    return CrlSpacing.waiting(states, candidates, this::signer);
  }

  /** False also if this is unknown: the attempt then says why. */
  private boolean canSign(ScopeState state) {
    try {
      return signable(state).isPresent();
    } catch (CaUnavailable | IllegalArgumentException | IllegalStateException e) {
      return false;
    }
  }

  /** Empty also if asking fails: one issuer must not hold up the others. */
  private Optional<CrlSpacing.Signer> signer(IssuerName issuer) {
    try {
      return parts.signers().apply(issuer);
    } catch (CaUnavailable | IllegalArgumentException | IllegalStateException e) {
      if (unknownSigners.add(issuer)) {
        LOG.error("where CRLs of {} are signed is unknown: they wait for no others", issuer, e);
      }
      return Optional.empty();
    }
  }

  private boolean isPublished(ScopeState state) {
    return state.newest().isPresent()
        && state.newest().get().number() == parts.folder().number(CrlName.complete(state.scope()));
  }

  /** Returns whether there are events that should be on the newest of a name and are not. */
  private boolean pass(CrlName name, ScopeState state, Duration left) {
    try {
      fetch(name, name.isDelta() ? state.delta().map(ScopeState.Delta::newest) : state.newest());
      if (isResting(name, state)) {
        return false;
      }
      return name.isDelta() ? issueDeltaIfDue(state, left) : issueIfDue(state, left);
    } catch (CaUnavailable e) {
      LOG.warn("the CRL of {} waits: {}", name, e.getMessage());
      rest(name, state);
    } catch (IOException | IllegalArgumentException | IllegalStateException e) {
      // One scope must not hold up the others.
      LOG.error("the CRL of {} cannot be made", name, e);
      rest(name, state);
    }
    return false;
  }

  /** After a failure of this node's own others go first: perhaps they can. */
  private void rest(CrlName name, ScopeState state) {
    metrics.failed(state.scope().issuer());
    resting.put(name, state.now().plus(REST));
  }

  private boolean isResting(CrlName name, ScopeState state) {
    Instant until = resting.get(name);
    return until != null && until.isAfter(state.now());
  }

  private void fetch(CrlName name, Optional<ScopeState.Newest> newest) throws IOException {
    if (newest.isEmpty() || newest.get().number() <= parts.folder().number(name)) {
      return;
    }
    Optional<CrlStore.SignedCrl> signed = parts.store().find(name.scope(), newest.get().number());
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
    if (crl.terms().isScheduled()) {
      baseless.remove(crl.scope());
    }
  }

  /** Returns whether there are events that the newest CRL still does not have. */
  private boolean issueIfDue(ScopeState state, Duration left) throws IOException {
    Optional<Issuer> issuer = signable(state);
    boolean isPending = state.pending().isPresent();
    if (issuer.isEmpty()) {
      return false;
    }
    Due due = schedule.due(state, left);
    if (due == Due.NOTHING || waiting.contains(state.scope())) {
      return isPending;
    }
    boolean canWait = due == Due.UNSCHEDULED && !isCompromise(state);
    if (canWait && isTried && sinceLook().compareTo(PAUSE) > 0) {
      // Meanwhile another node may have signed it, and a compromise may have come.
      waiting.add(state.scope());
      isLeft = true;
      return isPending;
    }
    isTried = true;
    long start = System.nanoTime();
    Optional<CrlStore.SignedCrl> issued =
        canWait
            ? issueUnlessNewer(issuer.get(), state)
            : parts.issuance().issue(issuer.get(), state.scope(), due, terms, parts.node());
    if (issued.isEmpty()) {
      return isPending;
    }
    publish(issued.get());
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    metrics.issued(took, pendingFor(state));
    tell(issued.get(), took);
    return false;
  }

  private Optional<CrlStore.SignedCrl> issueUnlessNewer(Issuer issuer, ScopeState state) {
    CrlScope scope = state.scope();
    long complete = state.newest().map(ScopeState.Newest::number).orElse(0L);
    long seen =
        state.delta().map(delta -> Math.max(complete, delta.newest().number())).orElse(complete);
    Long before = yielded.put(scope, seen);
    // The number of a reservation that came to nothing is in no state, and would stop all.
    return state.reservedAt().isPresent() || (before != null && before == seen)
        ? parts.issuance().issue(issuer, scope, Due.UNSCHEDULED, terms, parts.node())
        : parts.issuance().issueUnlessNewer(issuer, scope, seen, terms, parts.node());
  }

  private static boolean isCompromise(ScopeState state) {
    return state.pending().map(Pending::isCompromise).orElse(false);
  }

  /** Returns whether the newest delta does not know of a compromise. */
  private static boolean isUrgent(ScopeState state) {
    return state
        .delta()
        .flatMap(ScopeState.Delta::pending)
        .map(Pending::isCompromise)
        .orElse(false);
  }

  /** Returns whether the newest delta still does not know of a compromise. */
  private boolean issueDeltaIfDue(ScopeState state, Duration left) throws IOException {
    Optional<Issuer> issuer = signable(state);
    if (issuer.isEmpty() || deltas.isEmpty()) {
      return false;
    }
    Instant ask = baseless.getOrDefault(state.scope(), Instant.MIN);
    if (ask.isAfter(state.now())) {
      return false;
    }
    if (!deltas.get().isDue(state, left)) {
      return isUrgent(state);
    }
    DeltaTerms wanted = terms.deltas().orElseThrow();
    isTried = true;
    long start = System.nanoTime();
    switch (parts.issuance().issueDelta(issuer.get(), state.scope(), wanted, parts.node())) {
      case DeltaOutcome.Issued issued -> {
        publish(issued.crl());
        tell(issued.crl(), Duration.ofNanos(System.nanoTime() - start));
      }
      case DeltaOutcome.NumberTaken taken ->
          resting.put(CrlName.delta(state.scope()), state.now().plus(DELTA_REST));
      // As a rule until the next CRL in its turn, which ends the wait. This node may not see that
      // one, if another comes at once after it.
      case DeltaOutcome.NoBase none ->
          baseless.put(state.scope(), state.now().plus(wanted.interval()));
    }
    return false;
  }

  private Optional<Issuer> signable(ScopeState state) {
    return parts
        .issuers()
        .find(state.scope().issuer())
        .filter(issuer -> parts.isSignable().test(issuer.name()));
  }

  private static void tell(CrlStore.SignedCrl signed, Duration took) {
    LOG.info(
        "CRL {} of {}: {} entries in {} ms",
        signed.crl().number(),
        CrlName.of(signed.crl()),
        signed.crl().terms().entries(),
        took.toMillis());
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
    task.close();
  }
}
