package org.sluiceca.load.soak.judge;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** How often each rule was checked and broken, with the first breaches in words. Thread-safe. */
public final class Findings {

  /** Of one rule; more of the same kind tell nothing more. */
  private static final int EXAMPLES_MAX = 10;

  private final Map<Rule, Long> checks = new EnumMap<>(Rule.class);
  private final Map<Rule, Long> breaches = new EnumMap<>(Rule.class);
  private final Map<Rule, List<String>> examples = new EnumMap<>(Rule.class);

  /** Notes a check, and a breach in words if it does not hold. */
  public synchronized void check(Rule rule, boolean holds, String otherwise) {
    long _ = checks.merge(rule, 1L, Long::sum);
    if (!holds) {
      breach(rule, otherwise);
    }
  }

  /** Notes a breach. */
  public synchronized void breach(Rule rule, String what) {
    long _ = breaches.merge(rule, 1L, Long::sum);
    List<String> words = examples.computeIfAbsent(rule, r -> new ArrayList<>());
    if (words.size() < EXAMPLES_MAX) {
      words.add(what);
    }
  }

  /** Returns how often a rule was checked. */
  public synchronized long checks(Rule rule) {
    return checks.getOrDefault(rule, 0L);
  }

  /** Returns how often a rule was broken. */
  public synchronized long breaches(Rule rule) {
    return breaches.getOrDefault(rule, 0L);
  }

  /** Returns the first breaches of a rule. */
  public synchronized List<String> examples(Rule rule) {
    return List.copyOf(examples.getOrDefault(rule, List.of()));
  }
}
