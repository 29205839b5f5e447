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
import org.sluiceca.hsm.Mechanism;

/**
 * Chooses the token for a request. It is told the time, never blocks and takes no lock: a look at
 * every token costs less than one microsecond each, and there are at most eight.
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

  /** … and by this much: below it nobody notices, and the estimates of idle tokens are coarse. */
  static final Duration FAR_MARGIN = Duration.ofMillis(20);

  /** A key stays with its token until another is better by a fifth and a millisecond. */
  static final double STICKY_FACTOR = 1.25;

  private static final Duration STICKY_MARGIN = Duration.ofMillis(1);

  /**
   * An idle token's estimate is what its last work took, perhaps during a bad spell. One request
   * goes there after so long and so many others: a thousandth moves no percentile that is watched.
   */
  static final Duration FORGOTTEN_AFTER = Duration.ofSeconds(10);

  static final long FORGOTTEN_AFTER_REQUESTS = 1000;

  /** The request that looks must have time for the worst. */
  private static final long FORGOTTEN_TIMES = 4;

  private static final Comparator<Outlook> SOONEST =
      Comparator.comparingLong(Outlook::predictedNanos);

  private final String region;

  /** Bounded by the keys of the group. */
  private final ConcurrentMap<KeyRef, Member> lastOf = new ConcurrentHashMap<>();

  Router(String region) {
    this.region = region;
  }

  /**
   * A request to be routed.
   *
   * @param answerInNanos how much time is left until somebody stops waiting
   */
  record Ask(KeyRef key, Mechanism mechanism, long answerInNanos, long now) {}

  /** The token chosen, and whether the request is the probe of its breaker. */
  record Choice(Member member, boolean isProbe) {}

  /** Empty when no member that is not among {@code tried} can be used. */
  Optional<Choice> choose(List<Member> members, Collection<Member> tried, Ask ask) {
    List<Outlook> working = new ArrayList<>(members.size());
    List<Outlook> broken = new ArrayList<>();
    for (Member member : members) {
      if (tried.contains(member)) {
        continue;
      }
      Optional<HsmStats> stats = member.usableFor(ask);
      if (stats.isPresent()) {
        (member.breaker(ask.key(), ask.mechanism()).isClosed() ? working : broken)
            .add(Outlook.of(member, stats.get()));
      }
    }
    Optional<Choice> choice =
        among(TokenPolicy.Preference.PREFERRED, working, broken, ask)
            .or(() -> among(TokenPolicy.Preference.BACKUP, working, broken, ask))
            .or(() -> soonest(working))
            .or(() -> soonest(broken));
    choice.ifPresent(made -> remember(made.member(), working, ask));
    return choice;
  }

  private void remember(Member chosen, List<Outlook> working, Ask ask) {
    for (Outlook other : working) {
      if (other.member() != chosen) {
        other.member().idleness().passedOver();
      }
    }
    chosen.idleness().used(ask.now());
    lastOf.put(ask.key(), chosen);
  }

  private Optional<Choice> among(
      TokenPolicy.Preference preference, List<Outlook> working, List<Outlook> broken, Ask ask) {
    for (Outlook outlook : broken) {
      if (is(outlook, preference)
          && outlook.member().breaker(ask.key(), ask.mechanism()).tryProbe()) {
        return Optional.of(new Choice(outlook.member(), true));
      }
    }
    List<Outlook> inTime =
        working.stream().filter(o -> is(o, preference) && o.isWithin(ask.answerInNanos())).toList();
    if (inTime.size() > 1) {
      for (Outlook outlook : inTime) {
        if (isForgotten(outlook, ask)) {
          return Optional.of(new Choice(outlook.member(), false));
        }
      }
    }
    return nearest(inTime, ask).map(o -> new Choice(o.member(), false));
  }

  private static boolean is(Outlook outlook, TokenPolicy.Preference preference) {
    return outlook.member().policy().preference() == preference;
  }

  private static boolean isForgotten(Outlook outlook, Ask ask) {
    return outlook.isIdle()
        && outlook.isWithin(ask.answerInNanos() / FORGOTTEN_TIMES)
        && outlook
            .member()
            .idleness()
            .endsAfter(FORGOTTEN_AFTER_REQUESTS, FORGOTTEN_AFTER, ask.now());
  }

  private Optional<Outlook> nearest(List<Outlook> inTime, Ask ask) {
    @Nullable Outlook near = best(inTime.stream().filter(this::isNear).toList(), ask);
    @Nullable Outlook far = best(inTime.stream().filter(o -> !isNear(o)).toList(), ask);
    if (near == null || far == null) {
      return Optional.ofNullable(near != null ? near : far);
    }
    boolean isFarWorthIt =
        near.predictedNanos() > FAR_FACTOR * far.predictedNanos() + (double) FAR_MARGIN.toNanos();
    return Optional.of(isFarWorthIt ? far : near);
  }

  private boolean isNear(Outlook outlook) {
    return outlook.member().policy().isNearTo(region);
  }

  /** The soonest, or the last one while it is hardly worse: nodes that flap would flap together. */
  private @Nullable Outlook best(List<Outlook> outlooks, Ask ask) {
    Optional<Outlook> soonest = outlooks.stream().min(SOONEST);
    if (soonest.isEmpty()) {
      return null;
    }
    double tolerated =
        STICKY_FACTOR * soonest.get().predictedNanos() + (double) STICKY_MARGIN.toNanos();
    Member last = lastOf.get(ask.key());
    return outlooks.stream()
        .filter(o -> o.member() == last && o.predictedNanos() <= tolerated)
        .findFirst()
        .orElse(soonest.get());
  }

  private static Optional<Choice> soonest(List<Outlook> outlooks) {
    return outlooks.stream().min(SOONEST).map(o -> new Choice(o.member(), false));
  }
}
