package org.sluiceca.load.day.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.sluiceca.load.day.DayRun;
import org.sluiceca.load.day.state.Costs;
import org.sluiceca.load.day.state.MarkFigures;
import org.sluiceca.load.page.Chart;

/**
 * Certificates a second, what one costs, and how long requests take, each in a picture over the
 * number of stored certificates.
 */
record DayPlot(DayRun.Result result) {

  private static final String STYLE = "linespoints pt 7 ps 0.3";
  private static final String SINGLE = "single enrollment";

  private static final List<String> KINDS =
      List.of(
          SINGLE,
          "by exact name",
          "by prefix of a name",
          "by requester, valid",
          "by serial number",
          "OCSP, first time");

  /** Draws them, and returns their files' names; none of what there is nothing of yet. */
  List<String> draw(Path out) throws IOException {
    List<Chart> charts = new ArrayList<>();
    List<Costs.Cost> curve = result.history().costs().curve();
    // gnuplot takes a plot without a point for an error.
    if (!curve.isEmpty()) {
      Chart rate = chart("rate", "Issuance", "certificates/s").left("certificates/s", STYLE);
      Chart costs = chart("costs", "Processors a certificate", "microseconds");
      List.of("nodes", "database", "client").forEach(part -> costs.left(part, STYLE));
      for (Costs.Cost cost : curve) {
        rate.row((double) cost.stored(), cost.perSecond());
        costs.row(
            (double) cost.stored(), cost.nodeMicros(), cost.databaseMicros(), cost.clientMicros());
      }
      charts.addAll(List.of(rate, costs));
    }
    if (!result.marks().isEmpty()) {
      charts.add(times());
    }
    List<String> drawn = new ArrayList<>();
    for (Chart chart : charts) {
      drawn.add(chart.draw(out));
    }
    return drawn;
  }

  private Chart times() {
    Chart times =
        chart("times", "Time of one request at each mark", "ms")
            .with("set logscale y\nset yrange [*:*]\n")
            .left(SINGLE + ", p99", "linespoints");
    KINDS.forEach(kind -> times.left(kind + ", p50", "linespoints"));
    for (MarkFigures mark : result.marks()) {
      times.row(
          DoubleStream.concat(
                  DoubleStream.of(
                      (double) mark.stored(), of(mark, SINGLE, MarkFigures.Latency::p99)),
                  KINDS.stream().mapToDouble(kind -> of(mark, kind, MarkFigures.Latency::p50)))
              .toArray());
    }
    return times;
  }

  private static Chart chart(String name, String title, String up) {
    return new Chart(name, title, "stored certificates", up)
        .with("set logscale x\nset format x '10^{%T}'\nset xrange [1000:*]\n");
  }

  private static double of(
      MarkFigures mark, String kind, ToDoubleFunction<MarkFigures.Latency> figure) {
    MarkFigures.Latency latency = mark.latencies().get(kind);
    return latency == null ? Double.NaN : figure.applyAsDouble(latency);
  }
}
