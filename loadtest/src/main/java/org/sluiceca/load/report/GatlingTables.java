package org.sluiceca.load.report;

import static org.sluiceca.load.page.Table.column;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.sluiceca.load.page.Page;
import org.sluiceca.load.page.Table;
import org.sluiceca.load.page.Table.Column;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.scenario.judge.Drift;
import org.sluiceca.load.scenario.judge.NodeLook;
import org.sluiceca.load.scenario.judge.Operation;
import org.sluiceca.load.scenario.judge.Persistence;
import org.sluiceca.load.scenario.judge.Queue;
import org.sluiceca.load.scenario.judge.ScenarioResults;
import org.sluiceca.load.scenario.judge.Trend;
import org.sluiceca.load.scenario.judge.Watched;
import org.sluiceca.load.watch.ProcessTimes;

/** What there is besides where Gatling sent, and nodes were looked at again and again. */
final class GatlingTables {

  private final ScenarioResults results;
  private final FigureTables phases;

  GatlingTables(ScenarioResults results, FigureTables phases) {
    this.results = results;
    this.phases = phases;
  }

  void add(Page page) {
    page.section(
            "Clients that came again",
            persistences(),
            "Never served: neither a certificate nor an order for one (202). Served within: from"
                + " when the first request of a client was due until it was answered with the"
                + " certificate.")
        .section(
            "Queue",
            queues(),
            "By the nodes, all together, means if nothing else is said: on the line are requests"
                + " between admission and outcome; in queues those of them whose job waits for the"
                + " HSM, for wait ms. Gatling: its part of all processors.")
        .section("Other requests", operations(), "Latencies from when they were due.")
        .section("Answers that are no success", errors(), "")
        .section("Nodes", nodes(), "Each life of a node, by the kernel.")
        .section(
            "Drift",
            drifts(),
            "Slopes by Theil and Sen. Grew: slope times hours, by the best guess; for certain: by"
                + " the lower end of the interval, which goals are about.");
  }

  private Table queues() {
    return Table.of(
        results.watched().stream().filter(at -> phases.isShown(at.phase())).toList(),
        column("phase", Watched::phase),
        queue("on the line", Queue::depthMean, 1),
        queue("at most", Queue::depthMax, 0),
        queue("in queues", Queue::waitingMean, 1),
        queue("at most", Queue::waitingMax, 0),
        queue("oldest s", Queue::oldestMax, 1),
        queue("wait ms", Queue::waitMillis, 1),
        queue("in the HSM", Queue::inflight, 1),
        column("of windows", at -> Text.percent(queue(at).utilization())),
        column("Gatling", at -> Text.percent(at.seen().used().share(at.gatlingTicks()))),
        column("Gatling ms/request", at -> Text.number(gatlingMillis(at), 2)));
  }

  private Column<Watched> queue(String title, ToDoubleFunction<Queue> figure, int digits) {
    return column(title, at -> Text.number(figure.applyAsDouble(queue(at)), digits));
  }

  private Queue queue(Watched at) {
    return Queue.of(results.looks().stream().filter(at::contains).toList());
  }

  /** Of a processor, for each request that was due in the measured time. */
  private double gatlingMillis(Watched at) {
    double asked =
        results.phases().get(results.watched().indexOf(at)).of(Measure.OFFERED)
            + results.operations().stream()
                .filter(operation -> operation.phase().equals(at.phase()))
                .mapToDouble(Operation::asked)
                .sum();
    return asked == 0
        ? Double.NaN
        : 1000 * ProcessTimes.seconds(at.gatlingTicks()) / asked / at.seen().seconds();
  }

