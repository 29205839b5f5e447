package org.sluiceca.api.revocation.crl;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.core.crl.CrlIssuance;
import org.sluiceca.core.crl.CrlSchedule;
import org.sluiceca.core.crl.CrlSchedule.Due;
import org.sluiceca.core.crl.CrlSpacing;
import org.sluiceca.core.crl.CrlTerms;
import org.sluiceca.core.crl.ScopeState;
import org.sluiceca.core.failure.CaUnavailable;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.x509.IssuerName;

/**
 * The CRLs that this node does not sign although they may be due: those that wait for CRLs of other
 * scopes, those that it leaves to other nodes, and deltas without a base. Lives as long as the
 * loop, from pass to pass. Owned by the thread of the loop.
 */
final class WaitingCrls {

  /** How long this node leaves to others what it did not cause. */
  static final Duration PATIENCE_MIN = Duration.ofSeconds(2);

  /** Longer than the number that a failed attempt leaves behind keeps others waiting. */
  private static final Duration REST = CrlIssuance.SIGN_MAX.multipliedBy(3);

  /** After another node was first with a delta: longer than that takes. */
  private static final Duration DELTA_REST = Duration.ofSeconds(2);

  private static final Logger LOG = LoggerFactory.getLogger(CrlLoop.class);

  private final IssuerCatalog issuers;
  private final Predicate<IssuerName> isSignable;
  private final Function<IssuerName, Optional<CrlSpacing.Signer>> signers;
  private final CrlSchedule schedule;

  /** Those that wait for CRLs of other scopes, or for the next pass, as of the present one. */
  private Set<CrlScope> waiting = Set.of();

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

  /** No CRL waits yet. */
  WaitingCrls(
      IssuerCatalog issuers,
      Predicate<IssuerName> isSignable,
      Function<IssuerName, Optional<CrlSpacing.Signer>> signers,
      CrlTerms terms) {
    this.issuers = issuers;
    this.isSignable = isSignable;
    this.signers = signers;
    this.schedule = new CrlSchedule(terms);
  }

  /**
   * Decides which scopes wait for CRLs of other scopes in the pass that begins.
   *
   * @param states of all scopes, at one moment
   * @param left how long this node leaves to others what is due
   */
  void begin(List<ScopeState> states, Duration left) {
    Set<CrlScope> candidates =
        states.stream()
            .filter(state -> schedule.due(state, left) == Due.UNSCHEDULED)
            .filter(this::canSign)
            .filter(state -> !isResting(CrlName.complete(state.scope()), state))
            .map(ScopeState::scope)
            .collect(Collectors.toUnmodifiableSet());
    waiting = new HashSet<>(CrlSpacing.waiting(states, candidates, this::signer));
  }

  /** Returns whether a complete CRL waits for others, or for the next pass. */
  boolean isWaiting(CrlScope scope) {
    return waiting.contains(scope);
  }

  /** Leaves a complete CRL to the next pass. */
  void leave(CrlScope scope) {
    waiting.add(scope);
  }

  /**
   * Returns whether it has waited so long for its turn that every node looks after it; one node is
   * enough.
   */
  boolean isLeftToOthers(ScopeState state) {
    return waiting.contains(state.scope())
        && pendingFor(state).filter(past -> past.compareTo(PATIENCE_MIN) >= 0).isPresent();
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
      return signers.apply(issuer);
    } catch (CaUnavailable | IllegalArgumentException | IllegalStateException e) {
      if (unknownSigners.add(issuer)) {
        LOG.error("where CRLs of {} are signed is unknown: they wait for no others", issuer, e);
      }
      return Optional.empty();
    }
  }

  /** Returns the issuer of a scope if this node can sign for it now. */
  Optional<Issuer> signable(ScopeState state) {
    return issuers.find(state.scope().issuer()).filter(issuer -> isSignable.test(issuer.name()));
  }

  /** After a failure of this node's own others go first: perhaps they can. */
  void failed(CrlName name, ScopeState state) {
    resting.put(name, state.now().plus(REST));
  }

  /** Another node was first with a delta. */
  void deltaTaken(ScopeState state) {
    resting.put(CrlName.delta(state.scope()), state.now().plus(DELTA_REST));
  }

  /** Returns whether a CRL is left to other nodes, because one failed here or was late. */
  boolean isResting(CrlName name, ScopeState state) {
    Instant until = resting.get(name);
    return until != null && until.isAfter(state.now());
  }

  /**
   * Returns whether another node goes first that may have signed a CRL since the states were read:
   * then this node signs only if no number is higher than {@code seen}, the highest of the state.
   */
  boolean defersToNewer(ScopeState state, long seen) {
    Long before = yielded.put(state.scope(), seen);
    // The number of a reservation that came to nothing is in no state, and would stop all.
    return state.reservedAt().isEmpty() && (before == null || before != seen);
  }

  /** There is no CRL that a delta could be to. */
  void noBase(ScopeState state, Duration interval) {
    // As a rule until the next CRL in its turn, which ends the wait. This node may not see that
    // one, if another comes at once after it.
    baseless.put(state.scope(), state.now().plus(interval));
  }

  /** A CRL was published here that deltas can be to. */
  void baseFound(CrlScope scope) {
    baseless.remove(scope);
  }

  /** Returns whether no delta is asked for, because there was no base a short while ago. */
  boolean isBaseless(ScopeState state) {
    Instant ask = baseless.getOrDefault(state.scope(), Instant.MIN);
    return ask.isAfter(state.now());
  }

  /** Returns how long events have waited for a complete CRL; empty if none wait. */
  static Optional<Duration> pendingFor(ScopeState state) {
    return state.pending().map(p -> between(p.since(), state.now()));
  }

  private static Duration between(Instant since, Instant now) {
    return since.isAfter(now) ? Duration.ZERO : Duration.between(since, now);
  }
}
