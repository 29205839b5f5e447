package org.sluiceca.load.nodes;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.sluiceca.load.plan.Measure;

/**
 * Whether more nodes get as much from the same HSM as the fewest: by ratios, so that they mean the
 * same on every machine.
 */
final class NodesGoals {

  private static final double GOODPUT_LEAST = 0.97;
  private static final double LATENCY_MOST = 1.5;
  private static final double MEMORY_MOST = 1.1;
  private static final double JAIN_LEAST = 0.99;

  /** Below the capacity no request is refused, and the nodes would cause a longer answer. */
  private static final double BELOW_CAPACITY = 1;

  /**
   * One goal of one run.
   *
   * @param bound the least or the most, as {@code goal} says
   */
  record Verdict(
      int nodes,
      String load,
      String goal,
      @JsonProperty("seen") double value,
      double bound,
      @JsonProperty("met") boolean isMet) {}

  private final NodesRun first;
  private final int servers;
  private final List<Verdict> verdicts = new ArrayList<>();

  private NodesGoals(NodesRun first, int servers) {
    this.first = first;
    this.servers = servers;
  }

  /**
   * Judges all runs.
   *
   * @param runs in the order of their nodes
   * @param servers of the HSM
   */
  static List<Verdict> judge(List<NodesRun> runs, int servers) {
    NodesGoals goals = new NodesGoals(runs.getFirst(), servers);
    runs.forEach(goals::judge);
    return List.copyOf(goals.verdicts);
  }

  /** Returns how long an HSM's queue may be: docs/adr/0016. */
  static double queueBound(int nodes, int servers) {
    return Math.max(nodes, 2 * Math.sqrt(servers * (double) nodes) + 8);
  }

  private void judge(NodesRun run) {
    add(run, "all", "goals of its own run that were missed", run.goalsMissed(), 0, false);
    for (NodesRun.Load load : run.loads()) {
      String name = load.name();
      add(
          run,
          name,
          "HSM queue p99, jobs",
          load.of(Measure.HSM_QUEUE_P99),
          queueBound(run.nodes(), servers),
          false);
      if (run.nodes() > 1) {
        add(run, name, "Jain of nodes", load.of(Measure.JAIN_NODES), JAIN_LEAST, true);
      }
      if (run.nodes() != first.nodes()) {
        compare(run, name, load);
      }
    }
  }

  /** A ratio of two machines that were full says nothing of the nodes: it is missed. */
  private void compare(NodesRun run, String name, NodesRun.Load load) {
    Optional<NodesRun.Load> base = first.load(name);
    boolean isBusy =
        load.isOfBusyMachine() || base.map(NodesRun.Load::isOfBusyMachine).orElse(true);
    ToDoubleFunction<Measure> ratio =
        measure -> isBusy ? Double.NaN : load.of(measure) / base.orElseThrow().of(measure);
    String of = " by that of " + first.nodes() + (isBusy ? " (processors were the limit)" : "");
    add(run, name, "goodput" + of, ratio.applyAsDouble(Measure.GOODPUT_SHARE), GOODPUT_LEAST, true);
    add(
        run,
        name,
        "memory of a node" + of,
        ratio.applyAsDouble(Measure.NODE_MEMORY),
        MEMORY_MOST,
        false);
    if (load.times() < BELOW_CAPACITY) {
      double latency = ratio.applyAsDouble(Measure.LATENCY_P50);
      add(run, name, "answer p50" + of, latency, LATENCY_MOST, false);
    }
  }

  private void add(
      NodesRun run, String load, String goal, double value, double bound, boolean isAtLeast) {
    // What is no number meets neither.
    boolean isMet = isAtLeast ? value >= bound : value <= bound;
    verdicts.add(
        new Verdict(
            run.nodes(),
            load,
            goal + String.format(Locale.ROOT, isAtLeast ? " >= %.4g" : " <= %.4g", bound),
            value,
            bound,
            isMet));
  }
}
