package org.sluiceca.load.nodes;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.load.judge.PhaseJudge;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.plan.Plan;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What one run of the plan has written into its {@code results.json}.
 *
 * @param nodes how many shared the HSM
 * @param capacity signatures a second of the HSM
 * @param goalsMissed of the plan's and the oracle's own
 * @param machine processors, JDK, commit and the like, by name
 */
record NodesRun(
    int nodes,
    double capacity,
    int goalsMissed,
    Map<String, String> machine,
    @JsonProperty("phases") List<Load> loads) {

  /** A run that has no figures has none here. */
  private static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES).build();

  /** The warm-up is no load. */
  NodesRun {
    loads =
        loads == null
            ? List.of()
            : loads.stream().filter(load -> !load.name().equals(Plan.WARM_UP)).toList();
  }

  /**
   * One phase.
   *
   * @param times of the capacity that were offered
   * @param figures by the name of their measure
   */
  record Load(
      String name,
      @JsonProperty("load") double times,
      @JsonProperty("measures") Map<String, @Nullable Double> figures) {

    /** Returns a figure; NaN if the phase has none. */
    double of(Measure measure) {
      Double value = figures.get(measure.key());
      return value == null ? Double.NaN : value;
    }

    boolean isOfBusyMachine() {
      return of(Measure.PROCESSORS_BUSY) >= PhaseJudge.Figures.SATURATED;
    }
  }

  Optional<Load> load(String name) {
    return loads.stream().filter(load -> load.name().equals(name)).findFirst();
  }

  static NodesRun parse(String text) {
    return JSON.readValue(text, NodesRun.class);
  }
}
