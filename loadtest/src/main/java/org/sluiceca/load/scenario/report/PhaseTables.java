package org.sluiceca.load.scenario.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import org.sluiceca.load.judge.PhaseJudge;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.scenario.judge.NodeLook;
import org.sluiceca.load.scenario.judge.Operation;
import org.sluiceca.load.scenario.judge.Persistence;
import org.sluiceca.load.scenario.judge.ScenarioResults;
import org.sluiceca.load.scenario.judge.Watched;
import org.sluiceca.load.watch.ProcessTimes;

/** Tables with a row for each phase, by who can know what is in them. */
final class PhaseTables {

  // An HSM that is the bottleneck is busier than this: the nodes keep 97 % and more of it in use
  // (docs/performance/LOAD.md).
  private static final double FULL_HSM = 0.95;

  /** Of more phases, as of a soak's segments, a few stand for all. */
  private static final int SHOWN_MAX = 12;

  private final ScenarioResults results;
  private final List<PhaseJudge.Figures> shown;

  PhaseTables(ScenarioResults results) {
    this.results = results;
    this.shown = shown(results);
  }

  /** All phases, or of many the first, the slowest by p99, the middling and the last. */
  private static List<PhaseJudge.Figures> shown(ScenarioResults results) {
    List<PhaseJudge.Figures> all = results.phases();
    if (all.size() <= SHOWN_MAX) {
      return all;
    }
    List<PhaseJudge.Figures> measured = new ArrayList<>(results.measured());
    List<PhaseJudge.Figures> byLatency =
        measured.stream()
            .sorted(Comparator.comparingDouble(f -> f.of(Measure.LATENCY_P99)))
            .toList();
    List<PhaseJudge.Figures> some =
        List.of(
            measured.getFirst(),
            byLatency.get(byLatency.size() / 2),
            byLatency.getLast(),
            measured.getLast());
    return all.stream().filter(some::contains).toList();
  }

  Table phases() {
    Table table =
        new Table(
            "phase",
            "offered/s",
            "issued/s",
            "of possible",
            "p50 ms",
            "p99 ms",
            "max ms",
            "promised",
            "refused",
            "failed",
            "fairness nodes",
            "fairness requesters",
            "sent late p99 ms");
    for (PhaseJudge.Figures f : shown) {
      table.add(
          f.seen().phase().name(),
          Table.number(f.of(Measure.OFFERED), 1),
          Table.number(f.of(Measure.GOODPUT), 1),
          Table.percent(f.of(Measure.GOODPUT_SHARE)),
          Table.number(f.of(Measure.LATENCY_P50), 0),
          Table.number(f.of(Measure.LATENCY_P99), 0),
          Table.number(f.of(Measure.LATENCY_MAX), 0),
          Table.percent(f.of(Measure.LATER_SHARE)),
          Table.percent(f.of(Measure.REFUSED_SHARE)),
          Table.percent(f.of(Measure.FAILED_SHARE)),
          Table.number(f.of(Measure.JAIN_NODES), 3),
          Table.number(f.of(Measure.JAIN_REQUESTERS), 3),
          Table.number(f.of(Measure.LATE_P99), 1));
    }
    return table;
  }

  /** Depth, wait and what is in flight by the nodes, the HSM's queue by the HSM. */
  Table queues() {
    Table table =
        new Table(
            "phase",
            "on the line",
            "at most",
            "in queues",
            "at most",
            "oldest s",
            "wait ms",
            "in the HSM",
            "of windows",
            "HSM busy",
            "HSM's queue p50",
            "p99",
            "at most",
            "refused by it");
    for (PhaseJudge.Figures f : shown) {
      Watched watched = watched(f);
      Queue queue = Queue.of(looks(watched));
      table.add(
          f.seen().phase().name(),
          Table.number(queue.depthMean(), 1),
          Table.number(queue.depthMax(), 0),
          Table.number(queue.waitingMean(), 1),
          Table.number(queue.waitingMax(), 0),
          Table.number(queue.oldestMax(), 1),
          Table.number(queue.waitMillis(), 1),
          Table.number(queue.inflight(), 1),
          Table.percent(queue.utilization()),
          Table.percent(f.of(Measure.HSM_UTILISATION)),
          Table.number(f.of(Measure.HSM_QUEUE_P50), 0),
          Table.number(f.of(Measure.HSM_QUEUE_P99), 0),
          Table.number(f.of(Measure.HSM_QUEUE_MAX), 0),
          Table.number(f.of(Measure.HSM_REFUSED), 0));
    }
    return table;
  }

