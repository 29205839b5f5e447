package org.sluiceca.api.console.live.feed;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.sluiceca.api.hsm.capacity.CapacityReader.TokenFigures;

/**
 * What happened a second, between the oldest and the newest of some readings.
 *
 * @param isKnown whether there is more than one reading
 * @param shed and the others by cause, reason, requester and protocol, those of 0 left out
 * @param waitSeconds how long a signature waited for a token on average; 0 if none was made
 * @param utilization by token: which part of its window was in use
 * @param tokens signatures by token
 */
public record Rates(
    boolean isKnown,
    double admitted,
    double issued,
    Map<String, Double> shed,
    Map<String, Double> rejected,
    Map<String, Share> requesters,
    Map<String, Share> protocols,
    double waitSeconds,
    Map<String, Double> utilization,
    Map<String, Double> tokens) {

  /** What a requester or protocol was granted and refused a second. */
  public record Share(double granted, double refused) {}

  /** Of readings of one node, oldest first, at least one. */
  public static Rates of(List<Reading> readings) {
    Reading first = readings.getFirst();
    Reading last = readings.getLast();
    double seconds = (last.nanos() - first.nanos()) / 1e9;
    boolean isKnown = seconds > 0;
    double per = isKnown ? seconds : 1;
    double waits = last.counts().waits() - first.counts().waits();
    Map<String, Double> signatures = tokens(first, last, per);
    return new Rates(
        isKnown,
        (last.counts().admitted() - first.counts().admitted()) / per,
        (last.counts().issued() - first.counts().issued()) / per,
        perSecond(Reading.more(first.counts().shed(), last.counts().shed()), per),
        perSecond(Reading.more(first.counts().rejected(), last.counts().rejected()), per),
        shares(first.requesters(), last.requesters(), per),
        shares(first.protocols(), last.protocols(), per),
        waits > 0 ? (last.counts().waitSeconds() - first.counts().waitSeconds()) / waits : 0,
        utilization(readings, signatures),
        signatures);
  }

  /** Returns how many requests a second are refused for load. */
  public double shedInAll() {
    return shed.values().stream().mapToDouble(n -> n).sum();
  }

  /** Returns how many requests a second are refused, for load or for cause. */
  public double refusedInAll() {
    return shedInAll() + rejected.values().stream().mapToDouble(n -> n).sum();
  }

  /** Returns the mean utilization of the tokens; of a token that is away it is 0. */
  public double utilizationInAll() {
    return utilization.values().stream().mapToDouble(n -> n).average().orElse(0);
  }

  private static Map<String, Double> perSecond(Map<String, Double> counts, double seconds) {
    Map<String, Double> rates = new TreeMap<>();
    counts.forEach(
        (name, count) -> {
          if (count > 0) {
            rates.put(name, count / seconds);
          }
        });
    return rates;
  }

  private static Map<String, Share> shares(
      Map<String, Tally> first, Map<String, Tally> last, double seconds) {
    Map<String, Share> rates = new HashMap<>();
    last.forEach(
        (name, now) -> {
          Tally before = first.getOrDefault(name, Tally.NONE);
          // Counting may have begun again in between.
          double granted = Math.max(0, now.granted() - before.granted()) / seconds;
          double refused = Math.max(0, now.refused() - before.refused()) / seconds;
          if (granted + refused > 0) {
            rates.put(name, new Share(granted, refused));
          }
        });
    return rates;
  }

  /**
   * By the utilization law, rate times service time over the window; or the mean of what was seen,
   * where that is more: calls that hang end none.
   */
  private static Map<String, Double> utilization(
      List<Reading> readings, Map<String, Double> perSecond) {
    Map<String, Double> seen = new HashMap<>();
    for (Reading reading : readings) {
      for (TokenFigures token : reading.tokens()) {
        seen.merge(token.name(), token.load().utilization() / readings.size(), Double::sum);
      }
    }
    for (TokenFigures token : readings.getLast().tokens()) {
      double capacity = token.load().capacityPerSecond();
      double rate = perSecond.getOrDefault(token.name(), 0.0);
      if (capacity > 0) {
        seen.merge(token.name(), Math.min(1, rate / capacity), Math::max);
      }
    }
    return seen;
  }

  private static Map<String, Double> tokens(Reading first, Reading last, double seconds) {
    Map<String, Double> rates = new HashMap<>();
    for (TokenFigures now : last.tokens()) {
      first.tokens().stream()
          .filter(before -> before.name().equals(now.name()))
          .findFirst()
          // A token that was opened again counts from 0.
          .map(before -> Math.max(0, now.load().completed() - before.load().completed()) / seconds)
          .ifPresent(rate -> rates.put(now.name(), rate));
    }
    return rates;
  }
}
