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
import org.sluiceca.core.sign.SigningPool;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.hsm.HsmStats;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.route.TokenGroup.Engines;

/**
 * Where each issuer's certificates are signed: keys that are held by the same engines of the same
 * tokens are at one signing pool. Thread-safe; a look-up, but once a second, when it asks the
 * tokens, which takes microseconds.
 */
public final class SigningPools {

  /** Tokens come and go by hand. */
  private static final long KEPT_NANOS = 1_000_000_000L;

  private final TreeMap<KeyName, SignObservation> keys;
  private final BiFunction<KeyRef, Mechanism, List<Engines>> engines;
  private final Ticker ticker;
  private volatile @Nullable Known known;

  private record SignObservation(KeyRef key, Mechanism mechanism) {}

  /**
   * @param somewhere the signing pool of the first key that is in a token
   */
  private record Known(
      Map<KeyName, SigningPool> byKey,
      Map<SigningPool, SignObservation> first,
      SigningPool somewhere,
      long untilNanos) {}

  /**
   * Knows where keys sign.
   *
   * @param keys of the active issuers
   * @param engines all that sign so with a key, working or not; must return at once
   */
  public SigningPools(
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

  private static SignObservation signing(KeyRef key) {
    return new SignObservation(key, HsmIssuerSigner.signatureClass(key.publicKey()).mechanism());
  }

  /** Returns where this key signs; of a key of no active issuer {@link #any}. */
  SigningPool of(KeyName key) {
    SigningPool pool = known().byKey.get(key);
    return pool == null ? any() : pool;
  }

  /**
   * Returns the same one always, while the tokens stay, and one with tokens if there is any: for
   * what is refused before it is signed.
   */
  SigningPool any() {
    return known().somewhere;
  }

  /** Whether any of its engines signs, or will in a moment; if it is not known, any of all. */
  public boolean isUsable(SigningPool pool) {
    SignObservation first = known().first.get(pool);
    return first == null ? keys.values().stream().anyMatch(this::isUsable) : isUsable(first);
  }

  private boolean isUsable(SignObservation signing) {
    return engines.apply(signing.key, signing.mechanism).stream()
        .anyMatch(each -> each.stats().isUsable());
  }

  /**
   * Returns what this node's windows at its engines can do by the mean time in each, jobs a second;
   * 0 if that is not known yet, or the signing pool is none any more.
   */
  public double capacityPerSecond(SigningPool pool) {
    SignObservation first = known().first.get(pool);
    return first == null
        ? 0
        : engines.apply(first.key, first.mechanism).stream()
            .map(Engines::stats)
            .filter(stats -> stats.isUsable() && stats.meanServiceNanos() > 0)
            .mapToDouble(SigningPools::perSecond)
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
    Map<KeyName, SigningPool> byKey = new HashMap<>();
    Map<SigningPool, SignObservation> first = new HashMap<>();
    List<SigningPool> withTokens = new ArrayList<>();
    keys.forEach(
        (name, signing) -> {
          List<Engines> where = engines.apply(signing.key, signing.mechanism);
          SigningPool pool = pool(name, where);
          byKey.put(name, pool);
          if (first.putIfAbsent(pool, signing) == null && !where.isEmpty()) {
            withTokens.add(pool);
          }
        });
    return new Known(
        Map.copyOf(byKey),
        Map.copyOf(first),
        withTokens.isEmpty() ? SigningPool.ONLY : withTokens.getFirst(),
        now + KEPT_NANOS);
  }

  private static SigningPool pool(KeyName key, List<Engines> engines) {
    return new SigningPool(
        engines.isEmpty()
            ? "no token with " + key
            : engines.stream()
                .map(each -> each.group() == 0 ? each.token() : each.token() + "#" + each.group())
                .sorted()
                .collect(Collectors.joining("+")));
  }
}
