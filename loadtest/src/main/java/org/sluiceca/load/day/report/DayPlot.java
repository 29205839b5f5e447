package org.sluiceca.load.day.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.sluiceca.load.day.DayRun;
import org.sluiceca.load.day.state.Costs;
import org.sluiceca.load.day.state.MarkFigures;
import org.sluiceca.load.page.Gnuplot;

/**
 * Certificates a second, what one costs, and how long requests take, over the number of stored
 * certificates, in one picture.
 */
record DayPlot(DayRun.Result result) {

  private static final String HEAD =
      """
      set terminal svg size 900,1080 dynamic background 'white' font 'sans,12'
      set logscale x
      set format x '10^{%T}'
      set xrange [1000:*]
      set yrange [0:*]
      set grid
      set key outside right top
      set multiplot layout 3,1
      """;

  private static final String RATE =
      """
      set title 'Issuance over the number of stored certificates'
      set ylabel 'certificates/s'
      plot 'day.tsv' index 0 using 1:2 with linespoints pt 7 ps 0.3 notitle
      """;

  private static final String COSTS =
      """
      set title 'Processors a certificate'
      set ylabel 'microseconds'
      plot 'day.tsv' index 0 using 1:3 with linespoints pt 7 ps 0.3 title 'nodes',\\
        '' index 0 using 1:4 with linespoints pt 7 ps 0.3 title 'database',\\
        '' index 0 using 1:5 with linespoints pt 7 ps 0.3 title 'client'
      """;

  private static final String TIMES =
      """
      set title 'Time of one request at each mark'
      set ylabel 'ms'
      set xlabel 'stored certificates'
      set logscale y
      set yrange [*:*]
      plot 'day.tsv' index 1 using 1:2 with linespoints title 'single enrollment, p50',\\
        '' index 1 using 1:3 with linespoints title 'single enrollment, p99',\\
        '' index 1 using 1:4 with linespoints title 'by exact name, p50',\\
        '' index 1 using 1:5 with linespoints title 'by prefix, p50',\\
        '' index 1 using 1:6 with linespoints title 'by requester, p50',\\
        '' index 1 using 1:7 with linespoints title 'by serial number, p50',\\
        '' index 1 using 1:8 with linespoints title 'OCSP, p50'
      unset multiplot
      """;

  /** Draws it, and returns its file's name; empty if there is nothing to draw yet. */
  Optional<String> draw(Path out) throws IOException {
    if (result.history().costs().curve().isEmpty() && result.marks().isEmpty()) {
      return Optional.empty();
    }
    // gnuplot takes a plot without a point for an error.
    String script =
        HEAD
            + (result.history().costs().curve().isEmpty() ? "" : RATE + COSTS)
            + (result.marks().isEmpty() ? "" : TIMES);
    return Optional.of(new Gnuplot(out).draw("day", data(), script));
  }

  private String data() {
    StringBuilder data =
        new StringBuilder("# stored certificates/s node-us database-us client-us\n");
    for (Costs.Cost cost : result.history().costs().curve()) {
      data.append(
          Gnuplot.row(
              (double) cost.stored(),
              cost.perSecond(),
              cost.nodeMicros(),
              cost.databaseMicros(),
              cost.clientMicros()));
    }
    data.append("\n\n# stored, milliseconds as in the script\n");
    for (MarkFigures mark : result.marks()) {
      data.append(
          Gnuplot.row(
              (double) mark.stored(),
              p50(mark, "single enrollment"),
              of(mark, "single enrollment", MarkFigures.Latency::p99),
              p50(mark, "by exact name"),
              p50(mark, "by prefix of a name"),
              p50(mark, "by requester, valid"),
              p50(mark, "by serial number"),
              p50(mark, "OCSP, first time")));
    }
    return data.toString();
  }

  private static double p50(MarkFigures mark, String kind) {
    return of(mark, kind, MarkFigures.Latency::p50);
  }

  private static double of(
      MarkFigures mark, String kind, ToDoubleFunction<MarkFigures.Latency> figure) {
    MarkFigures.Latency latency = mark.latencies().get(kind);
    return latency == null ? Double.NaN : figure.applyAsDouble(latency);
  }
}
