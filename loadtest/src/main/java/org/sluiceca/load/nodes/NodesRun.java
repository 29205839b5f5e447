package org.sluiceca.load.nodes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.plan.Plan;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What one run of the plan has written.
 *
 * @param nodes how many shared the HSM
 * @param capacity signatures a second of the HSM
 * @param goalsMissed of the plan's and the oracle's own
 * @param machine processors, JDK, commit and the like, by name
 * @param loads by the phase's name, without the warm-up
 */
record NodesRun(
    int nodes,
    double capacity,
    int goalsMissed,
    Map<String, String> machine,
    Map<String, Load> loads) {

  /** A machine busier than this is itself the limit, as in PhaseJudge. */
  private static final double SATURATED = 0.95;

  /**
   * The figures of one phase.
   *
   * @param times of the capacity that were offered
   */
  record Load(double times, Map<Measure, Double> figures) {

    /** Returns a figure; NaN if the phase has none. */
    double of(Measure measure) {
      return figures.getOrDefault(measure, Double.NaN);
    }

    boolean isOfBusyMachine() {
      return of(Measure.PROCESSORS_BUSY) >= SATURATED;
    }
  }

  /**
   * Reads the results of a run.
   *
   * @throws IOException if they cannot be read
   */
  static NodesRun read(Path file) throws IOException {
    return parse(Files.readString(file));
  }

  /** Reads results as {@code ResultsJson} writes them. */
  static NodesRun parse(String text) {
    JsonNode document = JsonMapper.shared().readTree(text);
    Map<String, String> machine = new TreeMap<>();
    document
        .path("machine")
        .properties()
        .forEach(e -> machine.put(e.getKey(), e.getValue().asString()));
    Map<String, Load> loads = new LinkedHashMap<>();
    for (JsonNode phase : document.path("phases")) {
      String name = phase.path("name").asString();
      if (!name.equals(Plan.WARM_UP)) {
        loads.put(name, new Load(phase.path("load").asDouble(), figures(phase.path("measures"))));
      }
    }
    return new NodesRun(
        document.path("nodes").asInt(),
        document.path("capacity").asDouble(),
        document.path("goalsMissed").asInt(),
        machine,
        loads);
  }

  private static Map<Measure, Double> figures(JsonNode measures) {
    Map<Measure, Double> figures = new EnumMap<>(Measure.class);
    for (Measure measure : Measure.values()) {
      JsonNode value = measures.path(measure.key());
      if (value.isNumber()) {
        figures.put(measure, value.asDouble());
      }
    }
    return figures;
  }
}
