package org.sluiceca.api.revocation.crl;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.core.crl.CrlSchedule;
import org.sluiceca.core.crl.CrlSchedule.Due;
import org.sluiceca.core.crl.CrlStore;
import org.sluiceca.core.crl.CrlTerms;
import org.sluiceca.core.crl.DeltaOutcome;
import org.sluiceca.core.crl.DeltaSchedule;
import org.sluiceca.core.crl.DeltaTerms;
import org.sluiceca.core.crl.PlannedCrl;
import org.sluiceca.core.crl.ScopeState;
import org.sluiceca.core.crl.ScopeState.Pending;
import org.sluiceca.core.der.TbsCertListWriter;
import org.sluiceca.core.failure.CaUnavailable;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.time.Ticker;

/**
 * One pass over the scopes of a node: reads where each stands, fetches what other nodes signed, and
 * issues what is due and does not {@linkplain WaitingCrls wait}. Owned by the thread of the loop.
 */
final class CrlPass {

  private static final Logger LOG = LoggerFactory.getLogger(CrlLoop.class);

  /** Compromises first, then what has waited longest. */
  private static final Comparator<ScopeState> ORDER =
      Comparator.comparing((ScopeState state) -> !isCompromise(state) && !isUrgent(state))
          .thenComparing(state -> state.pending().map(Pending::since).orElse(Instant.MAX));

  private final CrlLoop.Parts parts;
  private final CrlTerms terms;
  private final CrlSchedule schedule;
  private final Optional<DeltaSchedule> deltas;
  private final WaitingCrls waiting;
  private final CrlMetrics metrics;
  private final Ticker ticker;

  /** How long this node leaves to others what is due. */
  private final Duration left;

  /** When the states began to be read. */
  private final long lookedAtNanos;

  private final Duration lookTime;
  private final List<ScopeState> states;

  /** Whether a CRL was to be signed, which takes long on a slow HSM. */
  private boolean isTried;

  private boolean isLeft;
  private boolean isOpen;
  private boolean isPressing;

  /** Reads where every scope stands; {@link #run} does what is due. */
  CrlPass(
      CrlLoop.Parts parts,
      CrlTerms terms,
      WaitingCrls waiting,
      CrlMetrics metrics,
      Ticker ticker,
      Duration left) {
    this.parts = parts;
    this.terms = terms;
    this.schedule = new CrlSchedule(terms);
    this.deltas = terms.deltas().map(DeltaSchedule::new);
    this.waiting = waiting;
    this.metrics = metrics;
    this.ticker = ticker;
    this.left = left;
    this.lookedAtNanos = ticker.nanoTime();
    this.states = parts.store().states();
    this.lookTime = sinceLook();
  }

  /** Fetches and issues. Blocks for as long as signatures take. */
  void run() {
    waiting.begin(states, left);
    for (ScopeState state : states.stream().sorted(ORDER).toList()) {
      boolean isMissing = update(CrlName.complete(state.scope()), state);
      isOpen |= isMissing && !waiting.isLeftToOthers(state);
      isPressing |= isMissing && !waiting.isWaiting(state.scope());
      // Not in the pass that signed a complete CRL: issued together the two would have to have one
      // number (RFC 5280 5.2.3).
      if (deltas.isPresent()) {
        boolean isDeltaMissing =
            isPublished(state) ? update(CrlName.delta(state.scope()), state) : isUrgent(state);
        isOpen |= isDeltaMissing;
        isPressing |= isDeltaMissing;
      }
    }
    metrics.seen(states);
  }

  /** Returns where every scope stood before. */
  List<ScopeState> states() {
    return states;
  }

  /** Returns how long it took to read where every scope stands. */
  Duration lookTime() {
    return lookTime;
  }

  /** Returns how long ago the states began to be read. */
  Duration sinceLook() {
    return Duration.ofNanos(ticker.nanoTime() - lookedAtNanos);
  }

  /** Returns whether it has left CRLs to the next pass, which is to come at once. */
  boolean isLeft() {
    return isLeft;
  }

  /** Returns whether this node has to look after events that no CRL has yet. */
  boolean isOpen() {
    return isOpen;
  }

  /** Returns whether a CRL is to be signed that waits for no other. */
  boolean isPressing() {
    return isPressing;
  }

  private boolean isPublished(ScopeState state) {
    return state.newest().isPresent()
        && state.newest().get().number() == parts.folder().number(CrlName.complete(state.scope()));
  }

  /** Returns whether there are events that should be on the newest of a name and are not. */
  private boolean update(CrlName name, ScopeState state) {
    try {
      fetch(name, name.isDelta() ? state.delta().map(ScopeState.Delta::newest) : state.newest());
      if (waiting.isResting(name, state)) {
        return false;
      }
      return name.isDelta() ? issueDeltaIfDue(state) : issueIfDue(state);
    } catch (CaUnavailable e) {
      LOG.warn("the CRL of {} waits: {}", name, e.getMessage());
      failed(name, state);
    } catch (IOException | IllegalArgumentException | IllegalStateException e) {
      // One scope must not hold up the others.
      LOG.error("the CRL of {} cannot be made", name, e);
      failed(name, state);
    }
    return false;
  }

  private void failed(CrlName name, ScopeState state) {
    metrics.failed(state.scope().issuer());
    waiting.failed(name, state);
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
      waiting.baseFound(crl.scope());
    }
  }

  /** Returns whether there are events that the newest CRL still does not have. */
  private boolean issueIfDue(ScopeState state) throws IOException {
    Optional<Issuer> issuer = waiting.signable(state);
    boolean isPending = state.pending().isPresent();
    if (issuer.isEmpty()) {
      return false;
    }
    Due due = schedule.due(state, left);
    if (due == Due.NOTHING || waiting.isWaiting(state.scope())) {
      return isPending;
    }
    boolean canWait = due == Due.UNSCHEDULED && !isCompromise(state);
    if (canWait && isTried && sinceLook().compareTo(CrlLoop.PAUSE) > 0) {
      // Meanwhile another node may have signed it, and a compromise may have come.
      waiting.leave(state.scope());
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
    metrics.issued(took, WaitingCrls.pendingFor(state));
    logIssued(issued.get(), took);
    return false;
  }

  private Optional<CrlStore.SignedCrl> issueUnlessNewer(Issuer issuer, ScopeState state) {
    CrlScope scope = state.scope();
    long complete = state.newest().map(ScopeState.Newest::number).orElse(0L);
    long seen =
        state.delta().map(delta -> Math.max(complete, delta.newest().number())).orElse(complete);
    return waiting.defersToNewer(state, seen)
        ? parts.issuance().issueUnlessNewer(issuer, scope, seen, terms, parts.node())
        : parts.issuance().issue(issuer, scope, Due.UNSCHEDULED, terms, parts.node());
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
  private boolean issueDeltaIfDue(ScopeState state) throws IOException {
    Optional<Issuer> issuer = waiting.signable(state);
    if (issuer.isEmpty() || deltas.isEmpty()) {
      return false;
    }
    if (waiting.isBaseless(state)) {
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
        logIssued(issued.crl(), Duration.ofNanos(System.nanoTime() - start));
      }
      case DeltaOutcome.NumberTaken taken -> waiting.deltaTaken(state);
      case DeltaOutcome.NoBase none -> waiting.noBase(state, wanted.interval());
    }
    return false;
  }

  private static void logIssued(CrlStore.SignedCrl signed, Duration took) {
    LOG.info(
        "CRL {} of {}: {} entries in {} ms",
        signed.crl().number(),
        CrlName.of(signed.crl()),
        signed.crl().terms().entries(),
        took.toMillis());
  }
}
