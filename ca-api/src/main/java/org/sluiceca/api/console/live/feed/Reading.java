package org.sluiceca.api.console.live.feed;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.sluiceca.api.hsm.capacity.CapacityReader.TokenFigures;
import org.sluiceca.core.admit.Occupancy;

/**
 * What the node has counted until a moment, and how it stands then.
 *
 * @param at by the node's clock
 * @param nanos of the same moment, of {@link System#nanoTime}
 * @param requesters counts by requester
 * @param protocols counts by protocol
 * @param orders that wait in the backlog of all nodes
 */
public record Reading(
    Instant at,
    long nanos,
    Counts counts,
    Map<String, Tally> requesters,
    Map<String, Tally> protocols,
    Occupancy line,
    List<TokenFigures> tokens,
    long orders) {

  /**
   * Counts since the node began.
   *
   * @param admitted requests that were given a place
   * @param shed requests refused for load, by cause
   * @param rejected requests refused for cause, by reason
   * @param waits signatures that have left the queue of a token, and the seconds they waited there
   */
  public record Counts(
      double admitted,
      Map<String, Double> shed,
      Map<String, Double> rejected,
      double issued,
      double waits,
      double waitSeconds) {

    public Counts {
      shed = Map.copyOf(shed);
      rejected = Map.copyOf(rejected);
    }
  }

  /** Returns how many requests stand before the tokens' windows. */
  public int queued() {
    return tokens.stream().mapToInt(t -> t.load().queued()).sum();
  }

  /** Returns since when the oldest request of any lane is on the line. */
  public double oldestSeconds() {
    return line.lanes().stream().mapToLong(l -> l.oldestAgeNanos()).max().orElse(0) / 1e9;
  }

  /** Returns how much more there is of each name than in {@code before}, in the names' order. */
  static Map<String, Double> more(Map<String, Double> before, Map<String, Double> now) {
    Map<String, Double> more = new TreeMap<>();
    now.forEach((name, count) -> more.put(name, count - before.getOrDefault(name, 0.0)));
    return more;
  }
}
