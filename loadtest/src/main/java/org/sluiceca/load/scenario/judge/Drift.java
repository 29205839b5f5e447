package org.sluiceca.load.scenario.judge;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.sluiceca.load.judge.PhaseJudge;
import org.sluiceca.load.plan.Measure;

/**
 * How one series of a run went with time.
 *
 * @param figure the growth that it is about
 * @param of whose series it is, for people
 * @param isShare whether its growth is reported as a share of its median
 */
public record Drift(Measure figure, String of, boolean isShare, Trend trend) {

  private static final double MILLIS_PER_HOUR = 3_600_000;

  /** Returns how much it grew for certain, as the figure's limits understand it. */
  public double growth() {
    return isShare ? trend.growth() / trend.median() : trend.growth();
  }

  /** Returns how much it grew by the best guess. */
  public double likelyGrowth() {
    return isShare ? trend.likelyGrowth() / trend.median() : trend.likelyGrowth();
  }

  /**
   * Returns how much it would grow in a day at that slope: a share of a run is less in a short one.
   */
  public double dailyGrowth() {
    double daily = 24 * trend.perHour();
    return isShare ? daily / trend.median() : daily;
  }

  /**
   * Returns all series that these give.
   *
   * @param looks of the measured time alone
   * @param phases the measured ones
   */
  static List<Drift> all(List<NodeLook> looks, List<PhaseJudge.Figures> phases) {
    List<Drift> all = new ArrayList<>();
    // Each life of a node by itself: a new one begins small, whatever the old one leaked.
    new TreeMap<>(looks.stream().collect(Collectors.groupingBy(NodeLook::pid)))
        .values()
        .forEach(
            life -> {
              String node = "node " + life.getFirst().node();
              add(all, Measure.RSS_GROWTH, node, true, life, NodeLook::rssMegabytes);
              add(all, Measure.THREADS_GROWTH, node, true, life, look -> look.threads());
              add(all, Measure.FILES_GROWTH, node, true, life, look -> look.files());
            });
    // One point for each moment: the depths of all nodes, and the HSM's queue.
    Map<Long, Integer> depths = new TreeMap<>();
    looks.forEach(look -> depths.merge(look.epochMillis(), look.depth(), Integer::sum));
    List<NodeLook> moments =
        new ArrayList<>(
            looks.stream()
                .collect(Collectors.toMap(NodeLook::epochMillis, l -> l, (one, same) -> one))
                .values());
    add(
        all,
        Measure.QUEUE_GROWTH,
        "all nodes",
        false,
        moments,
        l -> depths.getOrDefault(l.epochMillis(), 0));
    add(all, Measure.HSM_QUEUE_GROWTH, "HSM", false, moments, look -> look.hsmQueue());
    addPhases(all, Measure.LATENCY_P50_GROWTH, "p50 by phase", phases, Measure.LATENCY_P50);
    addPhases(all, Measure.LATENCY_P99_GROWTH, "p99 by phase", phases, Measure.LATENCY_P99);
    return all;
  }

  /** Returns the worst growth of a figure; NaN if it cannot be computed. */
  static double worst(List<Drift> drifts, Measure figure) {
    return drifts.stream()
        .filter(drift -> drift.figure() == figure)
        .mapToDouble(Drift::growth)
        .max()
        .orElse(Double.NaN);
  }

  private static void add(
      List<Drift> all,
      Measure figure,
      String of,
      boolean isShare,
      List<NodeLook> looks,
      ToDoubleFunction<NodeLook> value) {
    List<NodeLook> ordered =
        looks.stream().sorted(Comparator.comparingLong(NodeLook::epochMillis)).toList();
    double[] hours =
        ordered.stream().mapToDouble(look -> look.epochMillis() / MILLIS_PER_HOUR).toArray();
    Optional<Trend> trend = Trend.of(hours, ordered.stream().mapToDouble(value).toArray());
    trend.ifPresent(found -> all.add(new Drift(figure, of, isShare, found)));
  }

  /** By the time that was measured: what lay between two sittings is no time of the run. */
  private static void addPhases(
      List<Drift> all,
      Measure figure,
      String of,
      List<PhaseJudge.Figures> phases,
      Measure measure) {
    double[] hours = new double[phases.size()];
    double at = 0;
    for (int i = 0; i < hours.length; i++) {
      hours[i] = at;
      at += phases.get(i).seen().seconds() / 3600;
    }
    double[] values = phases.stream().mapToDouble(figures -> figures.of(measure)).toArray();
    Trend.of(hours, values).ifPresent(found -> all.add(new Drift(figure, of, true, found)));
  }
}
