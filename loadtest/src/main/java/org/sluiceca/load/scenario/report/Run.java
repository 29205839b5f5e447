package org.sluiceca.load.scenario.report;

import java.time.Instant;
import java.util.Map;

/**
 * Where and when a run was.
 *
 * @param machine processors, JDK and the like, by name
 * @param commit of the sources, with a mark if they were changed; empty where there is no git
 */
public record Run(Instant began, Map<String, String> machine, String commit) {

  /** Copies. */
  public Run {
    machine = Map.copyOf(machine);
  }
}
