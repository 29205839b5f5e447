package org.sluiceca.load.scenario.judge;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The queues that nodes reported in a stretch of time; figures are NaN if no sample was taken.
 *
 * @param depthMean requests between admission and outcome, of all nodes
 * @param waitingMean jobs of theirs in front of the HSM
 * @param oldestMax seconds
 * @param waitMillis the mean wait of a job
 * @param inflight jobs of all nodes in the HSM
 * @param utilization of the nodes' windows
 */
public record Queue(
    double depthMean,
    double depthMax,
    double waitingMean,
    double waitingMax,
    double oldestMax,
    double waitMillis,
    double inflight,
    double utilization) {

  /** Computes them. */
  public static Queue of(List<NodeLook> looks) {
    Collection<List<NodeLook>> moments =
        looks.stream().collect(Collectors.groupingBy(NodeLook::epochMillis)).values();
    double waited = 0;
    double waits = 0;
    for (List<NodeLook> life :
        looks.stream().collect(Collectors.groupingBy(NodeLook::pid)).values()) {
      waited += life.getLast().waitSeconds() - life.getFirst().waitSeconds();
      waits += life.getLast().waits() - life.getFirst().waits();
    }
    return new Queue(
        moments.stream().mapToDouble(Queue::depth).average().orElse(Double.NaN),
        moments.stream().mapToDouble(Queue::depth).max().orElse(Double.NaN),
        moments.stream().mapToDouble(Queue::waiting).average().orElse(Double.NaN),
        moments.stream().mapToDouble(Queue::waiting).max().orElse(Double.NaN),
        looks.stream().mapToDouble(NodeLook::oldestSeconds).max().orElse(Double.NaN),
        waits == 0 ? Double.NaN : 1000 * waited / waits,
        moments.stream()
            .mapToDouble(all -> all.stream().mapToInt(NodeLook::inflight).sum())
            .average()
            .orElse(Double.NaN),
        looks.stream().mapToDouble(NodeLook::utilization).average().orElse(Double.NaN));
  }

  private static double waiting(List<NodeLook> moment) {
    return moment.stream().mapToInt(NodeLook::waiting).sum();
  }

  private static double depth(List<NodeLook> moment) {
    return moment.stream().mapToInt(NodeLook::depth).sum();
  }
}
