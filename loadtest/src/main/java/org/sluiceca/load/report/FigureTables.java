package org.sluiceca.load.report;

import static org.sluiceca.load.page.Table.column;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.sluiceca.load.inside.TimeoutLadder;
import org.sluiceca.load.inside.TokenLook;
import org.sluiceca.load.judge.Percentiles;
import org.sluiceca.load.judge.PhaseJudge.Figures;
import org.sluiceca.load.page.Table;
import org.sluiceca.load.page.Table.Column;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.plan.HsmPlan;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.watch.ProcessTimes;

/** Tables with a row for each phase, or for each HSM or requester in it. */
final class FigureTables {

  /** An HSM that is the limit is busier than this (docs/performance/LOAD.md). */
  private static final double FULL_HSM = 0.95;

  /** Of more phases, as of a soak's segments, a few stand for all. */
  private static final int SHOWN_MAX = 12;

  private final Results results;
  private final List<Figures> shown;

  FigureTables(Results results) {
    this.results = results;
    this.shown = results.gatling().isPresent() ? few(results) : results.phases();
  }

  /**
   * A row of such a table.
   *
   * @param name the HSM or the requester whose it is; empty if it is of all
   */
  private record Part(Figures phase, String name) {
    private double of(Measure measure) {
      return phase.of(measure, name);
    }

    private String named() {
      return phase.seen().phase().name();
    }
  }

  private static Column<Part> number(String title, Measure measure, int digits) {
    return column(title, part -> Text.number(part.of(measure), digits));
  }

  private static Column<Part> percent(String title, Measure measure) {
    return column(title, part -> Text.percent(part.of(measure)));
  }

  /** All phases, or of many the first, the slowest by p99, the middling and the last. */
  private static List<Figures> few(Results results) {
    List<Figures> measured = results.measured();
    if (results.phases().size() <= SHOWN_MAX) {
      return results.phases();
    }
    List<Figures> byLatency =
        measured.stream()
            .sorted(Comparator.comparingDouble(f -> f.of(Measure.LATENCY_P99)))
            .toList();
    List<Figures> some =
        List.of(
            measured.getFirst(),
            byLatency.get(byLatency.size() / 2),
            byLatency.getLast(),
            measured.getLast());
    return results.phases().stream().filter(some::contains).toList();
  }

  boolean isShown(String phase) {
    return shown.stream().anyMatch(figures -> figures.seen().phase().name().equals(phase));
  }

  List<Figures> shown() {
    return shown;
  }

  private List<Part> all() {
    return shown.stream().map(figures -> new Part(figures, "")).toList();
  }

  Table phases() {
    return Table.of(
        all(),
        column("phase", Part::named),
        number("offered/s", Measure.OFFERED, 1),
        number("issued/s", Measure.GOODPUT, 1),
        percent("of possible", Measure.GOODPUT_SHARE),
        number("p50 ms", Measure.LATENCY_P50, 0),
        number("p99 ms", Measure.LATENCY_P99, 0),
        number("max ms", Measure.LATENCY_MAX, 0),
        percent("promised", Measure.LATER_SHARE),
        percent("refused", Measure.REFUSED_SHARE),
        percent("Retry-After", Measure.RETRY_AFTER_SHARE),
        percent("failed", Measure.FAILED_SHARE),
        percent("unanswered", Measure.UNANSWERED_SHARE),
        percent("unsent", Measure.UNSENT_SHARE),
        number("fairness nodes", Measure.JAIN_NODES, 3),
        number("fairness requesters", Measure.JAIN_REQUESTERS, 3),
        number("sent late p99 ms", Measure.LATE_P99, 1));
  }

  /** Returns a row of each HSM in each phase. */
  Table hsms() {
    return Table.of(
        results.plan().hsms().size() > 1 ? parts(Figures::hsms) : all(),
        column("phase", Part::named),
        column("HSM", part -> part.name().isEmpty() ? HsmPlan.ALONE : part.name()),
        number("signed/s", Measure.HSM_SIGNED, 1),
        percent("busy", Measure.HSM_UTILISATION),
        number("queue p50", Measure.HSM_QUEUE_P50, 0),
        number("p99", Measure.HSM_QUEUE_P99, 0),
        number("max", Measure.HSM_QUEUE_MAX, 0),
        number("refused", Measure.HSM_REFUSED, 0),
        number("signs again s", Measure.HSM_SIGNS_AGAIN, 1));
  }

