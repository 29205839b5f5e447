package org.sluiceca.load.report;

import static org.sluiceca.load.page.Table.column;
import static org.sluiceca.load.report.FigureColumns.number;
import static org.sluiceca.load.report.FigureColumns.percent;
import static org.sluiceca.load.report.FigureColumns.phase;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.sluiceca.load.judge.PhaseJudge;
import org.sluiceca.load.page.Table;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.report.FigureColumns.Part;
import org.sluiceca.load.watch.ProcessTimes;

/** The summary's tables of figures by phase: of all, of each HSM, of each requester. */
public final class FigureTables {

  private final Results results;

  FigureTables(Results results) {
    this.results = results;
  }

  /** Returns a row of figures of each phase. */
  Table phases() {
    return Table.of(
        results.phases().stream().map(FigureColumns::all).toList(),
        phase(),
        number("offered/s", Measure.OFFERED, 0),
        number("certs/s", Measure.GOODPUT, 1),
        percent("of possible", Measure.GOODPUT_SHARE),
        percent("HSM busy", Measure.HSM_UTILISATION),
        number("HSM queue p50", Measure.HSM_QUEUE_P50, 0),
        number("p99", Measure.HSM_QUEUE_P99, 0),
        number("max", Measure.HSM_QUEUE_MAX, 0),
        number("HSM refused", Measure.HSM_REFUSED, 0),
        number("201 p50 ms", Measure.LATENCY_P50, 0),
        number("p99 ms", Measure.LATENCY_P99, 0),
        percent("202", Measure.LATER_SHARE),
        percent("refused", Measure.REFUSED_SHARE),
        percent("Retry-After", Measure.RETRY_AFTER_SHARE),
        number("Jain nodes", Measure.JAIN_NODES, 3),
        number("requesters", Measure.JAIN_REQUESTERS, 3),
        percent("unanswered", Measure.UNANSWERED_SHARE),
        percent("unsent", Measure.UNSENT_SHARE),
        number("sent late p99 ms", Measure.LATE_P99, 0),
        percent("CPU busy", Measure.PROCESSORS_BUSY),
        number("load", Measure.LOAD_AVERAGE, 1));
  }

  /** Returns a row of each HSM in each phase; none if there is one HSM. */
  Table hsms() {
    return Table.of(
        results.plan().hsms().size() > 1
            ? parts(results.phases(), PhaseJudge.Figures::hsms)
            : List.of(),
        phase(),
        column("HSM", Part::name),
        number("signed/s", Measure.HSM_SIGNED, 1),
        percent("busy", Measure.HSM_UTILISATION),
        number("queue p50", Measure.HSM_QUEUE_P50, 0),
        number("p99", Measure.HSM_QUEUE_P99, 0),
        number("max", Measure.HSM_QUEUE_MAX, 0),
        number("refused", Measure.HSM_REFUSED, 0),
        number("signs again s", Measure.HSM_SIGNS_AGAIN, 1));
  }

  /** Returns a row of each requester in each of these phases that has several. */
  public static Table requesters(List<PhaseJudge.Figures> phases) {
    return Table.of(
        parts(
            phases.stream().filter(figures -> figures.requesters().size() > 1).toList(),
            PhaseJudge.Figures::requesters),
        phase(),
        column("requester", Part::name),
        number("offered/s", Measure.OFFERED, 1),
        number("certs/s", Measure.GOODPUT, 1),
        percent("of offered", Measure.GOODPUT_SHARE),
        percent("of the HSM's time", Measure.TIME_SHARE),
        number("201 p50 ms", Measure.LATENCY_P50, 0),
        number("p99 ms", Measure.LATENCY_P99, 0),
        percent("202", Measure.LATER_SHARE),
        percent("refused", Measure.REFUSED_SHARE),
        percent("failed", Measure.FAILED_SHARE));
  }

  /** Returns what used the processors. */
  Table processors() {
    return Table.of(
        results.phases().stream().map(FigureColumns::all).toList(),
        phase(),
        used("CPU of nodes", ProcessTimes::nodes),
        used("of PostgreSQL", ProcessTimes::database),
        used("of the generator", ProcessTimes::generator),
        used("of all", ProcessTimes::busy));
  }

  private static Table.Column<Part> used(String title, Function<ProcessTimes, Long> ticks) {
    return column(
        title,
        part -> {
          ProcessTimes used = part.phase().seen().used();
          return Text.percent(used.share(ticks.apply(used)));
        });
  }

  private static List<Part> parts(
      List<PhaseJudge.Figures> phases,
      Function<PhaseJudge.Figures, Map<String, Map<Measure, Double>>> parts) {
    return phases.stream()
        .flatMap(f -> parts.apply(f).keySet().stream().sorted().map(name -> new Part(f, name)))
        .toList();
  }
}
