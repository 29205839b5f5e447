package org.sluiceca.hsm.route;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.HsmStats;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.LaneStats;
import org.sluiceca.hsm.Mechanism;

/**
 * Chooses the token for a request. It takes the time as a parameter, never blocks and takes no
 * lock: a look at every token costs less than one microsecond each, and there are at most eight.
 */
final class Router {
  /*
   * In this order, of the tokens that hold the key and work:
   *
   * 1. A preferred token whose breaker is not closed, if it may be probed: this request is the probe.
   * 2. A preferred token that was passed over for long: what is known of it is old.
   * 3. The preferred token of this region that is expected to answer first, if in time, unless one of
   *    another region would answer in half that time.
   * 4. The preferred token of any region, if in time.
   * 5. A backup token by the same rules (1, 3, 4).
   * 6. Whichever is expected to answer first: its lane decides whether that is too late.
   * 7. One whose breaker is open. Without it there is none, and its lane bounds what waits.
   */

  /** A far token is used when it is better by this factor … */
  static final double FAR_FACTOR = 2;

  /** … and by this much: below it no client notices, and estimates of idle tokens are coarse. */
  static final Duration FAR_MARGIN = Duration.ofMillis(20);

  /** A key stays with its token until another is better by a fifth and a millisecond. */
  static final double STICKY_FACTOR = 1.25;

  private static final Duration STICKY_MARGIN = Duration.ofMillis(1);

  /**
   * An idle token's estimate is what its last work took, perhaps during a bad spell. One request
   * goes there after this time and this number of other requests: a thousandth moves no percentile
   * that is watched.
   */
  static final Duration FORGOTTEN_AFTER = Duration.ofSeconds(10);

  static final long FORGOTTEN_AFTER_REQUESTS = 1000;

  /** The request that looks must have time for the worst. */
  private static final long FORGOTTEN_TIMES = 4;

  private static final Comparator<Candidate> SOONEST =
      Comparator.comparingLong(Candidate::predictedNanos);

  private final String region;

  /** Bounded by the keys of the group. */
  private final ConcurrentMap<KeyRef, TokenEndpoint> lastOf = new ConcurrentHashMap<>();

  Router(String region) {
    this.region = region;
  }

  /**
   * A request to be routed.
   *
   * @param answerInNanos how much time is left until the client stops waiting
   */
  record Ask(KeyRef key, Mechanism mechanism, long answerInNanos, long now) {}

  /** The token chosen, and whether the request is the probe of its breaker. */
  record Choice(TokenEndpoint endpoint, boolean isProbe) {}

  /**
   * When a token would probably answer a request that it got now.
   *
   * @param predictedNanos from now until the answer
   */
  private record Candidate(TokenEndpoint endpoint, HsmStats stats, long predictedNanos) {
    /**
     * Nothing is known of it: an HSM of middling speed. Wrong for one call, then it is measured.
     */
    private static final double SERVICE_UNKNOWN_NANOS = 10_000_000;

    /**
     * The work that waits and runs over the token's capacity, and the request's own time in it.
     *
     * <p>The mean response stands for both: it is measured with the network and with what other
     * nodes have in the token. Calls that hang count like others: when enough of them do to matter,
     * the lane declares the token lost.
     */
    static Candidate of(TokenEndpoint endpoint, HsmStats stats) {
      boolean isKnown = stats.meanServiceNanos() > 0;
      double response = isKnown ? (double) stats.meanServiceNanos() : SERVICE_UNKNOWN_NANOS;
      double queued =
          isKnown
              ? stats.lanes().stream().mapToDouble(LaneStats::workNanos).sum()
              : stats.queueDepth() * response;
      double work = queued + stats.inflight() * response;
      return new Candidate(endpoint, stats, (long) (work / stats.inflightLimit() + response));
    }

    boolean isWithin(long nanos) {
      return predictedNanos <= nanos;
    }

    boolean isIdle() {
      return stats.queueDepth() + stats.inflight() == 0;
    }
  }