  /** Returns a row of each requester in each phase that has several. */
  Table requesters() {
    return Table.of(
        parts(figures -> figures.requesters().size() > 1 ? figures.requesters() : Map.of()),
        column("phase", Part::named),
        column("requester", Part::name),
        number("offered/s", Measure.OFFERED, 1),
        number("issued/s", Measure.GOODPUT, 1),
        percent("of offered", Measure.GOODPUT_SHARE),
        percent("of the HSM's time", Measure.TIME_SHARE),
        number("p50 ms", Measure.LATENCY_P50, 0),
        number("p99 ms", Measure.LATENCY_P99, 0),
        percent("promised", Measure.LATER_SHARE),
        percent("refused", Measure.REFUSED_SHARE),
        percent("failed", Measure.FAILED_SHARE));
  }

  /** By the kernel: shares of all processors. */
  Table processors() {
    return Table.of(
        all(),
        column("phase", Part::named),
        column(
            "busy",
            part ->
                Text.percent(part.of(Measure.PROCESSORS_BUSY))
                    + (part.phase().isOfBusyMachine() ? " (the limit)" : "")),
        used("nodes", ProcessTimes::nodes),
        used("PostgreSQL", ProcessTimes::database),
        used("generator", ProcessTimes::generator),
        number("load average", Measure.LOAD_AVERAGE, 1));
  }

  private static Column<Part> used(String title, ToLongFunction<ProcessTimes> ticks) {
    return column(
        title,
        part -> {
          ProcessTimes used = part.phase().seen().used();
          return Text.percent(used.share(ticks.applyAsLong(used)));
        });
  }

  /** Returns what all nodes had of each HSM in each phase; none if there is one HSM. */
  Table tokens() {
    List<Part> parts = new ArrayList<>();
    if (!results.tokens().isEmpty()) {
      for (Figures figures : shown) {
        results
            .plan()
            .hsms(figures.seen().phase())
            .forEach(hsm -> parts.add(new Part(figures, hsm.name())));
      }
    }
    return Table.of(
        parts,
        column("phase", Part::named),
        column("HSM, as all nodes have it", Part::name),
        looks("threads", TokenLook::sessions, 1),
        looks("window p50", TokenLook::window, 0.5),
        looks("in the HSM p50", TokenLook::inflight, 0.5),
        looks("waiting p50", TokenLook::waiting, 0.5),
        looks("p99", TokenLook::waiting, 0.99),
        looks("max", TokenLook::waiting, 1));
  }

  private Column<Part> looks(String title, ToDoubleFunction<TokenLook> figure, double share) {
    return column(
        title,
        part ->
            Text.number(
                new Percentiles(
                        results.tokens().stream()
                            .filter(look -> look.hsm().equals(part.name()))
                            .filter(look -> part.phase().seen().contains(look.atNanos()))
                            .mapToDouble(figure))
                    .at(share),
                1));
  }

  /** Of the last phase: timeouts are configured, and do not change. */
  Table ladder() {
    Table table = new Table("timeouts, each within the one before", "", "", "");
    if (!results.tokens().isEmpty()) {
      for (List<TimeoutLadder.Rung> side : results.phases().getLast().seen().ladder().sides()) {
        table.add(
            side.stream()
                .map(rung -> Text.format("%s: %.3f s", rung.what(), rung.seconds()))
                .toArray(String[]::new));
      }
    }
    return table;
  }

  Table recoveries() {
    Table table = new Table("after", "goodput back s", "HSM queue back s");
    for (Figures figures : shown) {
      figures
          .recoveries()
          .forEach(
              recovery ->
                  table.add(
                      figures.seen().phase().name() + ": " + recovery.what(),
                      Text.number(recovery.goodputSeconds(), 1),
                      Text.number(recovery.queueSeconds(), 1)));
    }
    return table;
  }

  /**
   * What goals that are met do not show: the rate at the limit of an HSM that never reached it.
   * Empty if a phase kept the HSM busy.
   */
  Optional<String> notShown() {
    return shown.stream()
        .filter(f -> f.of(Measure.HSM_UTILISATION) >= 0)
        .max(Comparator.comparingDouble(f -> f.of(Measure.HSM_UTILISATION)))
        .filter(f -> f.of(Measure.HSM_UTILISATION) < FULL_HSM)
        .map(
            f ->
                Text.format(
                    "The HSM was never fully used: %.0f %% at most, in phase %s. This run does not show how fast the nodes issue when the HSM is the limit.",
                    100 * f.of(Measure.HSM_UTILISATION), f.seen().phase().name()));
  }

  private List<Part> parts(Function<Figures, Map<String, Map<Measure, Double>>> parts) {
    return shown.stream()
        .flatMap(f -> parts.apply(f).keySet().stream().sorted().map(name -> new Part(f, name)))
        .toList();
  }
}
