package org.sluiceca.hsm;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Engines of a token that sign the same classes: work of other groups takes nothing from them.
 *
 * @param engines how many jobs they work on at once: 1 to 4,096
 * @param baseSeconds how long a job of each class takes on the empty token, its way over the
 *     network included: above 0, at most 60; at least one class
 */
public record EngineGroup(int engines, Map<SignatureClass, Double> baseSeconds) {
  /** Ten times what the largest HSM of today has. */
  public static final int ENGINES_MAX = 4096;

  /** RSA-4096 on the slowest token we know takes 0.6 s. */
  public static final double BASE_SECONDS_MAX = 60;

  /** Checks the ranges; copies the map. */
  public EngineGroup {
    if (engines < 1 || engines > ENGINES_MAX) {
      throw new IllegalArgumentException("engines must be 1 to 4,096, not " + engines);
    }
    if (baseSeconds.isEmpty()) {
      throw new IllegalArgumentException("engines without a class");
    }
    baseSeconds.forEach(
        (signatureClass, seconds) -> {
          if (!(seconds > 0 && seconds <= BASE_SECONDS_MAX)) {
            throw new IllegalArgumentException(
                String.format(Locale.ROOT, "a base delay of %s s for %s", seconds, signatureClass));
          }
        });
    baseSeconds = Map.copyOf(baseSeconds);
  }

  /** The kinds of keys that they sign with: {@code ec}, {@code ec+rsa}. */
  public String name() {
    return baseSeconds.keySet().stream()
        .map(c -> c.mechanism().keyKind())
        .distinct()
        .sorted()
        .collect(Collectors.joining("+"));
  }

  /** Mean base delay over the classes, seconds. */
  public double meanBaseSeconds() {
    return baseSeconds.values().stream().mapToDouble(s -> s).average().orElseThrow();
  }
}
