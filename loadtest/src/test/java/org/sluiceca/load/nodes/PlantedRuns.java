package org.sluiceca.load.nodes;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sluiceca.load.plan.Measure;

/** Runs with 1, 2, 4 and 8 nodes in which all went well, and figures of them to spoil. */
final class PlantedRuns {

  private final Map<String, Double> spoilt = new LinkedHashMap<>();

  /** Has a figure of one phase of one run be another. */
  PlantedRuns spoil(int nodes, String load, Measure measure, double value) {
    spoilt.put(nodes + load + measure, value);
    return this;
  }

  List<NodesRun> runs() {
    return Stream.of(1, 2, 4, 8).map(this::run).toList();
  }

  private NodesRun run(int nodes) {
    List<NodesRun.Load> loads = List.of(load(nodes, "x0.8", 0.8), load(nodes, "x1.5", 1.5));
    return new NodesRun(nodes, 60, 0, Map.of("commit", "abc"), loads);
  }

  private NodesRun.Load load(int nodes, String name, double times) {
    Map<String, @Nullable Double> figures = new TreeMap<>();
    figures.put(Measure.OFFERED.key(), 60 * times);
    figures.put(Measure.GOODPUT.key(), 60 * Math.min(1, times));
    figures.put(Measure.GOODPUT_SHARE.key(), 1.0);
    figures.put(Measure.HSM_UTILISATION.key(), Math.min(1, times));
    figures.put(Measure.HSM_QUEUE_P50.key(), 2.0);
    figures.put(Measure.HSM_QUEUE_P99.key(), 13.0);
    figures.put(Measure.LATENCY_P50.key(), 140.0);
    figures.put(Measure.LATENCY_P99.key(), 400.0);
    figures.put(Measure.NODE_MICROS.key(), 2_000.0 + 500 * nodes);
    figures.put(Measure.DATABASE_MICROS.key(), 500.0);
    figures.put(Measure.NODE_MEMORY.key(), 220.0);
    figures.put(Measure.JAIN_NODES.key(), 1.0);
    figures.put(Measure.REFUSED_SHARE.key(), 0.0);
    figures.put(Measure.PROCESSORS_BUSY.key(), 0.5);
    for (Measure measure : Measure.values()) {
      Double other = spoilt.get(nodes + name + measure);
      if (other != null) {
        figures.put(measure.key(), other);
      }
    }
    return new NodesRun.Load(name, times, figures);
  }
}
