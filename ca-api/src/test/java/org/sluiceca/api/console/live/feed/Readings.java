package org.sluiceca.api.console.live.feed;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.sluiceca.api.hsm.capacity.CapacityReader.TokenFigures;
import org.sluiceca.core.admit.Occupancy;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.Requester.Authentication;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.sign.Lane;

/** Readings of a node with one token, for tests. */
public final class Readings {

  public static final long SECOND = 1_000_000_000L;

  public static final Requester OFFICER = requester("olga", Role.OFFICER);

  private Readings() {}

  public static Requester requester(String id, Role... roles) {
    return new Requester(new RequesterId(id), Authentication.BEARER_TOKEN, Set.of(roles), Set.of());
  }

  public static Reading.Counts counts(
      double admitted, double issued, Map<String, Double> shed, Map<String, Double> rejected) {
    return new Reading.Counts(admitted, shed, rejected, issued, issued, issued / 100);
  }

  public static TokenFigures token(String name, int inflight, int queued, long completed) {
    return new TokenFigures(
        name,
        "ready",
        true,
        "closed",
        "preferred",
        "",
        new TokenFigures.Load(inflight, 10, queued, 0.5, 0.01, completed));
  }

  public static TokenFigures lostToken(String name) {
    return new TokenFigures(
        name,
        "token_lost",
        false,
        "open",
        "preferred",
        "",
        new TokenFigures.Load(0, 0, 0, 0, 0, 0));
  }

  /** A reading whose requests came by these protocols. */
  public static Reading protocols(long seconds, Map<String, Tally> protocols) {
    Reading reading =
        reading(seconds, counts(0, 0, Map.of(), Map.of()), Map.of(), token("t", 1, 0, 0));
    return new Reading(
        reading.at(),
        reading.nanos(),
        reading.counts(),
        Map.of(),
        protocols,
        reading.line(),
        reading.tokens(),
        0);
  }

  public static Reading reading(
      long seconds, Reading.Counts counts, Map<String, Tally> requesters, TokenFigures... tokens) {
    return new Reading(
        Instant.ofEpochSecond(1_000_000 + seconds),
        seconds * SECOND,
        counts,
        requesters,
        Map.of(),
        new Occupancy(
            12,
            512,
            0,
            List.of(new Occupancy.LaneOccupancy(Lane.INTERACTIVE, 12, 256, SECOND / 2, 80, 0.15))),
        List.of(tokens),
        0);
  }
}
