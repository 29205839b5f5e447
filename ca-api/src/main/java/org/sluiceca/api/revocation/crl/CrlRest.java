package org.sluiceca.api.revocation.crl;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.ToLongFunction;
import org.sluiceca.core.crl.CrlTerms;
import org.sluiceca.core.crl.ScopeState;
import org.sluiceca.core.crl.ScopeState.Newest;
import org.sluiceca.core.crl.ScopeState.Pending;

/**
 * How long nothing will be due if nothing changes. It errs on the short side: it decides only when
 * the loop looks again, and what is due then is decided as before.
 */
final class CrlRest {

  private final CrlTerms terms;
  private final ToLongFunction<CrlName> published;

  /** Compares with the numbers of the CRLs that this node has published. */
  CrlRest(CrlTerms terms, ToLongFunction<CrlName> published) {
    this.terms = terms;
    this.published = published;
  }

  /** Returns how long no scope needs a look, {@code most} at most; zero if one does now. */
  Duration idle(List<ScopeState> states, Duration most) {
    Duration idle = most;
    for (ScopeState state : states) {
      Duration own = idle(state);
      idle = own.compareTo(idle) < 0 ? own : idle;
    }
    return idle.isNegative() ? Duration.ZERO : idle;
  }

  private Duration idle(ScopeState state) {
    // A reservation that was never signed must not hold up what follows it.
    if (state.newest().isEmpty()
        || state.pending().isPresent()
        || state.reservedAt().isPresent()
        || isNews(CrlName.complete(state.scope()), state.newest().get())) {
      return Duration.ZERO;
    }
    Duration complete = until(state, state.newest().get(), terms.period());
    if (terms.deltas().isEmpty()) {
      return complete;
    }
    if (state.delta().isEmpty()
        || state.delta().get().pending().map(Pending::isCompromise).orElse(false)
        || isNews(CrlName.delta(state.scope()), state.delta().get().newest())) {
      return Duration.ZERO;
    }
    Duration delta = until(state, state.delta().get().newest(), terms.deltas().get().interval());
    return delta.compareTo(complete) < 0 ? delta : complete;
  }

  private boolean isNews(CrlName name, Newest newest) {
    return newest.number() != published.applyAsLong(name);
  }

  private static Duration until(ScopeState state, Newest newest, Duration period) {
    Instant due = newest.issuedAt().plus(period);
    return Duration.between(state.now(), due);
  }
}
