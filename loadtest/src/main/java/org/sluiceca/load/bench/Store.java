package org.sluiceca.load.bench;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What a CA's store held before and after all loads, by the word of the store.
 *
 * @param before certificates before the first load
 * @param after certificates after the last
 * @param verified "ok" if a foreign program has verified one of them up to its root, else what it
 *     said
 * @param durability the settings by which an answered certificate survives a crash
 */
record Store(
    String product,
    String configuration,
    long before,
    long after,
    String verified,
    String durability) {

  Run.Subject subject() {
    return new Run.Subject(product, configuration);
  }

  /** Returns how many certificates came. */
  @JsonProperty
  long added() {
    return after - before;
  }
}
