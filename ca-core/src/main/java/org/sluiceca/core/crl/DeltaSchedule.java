package org.sluiceca.core.crl;

import java.time.Duration;
import java.time.Instant;

/**
 * Decides when a scope needs a new delta CRL: every interval, and at once when a key is
 * compromised. {@link CrlSchedule} does not depend on it: complete CRLs are issued as they are
 * without deltas. Pure, like that class.
 */
public final class DeltaSchedule {

  private final DeltaTerms terms;

  /** Goes by {@code terms}. */
  public DeltaSchedule(DeltaTerms terms) {
    this.terms = terms;
  }

  /**
   * Returns whether a delta is due.
   *
   * @param patience how long after its due time this node leaves it to others
   */
  public boolean isDue(ScopeState state, Duration patience) {
    if (state.newest().isEmpty()
        || !state.newest().get().nextUpdate().isAfter(state.now())
        || CrlSchedule.isReserved(state)) {
      return false;
    }
    if (state.delta().isEmpty()) {
      return true;
    }
    ScopeState.Delta delta = state.delta().get();
    Instant latest = state.now().minus(patience);
    boolean isCompromise =
        delta.pending().isPresent()
            && delta.pending().get().isCompromise()
            && !delta.pending().get().since().isAfter(latest);
    return isCompromise || !delta.newest().issuedAt().plus(terms.interval()).isAfter(latest);
  }
}
