package org.sluiceca.core.crl;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When a scope wants a new CRL. Pure: any node may ask, and of several that hear yes, one gets the
 * number. Those that did not cause it wait a little, so that as a rule only one builds.
 */
public final class CrlSchedule {

  /** Within this time a reserved number is signed, or never: longer than the signer is given. */
  static final Duration RESERVED_MAX = CrlIssuance.SIGN_MAX.plusSeconds(2);

  /** After a CRL of n entries the next unscheduled one waits for a second and n of these. */
  private static final Duration PER_ENTRY = Duration.ofNanos(100_000);

  private static final Duration PAUSE_MIN = Duration.ofSeconds(1);

  private final CrlTerms terms;

  /** Goes by {@code terms}. */
  public CrlSchedule(CrlTerms terms) {
    this.terms = terms;
  }

  /** What is to be issued. */
  public enum Due {
    NOTHING,
    /** In its turn: it counts as the one more CRL that entries of expired certificates wait for. */
    SCHEDULED,
    /** Because of new events. */
    UNSCHEDULED
  }

  /**
   * Returns what is due.
   *
   * @param patience how long after its due time this node leaves it to others
   */
  public Due due(ScopeState state, Duration patience) {
    Instant latest = state.now().minus(patience);
    if (isReserved(state)) {
      return Due.NOTHING;
    }
    if (state.newest().isEmpty()) {
      return Due.SCHEDULED;
    }
    ScopeState.Newest newest = state.newest().get();
    if (!newest.issuedAt().plus(terms.period()).isAfter(latest)) {
      return Due.SCHEDULED;
    }
    if (state.pending().isEmpty() || state.pending().get().since().isAfter(latest)) {
      return Due.NOTHING;
    }
    Duration pause =
        state.pending().get().isCompromise()
            ? Duration.ZERO
            : PAUSE_MIN.plus(PER_ENTRY.multipliedBy(newest.entries()));
    return newest.recordedAt().plus(pause).isAfter(latest) ? Due.NOTHING : Due.UNSCHEDULED;
  }

  /** Returns whether a node may be about to sign a CRL or a delta of a higher number. */
  static boolean isReserved(ScopeState state) {
    Optional<Instant> reservedAt = state.reservedAt();
    return reservedAt.isPresent() && reservedAt.get().plus(RESERVED_MAX).isAfter(state.now());
  }
}
