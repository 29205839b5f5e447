package org.sluiceca.load.scenario.report;

import static org.sluiceca.load.page.Table.column;
import static org.sluiceca.load.report.FigureColumns.number;
import static org.sluiceca.load.report.FigureColumns.percent;
import static org.sluiceca.load.report.FigureColumns.phase;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.sluiceca.load.judge.PhaseJudge;
import org.sluiceca.load.page.Table;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.report.FigureColumns;
import org.sluiceca.load.report.FigureColumns.Part;
import org.sluiceca.load.report.FigureTables;
import org.sluiceca.load.scenario.judge.NodeLook;
import org.sluiceca.load.scenario.judge.Operation;
import org.sluiceca.load.scenario.judge.Persistence;
import org.sluiceca.load.scenario.judge.Queue;
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
    return Table.of(
        parts(),
        phase(),
        number("offered/s", Measure.OFFERED, 1),
        number("issued/s", Measure.GOODPUT, 1),
        percent("of possible", Measure.GOODPUT_SHARE),
        number("p50 ms", Measure.LATENCY_P50, 0),
        number("p99 ms", Measure.LATENCY_P99, 0),
        number("max ms", Measure.LATENCY_MAX, 0),
        percent("promised", Measure.LATER_SHARE),
        percent("refused", Measure.REFUSED_SHARE),
        percent("failed", Measure.FAILED_SHARE),
        number("fairness nodes", Measure.JAIN_NODES, 3),
        number("fairness requesters", Measure.JAIN_REQUESTERS, 3),
        number("sent late p99 ms", Measure.LATE_P99, 1));
  }

  private List<Part> parts() {
    return shown.stream().map(FigureColumns::all).toList();
  }

  /** Depth, wait and what is in flight by the nodes, the HSM's queue by the HSM. */
  Table queues() {
    return Table.of(
        parts(),
        phase(),
        queue("on the line", Queue::depthMean, 1),
        queue("at most", Queue::depthMax, 0),
        queue("in queues", Queue::waitingMean, 1),
        queue("at most", Queue::waitingMax, 0),
        queue("oldest s", Queue::oldestMax, 1),
        queue("wait ms", Queue::waitMillis, 1),
        queue("in the HSM", Queue::inflight, 1),
        column("of windows", part -> Text.percent(queue(part).utilization())),
        percent("HSM busy", Measure.HSM_UTILISATION),
        number("HSM's queue p50", Measure.HSM_QUEUE_P50, 0),
        number("p99", Measure.HSM_QUEUE_P99, 0),
        number("at most", Measure.HSM_QUEUE_MAX, 0),
        number("refused by it", Measure.HSM_REFUSED, 0));
  }

  private Table.Column<Part> queue(String title, ToDoubleFunction<Queue> figure, int digits) {
    return column(title, part -> Text.number(figure.applyAsDouble(queue(part)), digits));
  }

  private Queue queue(Part part) {
    return Queue.of(looks(watched(part.phase())));
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
                Text.format(
                    "The HSM was never fully used: %.0f %% at most, in phase %s. This run does not show how fast the nodes issue when the HSM is the limit.",
                    100 * f.of(Measure.HSM_UTILISATION), f.seen().phase().name()));
  }

  /** By the kernel: shares of all processors. */
  Table processors() {
    return Table.of(
        parts(),
        phase(),
        column(
            "busy",
            part ->
                Text.percent(part.of(Measure.PROCESSORS_BUSY))
                    + (part.phase().isOfBusyMachine() ? " (the limit)" : "")),
        used("nodes", at -> at.used().nodes()),
        used("PostgreSQL", at -> at.used().database()),
        used("Gatling", Watched::gatlingTicks),
        column("Gatling ms/request", part -> Text.number(gatlingMillis(part.phase()), 2)),
        number("load average", Measure.LOAD_AVERAGE, 1));
  }

  private Table.Column<Part> used(String title, ToLongFunction<Watched> ticks) {
    return column(
        title,
        part -> {
          Watched at = watched(part.phase());
          return Text.percent(at.used().share(ticks.applyAsLong(at)));
        });
  }

  /** Of a processor, for each request that was due in the measured time. */
  private double gatlingMillis(PhaseJudge.Figures figures) {
    Watched watched = watched(figures);
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
    return Table.of(
        results.persistences().stream()
            .filter(one -> one.again() > 0 && isShown(one.phase()))
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

  private boolean isShown(String phase) {
    return shown.stream().anyMatch(figures -> figures.seen().phase().name().equals(phase));
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
    return FigureTables.requesters(shown);
  }

  Table operations() {
    return Table.of(
        results.operations().stream().filter(operation -> isShown(operation.phase())).toList(),
        column("phase", Operation::phase),
        column("what", operation -> operation.kind().key()),
        column("asked/s", operation -> Text.number(operation.asked(), 1)),
        column("served/s", operation -> Text.number(operation.served(), 1)),
        column("p50 ms", operation -> Text.number(operation.p50Millis(), 0)),
        column("p99 ms", operation -> Text.number(operation.p99Millis(), 0)),
        column("refused", operation -> Text.percent(operation.refusedShare())),
        column("failed", operation -> Text.percent(operation.failedShare())));
  }
}
