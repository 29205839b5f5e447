package org.sluiceca.api.hsm;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.sign.KeyName;
import org.sluiceca.core.sign.Station;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.hsm.HsmStats;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.route.TokenGroup.Engines;

/**
 * Where each issuer's certificates are signed: keys that are held by the same engines of the same
 * tokens are at one station. Thread-safe; a look-up, but once a second, when it asks the tokens,
 * which takes microseconds.
 */
public final class Stations {

  /** Tokens come and go by hand. */
  private static final long KEPT_NANOS = 1_000_000_000L;

  private final TreeMap<KeyName, Signing> keys;
  private final BiFunction<KeyRef, Mechanism, List<Engines>> engines;
  private final Ticker ticker;
  private volatile @Nullable Known known;

  private record Signing(KeyRef key, Mechanism mechanism) {}

  /**
   * @param somewhere the station of the first key that is in a token
   */
  private record Known(
      Map<KeyName, Station> byKey,
      Map<Station, Signing> first,
      Station somewhere,
      long untilNanos) {}

  /**
   * Tells where keys sign.
   *
   * @param keys of the active issuers
   * @param engines all that sign so with a key, working or not; must return at once
   */
  public Stations(
      Map<KeyName, KeyRef> keys,
      BiFunction<KeyRef, Mechanism, List<Engines>> engines,
      Ticker ticker) {
    this.keys =
        keys.entrySet().stream()
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey,
                    e -> signing(e.getValue()),
                    (a, b) -> a,
                    () -> new TreeMap<>(Comparator.comparing(KeyName::value))));
    this.engines = engines;
    this.ticker = ticker;
  }

  private static Signing signing(KeyRef key) {
    return new Signing(key, HsmIssuerSigner.signatureClass(key.publicKey()).mechanism());
  }

  /** Returns where this key signs; of a key that is none of an active issuer {@link #any}. */
  Station of(KeyName key) {
    Station station = known().byKey.get(key);
    return station == null ? any() : station;
  }

  /**
   * Returns the same one always, while the tokens stay, and one with tokens if there is any: for
   * what is refused before it is signed.
   */
  Station any() {
    return known().somewhere;
  }

  /** Whether any of its engines signs, or will in a moment; if it is not known, any of all. */
  public boolean isUsable(Station station) {
    Signing first = known().first.get(station);
    return first == null ? keys.values().stream().anyMatch(this::isUsable) : isUsable(first);
  }

  private boolean isUsable(Signing signing) {
    return engines.apply(signing.key, signing.mechanism).stream()
        .anyMatch(each -> each.stats().isUsable());
  }

  /**
   * Returns what this node's windows at its engines can do by the mean time in each, jobs a second;
   * 0 if that is not known yet, or the station is none any more.
   */
  public double capacityPerSecond(Station station) {
    Signing first = known().first.get(station);
    return first == null
        ? 0
        : engines.apply(first.key, first.mechanism).stream()
            .map(Engines::stats)
            .filter(stats -> stats.isUsable() && stats.meanServiceNanos() > 0)
            .mapToDouble(Stations::perSecond)
            .sum();
  }

  private static double perSecond(HsmStats stats) {
    return stats.inflightLimit() * 1e9 / stats.meanServiceNanos();
  }

  private Known known() {
    Known last = known;
    long now = ticker.nanoTime();
    if (last == null || now - last.untilNanos >= 0) {
      // Two threads that meet here find the same.
      last = look(now);
      known = last;
    }
    return last;
  }

  private Known look(long now) {
    Map<KeyName, Station> byKey = new HashMap<>();
    Map<Station, Signing> first = new HashMap<>();
    List<Station> withTokens = new ArrayList<>();
    keys.forEach(
        (name, signing) -> {
          List<Engines> where = engines.apply(signing.key, signing.mechanism);
          Station station = station(name, where);
          byKey.put(name, station);
          if (first.putIfAbsent(station, signing) == null && !where.isEmpty()) {
            withTokens.add(station);
          }
        });
    return new Known(
        Map.copyOf(byKey),
        Map.copyOf(first),
        withTokens.isEmpty() ? Station.ONLY : withTokens.getFirst(),
        now + KEPT_NANOS);
  }

  private static Station station(KeyName key, List<Engines> engines) {
    return new Station(
        engines.isEmpty()
            ? "no token with " + key
            : engines.stream()
                .map(each -> each.group() == 0 ? each.token() : each.token() + "#" + each.group())
                .sorted()
                .collect(Collectors.joining("+")));
  }
}
