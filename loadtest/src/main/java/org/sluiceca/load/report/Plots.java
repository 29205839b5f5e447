package org.sluiceca.load.report;

import com.google.errorprone.annotations.FormatMethod;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.sluiceca.load.judge.Evidence;
import org.sluiceca.load.judge.Occurrence;
import org.sluiceca.load.judge.PhaseJudge;
import org.sluiceca.load.page.Gnuplot;
import org.sluiceca.load.plan.HsmPlan;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.watch.HsmFigures;

/** Pictures by gnuplot: its input is written next to them, so that a reader can redraw them. */
public final class Plots {

  /** With fewer loads there is no curve. */
  private static final int CURVE_POINTS_MIN = 3;

  private static final String HEAD =
      """
      set terminal svg size 900,480 font 'sans,12' background '#ffffff'
      set key outside bottom center horizontal
      set grid
      set y2tics
      set ytics nomirror
      set yrange [0:*]
      set y2range [0:*]
      set ylabel 'certificates/s'
      set y2label 'jobs in the queue of the HSM'
      """;

  private final Results results;
  private final Gnuplot gnuplot;

  /** Draws into {@code folder}. */
  public Plots(Results results, Path folder) {
    this.results = results;
    this.gnuplot = new Gnuplot(folder);
  }

  /**
   * Draws what there is to draw and returns the files' names.
   *
   * @throws IOException if files cannot be written, or gnuplot fails
   */
  public List<String> draw() throws IOException {
    List<String> drawn = new ArrayList<>();
    List<PhaseJudge.Figures> curve =
        results.phases().stream()
            .filter(figures -> figures.seen().phase().crowdSeconds() == 0)
            .filter(figures -> !figures.seen().phase().name().equals(Plan.WARM_UP))
            .toList();
    // One HSM's queue over the load; of several there is no such figure.
    if (results.plan().hsms().size() == 1
        && curve.stream().map(f -> f.seen().phase().load()).distinct().count()
            >= CURVE_POINTS_MIN) {
      drawn.add(drawCurve(curve));
    }
    drawn.add(drawTimeline());
    if (results.plan().hsms().size() > 1) {
      WaitPlot waits = new WaitPlot(results);
      drawn.add(gnuplot.draw("waits", waits.data(), waits.script()));
    }
    return drawn;
  }

  private String drawCurve(List<PhaseJudge.Figures> phases) throws IOException {
    StringBuilder data = new StringBuilder("# load goodput queue-p50 queue-p99 queue-max p99-ms\n");
    for (PhaseJudge.Figures figures : phases) {
      data.append(
          Gnuplot.row(
              figures.seen().phase().load(),
              figures.of(Measure.GOODPUT),
              figures.of(Measure.HSM_QUEUE_P50),
              figures.of(Measure.HSM_QUEUE_P99),
              figures.of(Measure.HSM_QUEUE_MAX),
              figures.of(Measure.LATENCY_P99)));
    }
    String script =
        HEAD
            + """
            set title 'Issuance and the queue of the HSM against offered load'
            set logscale x
            set xtics (0.1, 0.25, 0.5, 0.8, 1, 1.2, 2, 3, 5, 10)
            set xlabel 'offered, times the capacity of the HSM'
            plot (x < 1 ? x : 1) * CAPACITY axes x1y1 title 'possible' dt 2,\\
              'curve.tsv' using 1:2 with linespoints lw 2 title 'certificates/s',\\
              '' using 1:3 axes x1y2 with linespoints title 'queue p50',\\
              '' using 1:4 axes x1y2 with linespoints title 'queue p99',\\
              '' using 1:5 axes x1y2 with linespoints title 'queue max'
            """
                .replace("CAPACITY", format("%f", results.plan().capacity()));
    return gnuplot.draw("curve", data.toString(), script);
  }

  private String drawTimeline() throws IOException {
    Evidence evidence = results.evidence();
    long start = results.phases().getFirst().seen().fromNanos();
    List<String> names = results.plan().hsms().stream().map(HsmPlan::name).toList();
    List<List<HsmFigures>> hsms =
        names.stream().map(name -> evidence.hsms().getOrDefault(name, List.of())).toList();
    List<HsmFigures> clock = hsms.getFirst();
    long[] issued = evidence.issued().stream().mapToLong(evidence::issuedNanos).sorted().toArray();
    StringBuilder data = new StringBuilder("# second certificates/s, queue of each HSM\n");
    int at = 0;
    for (int i = 1; i < clock.size(); i++) {
      long until = clock.get(i).atNanos();
      long from = clock.get(i - 1).atNanos();
      int count = 0;
      for (; at < issued.length && issued[at] < until; at++) {
        count += issued[at] >= from ? 1 : 0;
      }
      double[] row = new double[2 + hsms.size()];
      row[0] = (until - start) / 1e9;
      row[1] = until > from ? count * 1e9 / (until - from) : 0;
      for (int h = 0; h < hsms.size(); h++) {
        // Each is looked at as often, and at its own moment of that time.
        row[2 + h] = i < hsms.get(h).size() ? hsms.get(h).get(i).queueNow() : Double.NaN;
      }
      data.append(Gnuplot.row(row));
    }
    StringBuilder script = new StringBuilder(HEAD);
    script.append("set title 'Issuance and the queue of the HSM over time'\nset xlabel 's'\n");
    for (PhaseJudge.Figures figures : results.phases()) {
      mark(script, figures.seen().phase().name(), figures.seen().fromNanos() - start);
      for (Occurrence occurrence : figures.seen().occurrences()) {
        mark(script, occurrence.what(), occurrence.atNanos() - start);
      }
    }
    script.append("plot 'timeline.tsv' using 1:2 with lines lw 2 title 'certificates/s'");
    for (int h = 0; h < names.size(); h++) {
      String title = names.size() == 1 ? "queue" : "queue " + names.get(h);
      script.append(
          format(", '' using 1:%d axes x1y2 with lines title '%s' noenhanced", 3 + h, title));
    }
    return gnuplot.draw("timeline", data.toString(), script.append('\n').toString());
  }

  static void mark(StringBuilder script, String what, long nanos) {
    double second = nanos / 1e9;
    script.append(
        format("set arrow from %f, graph 0 to %f, graph 1 nohead dt 3\n", second, second));
    script.append(
        format(
            "set label '%s' at %f, graph 0.98 rotate by 90 right font ',9' noenhanced\n",
            what.replace("'", ""), second));
  }

  @FormatMethod
  static String format(String form, Object... values) {
    return String.format(Locale.ROOT, form, values);
  }
}
