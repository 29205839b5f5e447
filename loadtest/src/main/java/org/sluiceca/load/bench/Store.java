package org.sluiceca.load.bench;

import java.util.Map;
import java.util.Set;

/**
 * What a CA's store held before and after all loads, by the word of the store.
 *
 * @param before certificates before the first load
 * @param after certificates after the last
 * @param verified "ok" if a foreign program has verified one of them up to its root, else what it
 *     said
 * @param durability the settings by which an answered certificate survives a crash
 */
record Store(Run.Subject subject, long before, long after, String verified, String durability) {

  private static final Set<String> NAMES =
      Set.of("product", "configuration", "before", "after", "verified", "durability");

  /**
   * Reads {@code name=value} words.
   *
   * @throws IllegalArgumentException as {@link Run#parse}
   */
  static Store parse(String... words) {
    Map<String, String> values = Run.words("store", NAMES, words);
    return new Store(
        new Run.Subject(Run.text(values, "product"), Run.text(values, "configuration")),
        Run.count(values, "before"),
        Run.count(values, "after"),
        Run.text(values, "verified"),
        Run.text(values, "durability"));
  }

  long added() {
    return after - before;
  }
}