  /**
   * What goals that are met do not show: the rate at the limit of an HSM that never reached it.
   * Empty if a phase kept the HSM busy.
   */
  Optional<String> notShown() {
    return shown.stream()
        .max(Comparator.comparingDouble(f -> f.of(Measure.HSM_UTILISATION)))
        .filter(f -> f.of(Measure.HSM_UTILISATION) < FULL_HSM)
        .map(
            f ->
                String.format(
                    Locale.ROOT,
                    "The HSM was never fully used: %.0f %% at most, in phase %s. This run does not show how fast the nodes issue when the HSM is the limit.",
                    100 * f.of(Measure.HSM_UTILISATION),
                    f.seen().phase().name()));
  }

  /** By the kernel: shares of all processors. */
  Table processors() {
    Table table =
        new Table(
            "phase",
            "busy",
            "nodes",
            "PostgreSQL",
            "Gatling",
            "Gatling ms/request",
            "load average");
    for (PhaseJudge.Figures f : shown) {
      Watched watched = watched(f);
      table.add(
          f.seen().phase().name(),
          Table.percent(f.of(Measure.PROCESSORS_BUSY))
              + (f.isOfBusyMachine() ? " (the limit)" : ""),
          Table.percent(watched.used().share(watched.used().nodes())),
          Table.percent(watched.used().share(watched.used().database())),
          Table.percent(watched.used().share(watched.gatlingTicks())),
          Table.number(gatlingMillis(f, watched), 2),
          Table.number(f.of(Measure.LOAD_AVERAGE), 1));
    }
    return table;
  }

  /** Of a processor, for each request that was due in the measured time. */
  private double gatlingMillis(PhaseJudge.Figures figures, Watched watched) {
    double others =
        results.operations().stream()
            .filter(operation -> operation.phase().equals(watched.phase()))
            .mapToDouble(Operation::asked)
            .sum();
    double requests = (figures.of(Measure.OFFERED) + others) * watched.seconds();
    return requests == 0
        ? Double.NaN
        : 1000 * ProcessTimes.seconds(watched.gatlingTicks()) / requests;
  }

  /** Where clients come again, what became of them. */
  Table persistences() {
    Table table =
        new Table(
            "phase",
            "clients",
            "came again",
            "tries at most",
            "never served",
            "served within p50 s",
            "p99 s",
            "max s");
    for (Persistence one : results.persistences()) {
      if (one.again() > 0
          && shown.stream().anyMatch(f -> f.seen().phase().name().equals(one.phase()))) {
        table.add(
            one.phase(),
            "" + one.clients(),
            "" + one.again(),
            "" + one.triesMax(),
            "" + one.unserved(),
            Table.number(one.p50Seconds(), 1),
            Table.number(one.p99Seconds(), 1),
            Table.number(one.maxSeconds(), 1));
      }
    }
    return table;
  }

  private Watched watched(PhaseJudge.Figures figures) {
    return results.watched().get(results.phases().indexOf(figures));
  }

  private List<NodeLook> looks(Watched watched) {
    return results.looks().stream()
        .filter(
            look ->
                look.epochMillis() >= watched.fromMillis()
                    && look.epochMillis() < watched.untilMillis())
        .toList();
  }

  Table requesters() {
    Table table =
        new Table(
            "phase",
            "requester",
            "offered/s",
            "issued/s",
            "of offered",
            "of the HSM's time",
            "p50 ms",
            "p99 ms",
            "refused",
            "failed");
    for (PhaseJudge.Figures f : shown) {
      if (f.requesters().size() < 2) {
        continue;
      }
      for (String name : new TreeMap<>(f.requesters()).keySet()) {
        table.add(
            f.seen().phase().name(),
            name,
            Table.number(f.of(Measure.OFFERED, name), 1),
            Table.number(f.of(Measure.GOODPUT, name), 1),
            Table.percent(f.of(Measure.GOODPUT_SHARE, name)),
            Table.percent(f.of(Measure.TIME_SHARE, name)),
            Table.number(f.of(Measure.LATENCY_P50, name), 0),
            Table.number(f.of(Measure.LATENCY_P99, name), 0),
            Table.percent(f.of(Measure.REFUSED_SHARE, name)),
            Table.percent(f.of(Measure.FAILED_SHARE, name)));
      }
    }
    return table;
  }

  Table operations() {
    Table table =
        new Table("phase", "what", "asked/s", "served/s", "p50 ms", "p99 ms", "refused", "failed");
    for (Operation operation : results.operations()) {
      if (shown.stream().anyMatch(f -> f.seen().phase().name().equals(operation.phase()))) {
        table.add(
            operation.phase(),
            operation.kind().key(),
            Table.number(operation.asked(), 1),
            Table.number(operation.served(), 1),
            Table.number(operation.p50Millis(), 0),
            Table.number(operation.p99Millis(), 0),
            Table.percent(operation.refusedShare()),
            Table.percent(operation.failedShare()));
      }
    }
    return table;
  }
}
