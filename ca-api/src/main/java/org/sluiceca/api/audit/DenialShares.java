package org.sluiceca.api.audit;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.audit.AuditEvent;

/**
 * Each actor's share of the rows about denied requests: the first of a minute are recorded one by
 * one, the rest is counted and becomes one row for each kind at the end of the minute. An actor is
 * a requester, or the network of a client that is not known. Pure; its owner locks.
 */
public final class DenialShares {

  /** How long a share lasts. */
  static final Duration WINDOW = Duration.ofMinutes(1);

  /** Rows of one actor in a minute: enough to see what it tried, whatever else it does. */
  static final int ROWS_PER_ACTOR = 10;

  /** Requesters that have a share of their own in a minute; 10,240 rows at most, 4 MB. */
  static final int REQUESTERS_MAX = 1_024;

  /** Networks that have a share of their own in a minute; 2,560 rows at most, 1 MB. */
  static final int NETWORKS_MAX = 256;

  /** Rows with counts at the end of a minute; what is over is counted together. */
  static final int COUNTED_MAX = 1_024;

  /** The detail that names the client of a denied request where no requester is known. */
  static final String ADDRESS = "address";

  /** Why a denied request has no row of its own: the values of a metric's tag. */
  public enum Reason {
    /** Its actor has used up its share. */
    SHARE,
    /** More actors were denied in this minute than are counted one by one. */
    ACTORS,
    /** Too many different facts waited for the next batch. */
    BATCH;

    /** Returns the value of the tag. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private record Actor(String requester, String network) {
    boolean isKnown() {
      return !requester.equals(AuditEvent.UNKNOWN_ACTOR);
    }
  }

  private record Counted(AuditKind kind, Actor actor) {}

  private static final String OTHERS = "others";

  private final Map<Actor, Integer> rows = new HashMap<>();
  private final Map<Counted, Long> counted = new LinkedHashMap<>();
  private final Map<Reason, Long> unrecorded = new EnumMap<>(Reason.class);
  private int networks;
  private Instant since = Instant.EPOCH;

  /** Returns whether a fact becomes a row; otherwise it was counted. */
  boolean admits(Fact fact, boolean hasRoom) {
    Actor actor = actorOf(fact);
    Integer used = rows.get(actor);
    if (used == null && isFull(actor)) {
      count(others(fact.kind()), Reason.ACTORS);
      return false;
    }
    if (used != null && used >= ROWS_PER_ACTOR) {
      count(new Counted(fact.kind(), actor), Reason.SHARE);
      return false;
    }
    if (used == null && !actor.isKnown()) {
      networks++;
    }
    rows.merge(actor, 1, Integer::sum);
    if (!hasRoom) {
      count(new Counted(fact.kind(), actor), Reason.BATCH);
    }
    return hasRoom;
  }

  private boolean isFull(Actor actor) {
    return actor.isKnown() ? rows.size() - networks >= REQUESTERS_MAX : networks >= NETWORKS_MAX;
  }

  private void count(Counted what, Reason reason) {
    boolean hasRoom = counted.size() < COUNTED_MAX || counted.containsKey(what);
    counted.merge(hasRoom ? what : others(what.kind()), 1L, Long::sum);
    unrecorded.merge(reason, 1L, Long::sum);
  }

  private static Counted others(AuditKind kind) {
    return new Counted(kind, new Actor(AuditEvent.UNKNOWN_ACTOR, OTHERS));
  }

  /** Whether a minute is over, or was the last, in which something was counted. */
  boolean isDue(Instant now, boolean isLast) {
    return !counted.isEmpty() && (isLast || isOver(now));
  }

  /** A clock that was set back ends the minute, too. */
  private boolean isOver(Instant now) {
    return Duration.between(since, now).abs().compareTo(WINDOW) >= 0;
  }

  /** Begins another minute if this one is over and nothing was counted in it. */
  void renew(Instant now) {
    if (counted.isEmpty() && isOver(now)) {
      reset(now);
    }
  }

  /** Begins another minute if this one is over; returns what was counted in it. */
  List<Fact> next(Instant now) {
    if (!isOver(now)) {
      return List.of();
    }
    List<Fact> facts = rest();
    reset(now);
    return facts;
  }

  private void reset(Instant now) {
    rows.clear();
    networks = 0;
    since = now;
  }

  /** Returns what was counted and is in no row yet. */
  List<Fact> rest() {
    List<Fact> facts = new ArrayList<>();
    counted.forEach(
        (what, count) -> {
          Map<String, Object> details = new HashMap<>();
          details.put("kind", what.kind().text());
          details.put("requests", count);
          if (!what.actor().isKnown()) {
            details.put("network", what.actor().network());
          }
          facts.add(new Fact(AuditKind.DENIALS_COUNTED, what.actor().requester(), details));
        });
    counted.clear();
    return facts;
  }

  /** Returns how many denied requests had no row of their own for this reason, in all. */
  long unrecorded(Reason reason) {
    return unrecorded.getOrDefault(reason, 0L);
  }

  private static Actor actorOf(Fact fact) {
    return fact.actor().equals(AuditEvent.UNKNOWN_ACTOR)
        ? new Actor(AuditEvent.UNKNOWN_ACTOR, network(fact.details().get(ADDRESS)))
        : new Actor(fact.actor(), "");
  }

  /**
   * Returns the network of an address: /24 of IPv4, /64 of IPv6, of which a client has all
   * addresses.
   */
  private static String network(@Nullable Object address) {
    if (address == null) {
      return OTHERS;
    }
    try {
      byte[] octets = InetAddress.ofLiteral(address.toString()).getAddress();
      int kept = octets.length == 4 ? 3 : 8;
      for (int i = kept; i < octets.length; i++) {
        octets[i] = 0;
      }
      InetAddress first = InetAddress.getByAddress(octets);
      return first.getHostAddress() + (first instanceof Inet6Address ? "/64" : "/24");
    } catch (IllegalArgumentException | UnknownHostException e) {
      return OTHERS;
    }
  }
}