  /** Empty when no member that is not among {@code tried} can be used. */
  Optional<Choice> choose(List<TokenEndpoint> endpoints, Collection<TokenEndpoint> tried, Ask ask) {
    List<Candidate> working = new ArrayList<>(endpoints.size());
    List<Candidate> broken = new ArrayList<>();
    for (TokenEndpoint endpoint : endpoints) {
      if (tried.contains(endpoint)) {
        continue;
      }
      Optional<HsmStats> stats = endpoint.usableFor(ask);
      if (stats.isPresent()) {
        (endpoint.breaker(ask.key(), ask.mechanism()).isClosed() ? working : broken)
            .add(Candidate.of(endpoint, stats.get()));
      }
    }
    Optional<Choice> choice =
        among(TokenPolicy.Preference.PREFERRED, working, broken, ask)
            .or(() -> among(TokenPolicy.Preference.BACKUP, working, broken, ask))
            .or(() -> soonest(working))
            .or(() -> soonest(broken));
    choice.ifPresent(made -> remember(made.endpoint(), working, ask));
    return choice;
  }

  private void remember(TokenEndpoint chosen, List<Candidate> working, Ask ask) {
    for (Candidate other : working) {
      if (other.endpoint() != chosen) {
        other.endpoint().idleness().passedOver();
      }
    }
    chosen.idleness().used(ask.now());
    lastOf.put(ask.key(), chosen);
  }

  private Optional<Choice> among(
      TokenPolicy.Preference preference, List<Candidate> working, List<Candidate> broken, Ask ask) {
    for (Candidate candidate : broken) {
      if (is(candidate, preference)
          && candidate.endpoint().breaker(ask.key(), ask.mechanism()).tryProbe()) {
        return Optional.of(new Choice(candidate.endpoint(), true));
      }
    }
    List<Candidate> inTime =
        working.stream().filter(o -> is(o, preference) && o.isWithin(ask.answerInNanos())).toList();
    if (inTime.size() > 1) {
      for (Candidate candidate : inTime) {
        if (isForgotten(candidate, ask)) {
          return Optional.of(new Choice(candidate.endpoint(), false));
        }
      }
    }
    return nearest(inTime, ask).map(o -> new Choice(o.endpoint(), false));
  }

  private static boolean is(Candidate candidate, TokenPolicy.Preference preference) {
    return candidate.endpoint().policy().preference() == preference;
  }

  private static boolean isForgotten(Candidate candidate, Ask ask) {
    return candidate.isIdle()
        && candidate.isWithin(ask.answerInNanos() / FORGOTTEN_TIMES)
        && candidate
            .endpoint()
            .idleness()
            .endsAfter(FORGOTTEN_AFTER_REQUESTS, FORGOTTEN_AFTER, ask.now());
  }

  private Optional<Candidate> nearest(List<Candidate> inTime, Ask ask) {
    @Nullable Candidate near = best(inTime.stream().filter(this::isNear).toList(), ask);
    @Nullable Candidate far = best(inTime.stream().filter(o -> !isNear(o)).toList(), ask);
    if (near == null || far == null) {
      return Optional.ofNullable(near != null ? near : far);
    }
    boolean isFarWorthIt =
        near.predictedNanos() > FAR_FACTOR * far.predictedNanos() + (double) FAR_MARGIN.toNanos();
    return Optional.of(isFarWorthIt ? far : near);
  }

  private boolean isNear(Candidate candidate) {
    return candidate.endpoint().policy().isNearTo(region);
  }

  /** The soonest, or the last one while it is hardly worse: nodes that flap would flap together. */
  private @Nullable Candidate best(List<Candidate> candidates, Ask ask) {
    Optional<Candidate> soonest = candidates.stream().min(SOONEST);
    if (soonest.isEmpty()) {
      return null;
    }
    double tolerated =
        STICKY_FACTOR * soonest.get().predictedNanos() + (double) STICKY_MARGIN.toNanos();
    TokenEndpoint last = lastOf.get(ask.key());
    return candidates.stream()
        .filter(o -> o.endpoint() == last && o.predictedNanos() <= tolerated)
        .findFirst()
        .orElse(soonest.get());
  }

  private static Optional<Choice> soonest(List<Candidate> candidates) {
    return candidates.stream().min(SOONEST).map(o -> new Choice(o.endpoint(), false));
  }
}
