package org.sluiceca.load.judge;

import java.util.List;
import java.util.Map;
import org.sluiceca.load.inside.TimeoutLadder;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.plan.Phase;
import org.sluiceca.load.watch.HsmFigures;
import org.sluiceca.load.watch.ProcessTimes;

/**
 * What was seen of a phase while it ran.
 *
 * @param fromNanos when what is measured began, by {@link System#nanoTime}
 * @param untilNanos when it ended
 * @param hsms of this time, by name
 * @param used processor time
 * @param nodes that lived at its end
 * @param nodesDead that had died by themselves or by the plan, and were not back at its end
 * @param occurrences in the order of time
 * @param metrics of each node at its end
 * @param ladder of timeouts, as a node had it at its end
 * @param capacityDocument what a node said of its capacity at its end; may be empty
 * @param residentBytes of the nodes that lived at its end
 */
public record PhaseRecord(
    Phase phase,
    long fromNanos,
    long untilNanos,
    Map<String, HsmFigures> hsms,
    ProcessTimes used,
    double loadAverage,
    List<Integer> nodes,
    int nodesDead,
    List<Occurrence> occurrences,
    Map<Integer, Map<String, Double>> metrics,
    TimeoutLadder ladder,
    String capacityDocument,
    Map<Integer, Long> residentBytes) {

  /** Copies. */
  public PhaseRecord {
    hsms = Map.copyOf(hsms);
    nodes = List.copyOf(nodes);
    occurrences = List.copyOf(occurrences);
    metrics = Map.copyOf(metrics);
    residentBytes = Map.copyOf(residentBytes);
  }

  /** Of a phase in which nothing happens, and whose nodes are not asked at its end. */
  public PhaseRecord(
      Phase phase,
      long fromNanos,
      long untilNanos,
      Map<String, HsmFigures> hsms,
      ProcessTimes used,
      double loadAverage,
      List<Integer> nodes,
      int nodesDead) {
    this(
        phase,
        fromNanos,
        untilNanos,
        hsms,
        used,
        loadAverage,
        nodes,
        nodesDead,
        List.of(),
        Map.of(),
        TimeoutLadder.none(),
        "",
        Map.of());
  }

  /** Returns how long what is measured took. */
  public double seconds() {
    return (untilNanos - fromNanos) / 1e9;
  }

  /** Returns what each HSM did in it, for people. */
  public List<String> shown() {
    return hsms.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(
            hsm ->
                Text.format(
                    "%s: HSM %s signed %.1f/s, busy %.0f %%, queue p99 %d; load average %.1f",
                    phase.name(),
                    hsm.getKey(),
                    hsm.getValue().signed() / seconds(),
                    100 * hsm.getValue().utilisation(),
                    hsm.getValue().queueP99(),
                    loadAverage))
        .toList();
  }

  /** Returns whether a time is of what is measured. */
  public boolean contains(long nanos) {
    return nanos >= fromNanos && nanos < untilNanos;
  }
}