  /** Where clients come again, what became of them. */
  private Table persistences() {
    return Table.of(
        results.persistences().stream()
            .filter(one -> one.again() > 0 && phases.isShown(one.phase()))
            .toList(),
        column("phase", Persistence::phase),
        column("clients", one -> "" + one.clients()),
        column("came again", one -> "" + one.again()),
        column("tries at most", one -> "" + one.triesMax()),
        column("never served", one -> "" + one.unserved()),
        column("served within p50 s", one -> Text.number(one.p50Seconds(), 1)),
        column("p99 s", one -> Text.number(one.p99Seconds(), 1)),
        column("max s", one -> Text.number(one.maxSeconds(), 1)));
  }

  private Table operations() {
    return Table.of(
        results.operations().stream().filter(one -> phases.isShown(one.phase())).toList(),
        column("phase", Operation::phase),
        column("what", operation -> operation.kind().key()),
        column("asked/s", operation -> Text.number(operation.asked(), 1)),
        column("served/s", operation -> Text.number(operation.served(), 1)),
        column("p50 ms", operation -> Text.number(operation.p50Millis(), 0)),
        column("p99 ms", operation -> Text.number(operation.p99Millis(), 0)),
        column("refused", operation -> Text.percent(operation.refusedShare())),
        column("failed", operation -> Text.percent(operation.failedShare())));
  }

  private Table errors() {
    return Table.of(
        new TreeMap<>(results.errors()).entrySet(),
        column("request: status and problem", Map.Entry::getKey),
        column("answers", error -> error.getValue().toString()),
        column(
            "of all requests",
            error -> Text.percent((double) error.getValue() / results.requests())));
  }

  /** By the kernel, from the first look to the last of each life. */
  private Table nodes() {
    return Table.of(
        results.looks().stream()
            .collect(Collectors.groupingBy(NodeLook::pid, TreeMap::new, Collectors.toList()))
            .values(),
        column("node", life -> "node " + life.getFirst().node()),
        column("resident MB first", life -> Text.number(life.getFirst().rssMegabytes(), 0)),
        column("last", life -> Text.number(life.getLast().rssMegabytes(), 0)),
        most(NodeLook::rssMegabytes),
        column("threads last", life -> "" + life.getLast().threads()),
        most(NodeLook::threads),
        column("open files last", life -> "" + life.getLast().files()),
        most(NodeLook::files));
  }

  private static Column<List<NodeLook>> most(ToDoubleFunction<NodeLook> figure) {
    return column("max", life -> Text.number(life.stream().mapToDouble(figure).max().orElse(0), 0));
  }

  /** Minutes of changing load tell nothing of what time does: of a soak alone. */
  private Table drifts() {
    return Table.of(
        results.plan().gatling().orElseThrow().soakSeconds().isEmpty()
            ? List.of()
            : results.drifts(),
        column("series", drift -> drift.figure().key()),
        column("of", Drift::of),
        column("in", drift -> unit(drift.figure())),
        column("median", drift -> Text.number(drift.trend().median(), 1)),
        column("slope an hour", drift -> Text.number(drift.trend().perHour(), 2)),
        column("its 90 % interval", drift -> interval(drift.trend())),
        column("hours", drift -> Text.number(drift.trend().hours(), 2)),
        column("grew", drift -> grown(drift, drift.likelyGrowth())),
        column("for certain", drift -> grown(drift, Math.max(0, drift.growth()))),
        column("a day at that slope", drift -> grown(drift, drift.dailyGrowth())));
  }

  private static String interval(Trend trend) {
    return Text.number(trend.lowPerHour(), 2) + " to " + Text.number(trend.highPerHour(), 2);
  }

  /** Of the series, whose growth may be a share. */
  private static String unit(Measure growth) {
    return switch (growth) {
      case RSS_GROWTH -> "MB";
      case LATENCY_P50_GROWTH, LATENCY_P99_GROWTH -> "ms";
      case THREADS_GROWTH -> "threads";
      case FILES_GROWTH -> "files";
      default -> growth.unit();
    };
  }

  private static String grown(Drift drift, double growth) {
    return drift.isShare() ? Text.percent(growth) : Text.number(growth, 2);
  }
}
