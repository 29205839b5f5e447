package org.sluiceca.load.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.sluiceca.load.drive.Exchange;
import org.sluiceca.load.inside.TokenLook;
import org.sluiceca.load.judge.Evidence;
import org.sluiceca.load.judge.Occurrence;
import org.sluiceca.load.judge.Percentiles;
import org.sluiceca.load.judge.PhaseJudge;
import org.sluiceca.load.judge.PhaseRecord;
import org.sluiceca.load.page.Chart;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.plan.HsmPlan;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.watch.HsmFigures;

/** Pictures of a run over load and over time. */
final class Plots {

  /** With fewer loads there is no curve. */
  private static final int CURVE_POINTS_MIN = 3;

  /** A p99 of less is the maximum. */
  private static final double STEP_SECONDS = 5;

  private final Results results;
  private final Plan plan;
  private final Evidence evidence;

  Plots(Results results) {
    this.results = results;
    this.plan = results.plan();
    this.evidence = results.evidence();
  }

  /**
   * Draws what there is to draw and returns the files' names.
   *
   * @throws IOException if files cannot be written, or gnuplot fails
   */
  List<String> draw(Path folder) throws IOException {
    List<String> drawn = new ArrayList<>();
    for (Chart chart : charts()) {
      drawn.add(chart.draw(folder));
    }
    return drawn;
  }

  List<Chart> charts() {
    List<Chart> charts = new ArrayList<>();
    List<PhaseJudge.Figures> loads =
        results.measured().stream().filter(f -> f.seen().phase().crowdSeconds() == 0).toList();
    // One HSM's queue over the load; of several there is no such figure.
    if (plan.hsms().size() == 1
        && loads.stream().map(f -> f.seen().phase().load()).distinct().count()
            >= CURVE_POINTS_MIN) {
      charts.add(curve(loads));
    }
    results.gatling().ifPresent(seen -> charts.addAll(new GatlingPlots(seen).all()));
    if (results.gatling().isEmpty()) {
      charts.add(timeline());
      if (plan.nodes().count() > 1 && !loads.isEmpty()) {
        charts.add(nodes(loads));
      }
    }
    if (plan.hsms().size() > 1) {
      charts.add(waits());
      charts.add(waiting());
    }
    return charts;
  }

  /** With the knee as a line, where there is one. */
  private Chart curve(List<PhaseJudge.Figures> phases) {
    Chart chart =
        new Chart(
                "curve",
                "Issued, the queue of the HSM and latency against offered load",
                "offered, times the capacity of the HSM",
                "certificates/s, jobs")
            .axis("latency in ms, from when it was due")
            .with("set logscale x\nset xtics (0.1, 0.25, 0.5, 0.8, 1, 1.2, 2, 3, 5, 10)\n")
            .formula(Text.format("(x < 1 ? x : 1) * %f", plan.capacity()), "possible")
            .left("certificates/s", "linespoints lw 2")
            .left("queue p50", "linespoints")
            .left("queue p99", "linespoints")
            .left("queue max", "linespoints")
            .right("latency p50 (right)", "linespoints")
            .right("latency p99 (right)", "linespoints");
    for (PhaseJudge.Figures figures : phases) {
      chart.row(
          figures.seen().phase().load(),
          figures.of(Measure.GOODPUT),
          figures.of(Measure.HSM_QUEUE_P50),
          figures.of(Measure.HSM_QUEUE_P99),
          figures.of(Measure.HSM_QUEUE_MAX),
          figures.of(Measure.LATENCY_P50),
          figures.of(Measure.LATENCY_P99));
    }
    double knee =
        results.gatling().map(seen -> seen.figures().getOrDefault("knee", 0.0)).orElse(0.0);
    return knee > 0 ? chart.mark(knee, "knee: " + Text.number(knee, 2)) : chart;
  }

  private Chart timeline() {
    List<String> names = hsms();
    Chart chart =
        new Chart("timeline", "Issuance and the queue of the HSM over time", "s", "certificates/s")
            .axis("jobs in the queue of the HSM")
            .left("certificates/s", "lines lw 2");
    names.forEach(name -> chart.right("queue " + name, "lines"));
    List<List<HsmFigures>> hsms = names.stream().map(this::looks).toList();
    List<HsmFigures> clock = hsms.getFirst();
    long[] issued = evidence.issued().stream().mapToLong(evidence::issuedNanos).sorted().toArray();
    int at = 0;
    for (int i = 1; i < clock.size(); i++) {
      long until = clock.get(i).atNanos();
      long from = clock.get(i - 1).atNanos();
      int count = 0;
      for (; at < issued.length && issued[at] < until; at++) {
        count += issued[at] >= from ? 1 : 0;
      }
      double[] row = new double[2 + hsms.size()];
      row[0] = seconds(until);
      row[1] = until > from ? count * 1e9 / (until - from) : 0;
      for (int h = 0; h < hsms.size(); h++) {
        // Each is looked at as often, and at its own moment of that time.
        row[2 + h] = i < hsms.get(h).size() ? hsms.get(h).get(i).queueNow() : Double.NaN;
      }
      chart.row(row);
    }
    for (PhaseJudge.Figures figures : results.phases()) {
      chart.mark(seconds(figures.seen().fromNanos()), figures.seen().phase().name());
      for (Occurrence occurrence : figures.seen().occurrences()) {
        chart.mark(seconds(occurrence.atNanos()), occurrence.what());
      }
    }
    return chart;
  }

