package org.sluiceca.load.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.sluiceca.load.drive.Exchange;
import org.sluiceca.load.inside.TokenLook;
import org.sluiceca.load.judge.Percentiles;
import org.sluiceca.load.judge.PhaseJudge;
import org.sluiceca.load.page.Gnuplot;
import org.sluiceca.load.plan.HsmPlan;
import org.sluiceca.load.watch.HsmFigures;

/**
 * How long each requester waited over time, above what waited for each HSM: in the nodes, and in
 * its own queue.
 */
final class WaitPlot {

  /** A p99 of less is the maximum. */
  private static final double STEP_SECONDS = 5;

  private final Results results;
  private final long start;
  private final List<String> requesters;
  private final List<String> hsms;

  WaitPlot(Results results) {
    this.results = results;
    this.start = results.phases().getFirst().seen().fromNanos();
    this.requesters =
        results.phases().stream()
            .flatMap(figures -> figures.seen().phase().offers().stream())
            .map(offer -> offer.requester())
            .distinct()
            .toList();
    this.hsms = results.plan().hsms().stream().map(HsmPlan::name).toList();
  }

  /** Columns: second; p50 and p99 of each requester in ms; waiting in nodes, in the HSM of each. */
  String data() {
    Map<Long, List<Exchange>> issued =
        results.evidence().exchanges().stream()
            .filter(Exchange::isIssued)
            .collect(
                Collectors.groupingBy(
                    e -> step(e.dueNanos()), TreeMap::new, Collectors.toUnmodifiableList()));
    StringBuilder data = new StringBuilder("# second, p50 and p99 ms of each, jobs of each HSM\n");
    for (Map.Entry<Long, List<Exchange>> entry : issued.entrySet()) {
      double[] row = new double[1 + 2 * requesters.size() + 2 * hsms.size()];
      int column = 0;
      row[column++] = (entry.getKey() + 0.5) * STEP_SECONDS;
      for (String requester : requesters) {
        Percentiles waits =
            new Percentiles(
                entry.getValue().stream()
                    .filter(e -> e.request().requester().equals(requester))
                    .mapToDouble(Exchange::latencyMillis));
        row[column++] = waits.at(0.5);
        row[column++] = waits.at(0.99);
      }
      for (String hsm : hsms) {
        row[column++] = waitingInNodes(hsm, entry.getKey());
        row[column++] = waitingInHsm(hsm, entry.getKey());
      }
      data.append(Gnuplot.row(row));
    }
    return data.toString();
  }

  private long step(long nanos) {
    return Math.floorDiv(nanos - start, (long) (STEP_SECONDS * 1e9));
  }

  /** The mean of the looks in this step. */
  private double waitingInNodes(String hsm, long step) {
    return results.tokens().stream()
        .filter(look -> look.hsm().equals(hsm) && step(look.atNanos()) == step)
        .mapToDouble(TokenLook::waiting)
        .average()
        .orElse(Double.NaN);
  }

  private double waitingInHsm(String hsm, long step) {
    return results.evidence().hsms().getOrDefault(hsm, List.of()).stream()
        .filter(look -> step(look.atNanos()) == step)
        .mapToDouble(HsmFigures::queueNow)
        .average()
        .orElse(Double.NaN);
  }

  /** Returns the words of gnuplot. */
  String script() {
    StringBuilder script =
        new StringBuilder(
            """
            set terminal svg size 900,760 font 'sans,12' background '#ffffff'
            set grid
            set key outside bottom center horizontal
            set xlabel 's'
            set multiplot layout 2,1
            set logscale y
            set ylabel 'ms from due to 201'
            set title 'What each requester waited'
            """);
    for (PhaseJudge.Figures figures : results.phases()) {
      Plots.mark(script, figures.seen().phase().name(), figures.seen().fromNanos() - start);
    }
    List<String> lines = new ArrayList<>();
    int column = 2;
    for (String requester : requesters) {
      lines.add(line(column++, requester + " p50", "lines lw 2"));
      lines.add(line(column++, requester + " p99", "lines dt 2"));
    }
    plot(script, lines);
    script.append("unset logscale y\nset yrange [0:*]\nset ylabel 'jobs'\n");
    script.append("set title 'What waited for each HSM'\nunset label\n");
    lines.clear();
    for (String hsm : hsms) {
      lines.add(line(column++, "in nodes for " + hsm, "lines lw 2"));
      lines.add(line(column++, "in " + hsm, "lines dt 2"));
    }
    plot(script, lines);
    return script.append("unset multiplot\n").toString();
  }

  private static String line(int column, String title, String style) {
    return Plots.format("using 1:%d with %s title '%s' noenhanced", column, style, title);
  }

  private static void plot(StringBuilder script, List<String> lines) {
    script.append("plot 'waits.tsv' ").append(String.join(", '' ", lines)).append('\n');
  }
}
