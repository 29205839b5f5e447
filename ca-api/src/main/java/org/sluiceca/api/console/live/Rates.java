package org.sluiceca.api.console.live;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.sluiceca.api.hsm.capacity.CapacityReader.TokenFigures;

/**
 * What happened a second, between the oldest and the newest of some readings.
 *
 * @param isKnown whether there is more than one reading
 * @param shed and the others by cause, reason and requester, those of 0 left out
 * @param waitSeconds how long a signature waited for a token on average; 0 if none was made
 * @param utilization by token: which part of its window was in use
 * @param tokens signatures by token
 */
record Rates(
    boolean isKnown,
    double admitted,
    double issued,
    Map<String, Double> shed,
    Map<String, Double> rejected,
    Map<String, RequesterRate> requesters,
    double waitSeconds,
    Map<String, Double> utilization,
    Map<String, Double> tokens) {

  /** What a requester was issued and refused a second. */
  record RequesterRate(double issued, double refused) {}

  /** Of readings of one node, oldest first, at least one. */
  static Rates of(List<Reading> readings) {
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
        requesters(first, last, per),
        waits > 0 ? (last.counts().waitSeconds() - first.counts().waitSeconds()) / waits : 0,
        utilization(readings, signatures),
        signatures);
  }

  double shedInAll() {
    return shed.values().stream().mapToDouble(n -> n).sum();
  }

  double refusedInAll() {
    return shedInAll() + rejected.values().stream().mapToDouble(n -> n).sum();
  }

  /** Returns the mean utilization of the tokens; of a token that is away it is 0. */
  double utilizationInAll() {
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

  private static Map<String, RequesterRate> requesters(
      Reading first, Reading last, double seconds) {
    Map<String, RequesterRate> rates = new HashMap<>();
    last.requesters()
        .forEach(
            (name, now) -> {
              RequesterTally.Tally before =
                  first.requesters().getOrDefault(name, RequesterTally.Tally.NONE);
              // Counting may have begun again in between.
              double issued = Math.max(0, now.issued() - before.issued()) / seconds;
              double refused = Math.max(0, now.refused() - before.refused()) / seconds;
              if (issued + refused > 0) {
                rates.put(name, new RequesterRate(issued, refused));
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