  /** Certificates a second of each node in each phase, by the ledger's rows. */
  private Chart nodes(List<PhaseJudge.Figures> phases) {
    Chart chart = new Chart("per-node", "What each node issued", "node", "certificates/s");
    phases.forEach(figures -> chart.left(figures.seen().phase().name(), "linespoints"));
    for (int node = 0; node < plan.nodes().count(); node++) {
      String name = "node-" + node;
      double[] row = new double[1 + phases.size()];
      row[0] = node;
      for (int i = 0; i < phases.size(); i++) {
        PhaseRecord seen = phases.get(i).seen();
        row[1 + i] =
            evidence.issued().stream()
                    .filter(issued -> issued.outcome().orElseThrow().node().equals(name))
                    .filter(issued -> seen.contains(evidence.issuedNanos(issued)))
                    .count()
                / seen.seconds();
      }
      chart.row(row);
    }
    return chart;
  }

  /** How long each requester waited over time. */
  Chart waits() {
    List<String> requesters =
        results.phases().stream()
            .flatMap(figures -> figures.seen().phase().offers().stream())
            .map(offer -> offer.requester())
            .distinct()
            .toList();
    Chart chart =
        new Chart("waits", "What each requester waited", "s", "ms from due to 201")
            .with("set logscale y\nset yrange [*:*]\n");
    for (String requester : requesters) {
      chart.left(requester + " p50", "lines lw 2").left(requester + " p99", "lines dt 2");
    }
    Map<Long, List<Exchange>> issued =
        evidence.exchanges().stream()
            .filter(Exchange::isIssued)
            .collect(
                Collectors.groupingBy(
                    e -> step(e.dueNanos()), TreeMap::new, Collectors.toUnmodifiableList()));
    issued.forEach(
        (step, exchanges) -> {
          double[] row = new double[1 + 2 * requesters.size()];
          row[0] = middle(step);
          for (int i = 0; i < requesters.size(); i++) {
            String requester = requesters.get(i);
            Percentiles waits =
                new Percentiles(
                    exchanges.stream()
                        .filter(e -> e.request().requester().equals(requester))
                        .mapToDouble(Exchange::latencyMillis));
            row[1 + 2 * i] = waits.at(0.5);
            row[2 + 2 * i] = waits.at(0.99);
          }
          chart.row(row);
        });
    return marked(chart);
  }

  /** What waited for each HSM: in the nodes, and in its own queue; the means of each step. */
  Chart waiting() {
    Chart chart = new Chart("waiting", "What waited for each HSM", "s", "jobs");
    List<Map<Long, Double>> columns = new ArrayList<>();
    for (String hsm : hsms()) {
      chart.left("in nodes for " + hsm, "lines lw 2").left("in " + hsm, "lines dt 2");
      columns.add(
          results.tokens().stream()
              .filter(look -> look.hsm().equals(hsm))
              .collect(
                  Collectors.groupingBy(
                      look -> step(look.atNanos()),
                      Collectors.averagingDouble(TokenLook::waiting))));
      columns.add(
          looks(hsm).stream()
              .collect(
                  Collectors.groupingBy(
                      look -> step(look.atNanos()),
                      Collectors.averagingDouble(HsmFigures::queueNow))));
    }
    columns.stream()
        .flatMap(column -> column.keySet().stream())
        .distinct()
        .sorted()
        .forEach(
            step -> {
              double[] row = new double[1 + columns.size()];
              row[0] = middle(step);
              for (int i = 0; i < columns.size(); i++) {
                row[1 + i] = columns.get(i).getOrDefault(step, Double.NaN);
              }
              chart.row(row);
            });
    return marked(chart);
  }

  private Chart marked(Chart chart) {
    results
        .phases()
        .forEach(f -> chart.mark(seconds(f.seen().fromNanos()), f.seen().phase().name()));
    return chart;
  }

  private List<String> hsms() {
    return plan.hsms().stream().map(HsmPlan::name).toList();
  }

  private List<HsmFigures> looks(String hsm) {
    return evidence.hsms().getOrDefault(hsm, List.of());
  }

  private double seconds(long nanos) {
    return (nanos - results.start()) / 1e9;
  }

  private long step(long nanos) {
    return (long) Math.floor(seconds(nanos) / STEP_SECONDS);
  }

  private static double middle(long step) {
    return (step + 0.5) * STEP_SECONDS;
  }
}
