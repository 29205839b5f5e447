package org.sluiceca.hsm;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The measured properties of a token, taken while no other client used it. The same for all its
 * nodes: if each learnt its own, the latecomer's advantage would return.
 *
 * @param groups its engines, by what they sign: 1 to 4, no class in two of them. Most tokens have
 *     one group
 */
public record Calibration(List<EngineGroup> groups) {
  /** More than there are kinds of keys. */
  public static final int GROUPS_MAX = 4;

  /** Checks the ranges. */
  public Calibration {
    groups = List.copyOf(groups);
    if (groups.isEmpty() || groups.size() > GROUPS_MAX) {
      throw new IllegalArgumentException("groups of engines must be 1 to 4, not " + groups.size());
    }
    if (groups.stream().flatMap(g -> g.baseSeconds().keySet().stream()).distinct().count()
        < groups.stream().mapToInt(g -> g.baseSeconds().size()).sum()) {
      throw new IllegalArgumentException("one class in two groups of engines");
    }
  }

  /** Of a token whose engines sign all alike. */
  public Calibration(int engines, Map<SignatureClass, Double> baseSeconds) {
    this(List.of(new EngineGroup(engines, baseSeconds)));
  }

  /** The base delays of all classes, seconds. */
  public Map<SignatureClass, Double> baseSeconds() {
    Map<SignatureClass, Double> all = new HashMap<>();
    groups.forEach(group -> all.putAll(group.baseSeconds()));
    return all;
  }
}
