package org.sluiceca.hsm.ceremony;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds which kinds of keys a token signs with the same engines, by having it do two kinds at once.
 * Pure: the caller passes the measurements.
 *
 * @param <K> a key of a kind, opaque here
 */
final class EngineGrouping<K> {

  /**
   * Of what two kinds make alone, summed: 1 where they take engines from each other, 2 where they
   * do not. In the middle, for a busy host and rates that were not quite the best go either way.
   */
  private static final double APART = 1.5;

  private final Together<K> together;

  EngineGrouping(Together<K> together) {
    this.together = together;
  }

  /**
   * What a kind makes alone.
   *
   * @param name of the kind
   * @param baseSeconds of a job that is alone
   * @param inFlight jobs at once, when {@code rate} came out
   * @param rate the best, signatures a second
   */
  record Kind<K>(String name, K key, double baseSeconds, int engines, int inFlight, double rate) {}

  /** Signatures a second of each, side by side. */
  record Rates(double a, double b) {}

  /** Measures two kinds at once. */
  @FunctionalInterface
  interface Together<K> {
    /** With 0 of the one, the other alone. Empty when the token has no room for that many jobs. */
    Optional<Rates> rates(K a, int inFlightA, K b, int inFlightB);
  }

  /**
   * Kinds that share engines.
   *
   * @param engines as the slowest kind found them: its jobs tell them best from what travels
   */
  record Group(List<String> kinds, int engines) {}

  /** The groups, each kind in one. */
  List<Group> group(List<Kind<K>> kinds) {
    List<List<Kind<K>>> groups = new ArrayList<>();
    for (Kind<K> kind : kinds) {
      groups.stream()
          .filter(group -> areShared(kind, group.getFirst()))
          .findFirst()
          .ifPresentOrElse(
              group -> group.add(kind), () -> groups.add(new ArrayList<>(List.of(kind))));
    }
    return groups.stream().map(EngineGrouping::named).toList();
  }

  private static <K> Group named(List<Kind<K>> group) {
    Kind<K> slowest = group.getFirst();
    for (Kind<K> kind : group) {
      slowest = kind.baseSeconds() > slowest.baseSeconds() ? kind : slowest;
    }
    return new Group(group.stream().map(Kind::name).toList(), slowest.engines());
  }

  /**
   * What looks apart is measured again from the start: a rate that was disturbed once would else
   * decide for as long as the calibration stands.
   */
  private boolean areShared(Kind<K> a, Kind<K> b) {
    return kept(a, b) < APART || kept(again(a), again(b)) < APART;
  }

  private Kind<K> again(Kind<K> kind) {
    double rate =
        together
            .rates(kind.key(), kind.inFlight(), kind.key(), 0)
            .map(Rates::a)
            .orElse(kind.rate());
    return new Kind<>(
        kind.name(),
        kind.key(),
        kind.baseSeconds(),
        kind.engines(),
        kind.inFlight(),
        Math.max(rate, kind.rate()));
  }

  /** Of what each makes alone, the sum of what they keep. Where no two fit at once, 1. */
  private double kept(Kind<K> a, Kind<K> b) {
    int inFlightA = a.inFlight();
    int inFlightB = b.inFlight();
    while (true) {
      Optional<Rates> rates = together.rates(a.key(), inFlightA, b.key(), inFlightB);
      if (rates.isPresent()) {
        return rates.get().a() / a.rate() + rates.get().b() / b.rate();
      }
      if (inFlightA == 1 && inFlightB == 1) {
        return 1;
      }
      inFlightA = Math.max(1, inFlightA / 2);
      inFlightB = Math.max(1, inFlightB / 2);
    }
  }
}
