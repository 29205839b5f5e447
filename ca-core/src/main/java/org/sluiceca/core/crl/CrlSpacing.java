package org.sluiceca.core.crl;

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
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.x509.IssuerName;

/**
 * Which CRLs wait although they are due, so that CRLs take at most {@link #PART} of their signer's
 * time: the scopes of all issuers that one signer signs for take turns, and what is revoked
 * meanwhile is on the same CRL. A compromise never waits, and no revocation waits for longer than
 * {@link #WAIT_MAX}: where that and the part cannot both be kept, the part is exceeded. Pure: all
 * nodes see the same states, so the same scopes wait on all of them.
 */
public final class CrlSpacing {

  /** Leaves one hundredth of the signer to checkpoints, deltas and CRLs in their turn. */
  static final double PART = 0.04;

  /**
   * A revocation is on the CRL of every node within 30 s. Ten of these are for the signature and
   * for a node that ended before it could sign.
   */
  public static final Duration WAIT_MAX = Duration.ofSeconds(20);

  /** After a quiet time as many CRLs may come at once as fit in this. */
  private static final Duration BURST = Duration.ofSeconds(1);

  private CrlSpacing() {}

  /**
   * Where CRLs of an issuer are signed.
   *
   * @param name the same for all issuers whose signatures wait for each other
   * @param time how much of the whole signer's time a signature takes; zero if that is unknown:
   *     then no CRL waits
   */
  public record Signer(String name, Duration time) {}

  /**
   * Returns the scopes of which no CRL is to be signed now for the sake of new events.
   *
   * @param states of all scopes, at one moment
   * @param candidates of these, those that would be signed now if there were no others
   * @param signers where an issuer's CRLs are signed; empty if unknown: they do not wait
   */
  public static Set<CrlScope> waiting(
      List<ScopeState> states,
      Set<CrlScope> candidates,
      Function<IssuerName, Optional<Signer>> signers) {
    if (candidates.isEmpty()) {
      return Set.of();
    }
    // Asked once: an issuer may have a thousand scopes.
    Map<IssuerName, Optional<Signer>> known = new HashMap<>();
    Map<String, Line> lines = new HashMap<>();
    for (ScopeState state : states) {
      Optional<Signer> signer = known.computeIfAbsent(state.scope().issuer(), signers);
      signer.ifPresent(s -> lines.computeIfAbsent(s.name(), n -> new Line()).see(state, s));
    }
    Set<CrlScope> waiting = new HashSet<>();
    states.stream()
        .filter(state -> candidates.contains(state.scope()) && canWait(state))
        .sorted(
            Comparator.comparing(CrlSpacing::since)
                .thenComparing(state -> state.scope().toString()))
        .forEach(
            state -> {
              Optional<Signer> signer =
                  known.getOrDefault(state.scope().issuer(), Optional.empty());
              Line line = signer.map(s -> lines.get(s.name())).orElse(null);
              if (line != null && !line.takesTurn(state.now())) {
                waiting.add(state.scope());
              }
            });
    return Set.copyOf(waiting);
  }

  private static boolean canWait(ScopeState state) {
    return state.pending().filter(pending -> !pending.isCompromise()).isPresent()
        && since(state).plus(WAIT_MAX).isAfter(state.now());
  }

  private static Instant since(ScopeState state) {
    return state.pending().orElseThrow().since();
  }

  /** The CRLs of one signer. */
  private static final class Line {

    private Instant last = Instant.MIN;
    private Duration gap = Duration.ZERO;
    private int taken;

    /** Takes in what a scope has had signed, or may be having signed now. */
    void see(ScopeState state, Signer signer) {
      state.newest().ifPresent(crl -> see(crl.recordedAt(), signer));
      state.delta().ifPresent(delta -> see(delta.newest().recordedAt(), signer));
      state.reservedAt().ifPresent(at -> see(at, signer));
    }

    private void see(Instant at, Signer signer) {
      if (!at.isBefore(last)) {
        last = at;
        gap = Duration.ofNanos((long) (signer.time().toNanos() / PART));
      }
    }

    /** Returns whether one more may be signed now, and counts it. */
    boolean takesTurn(Instant now) {
      if (gap.isZero() || last.equals(Instant.MIN)) {
        return true;
      }
      Duration passed = last.isAfter(now) ? Duration.ZERO : Duration.between(last, now);
      if (passed.compareTo(gap) < 0) {
        return false;
      }
      Duration counted = passed.compareTo(BURST) < 0 ? passed : BURST;
      return taken++ < Math.max(1, counted.dividedBy(gap));
    }
  }
}
