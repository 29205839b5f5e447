package org.sluiceca.load.scenario.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.sluiceca.load.judge.PhaseJudge;
import org.sluiceca.load.page.Gnuplot;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.scenario.Figure;
import org.sluiceca.load.scenario.judge.NodeLook;
import org.sluiceca.load.scenario.judge.ScenarioResults;
import org.sluiceca.load.scenario.judge.ScenarioResults.Moment;
import org.sluiceca.load.scenario.judge.Watched;

/**
 * Pictures over time: rates, latencies, queues, memory; and over load, where a knee is looked for.
 */
final class ScenarioPlots {

  private static final String HEAD =
      """
      set terminal svg size 900,360 font 'sans,12' background '#ffffff'
      set key outside top center horizontal
      set grid
      set yrange [0:*]
      set samples 1000
      """;

  private static final String TWO_AXES = "set y2tics\nset ytics nomirror\nset y2range [0:*]\n";

  /** More points are not seen in a picture, and are much to keep. */
  private static final int POINTS_MAX = 600;

  /** Figures of a phase are taken some milliseconds after the one before has ended. */
  private static final long GAP_MILLIS = 900;

  private final ScenarioResults results;
  private final Gnuplot gnuplot;
  private final long start;

  ScenarioPlots(ScenarioResults results, Path folder) {
    this.results = results;
    this.gnuplot = new Gnuplot(folder);
    this.start = results.watched().stream().mapToLong(Watched::fromMillis).min().orElse(0);
  }

  /** Returns the files' names. */
  List<String> draw() throws IOException {
    List<String> drawn = new ArrayList<>();
    if (!results.scenario().knee().isEmpty()) {
      drawn.add(knee());
    }
    drawn.add(rates());
    drawn.add(latencies());
    if (!results.looks().isEmpty()) {
      drawn.add(queues());
      drawn.add(memory());
    }
    return drawn;
  }

  /** With the knee itself as a line, where there is one. */
  private String knee() throws IOException {
    double knee = results.figures().getOrDefault(Figure.KNEE.key(), 0.0);
    String mark =
        knee > 0
            ? Text.format(
                """
                set arrow from %f, graph 0 to %f, graph 1 nohead dt 3
                set label 'knee: %s' at %f, graph 0.95 right offset -0.5,0
                """,
                knee, knee, Text.number(knee, 2), knee)
            : "";
    StringBuilder data = new StringBuilder("# load issued/s p50 p99\n");
    for (PhaseJudge.Figures figures : results.measured()) {
      data.append(
          Gnuplot.row(
              figures.seen().phase().load(),
              figures.of(Measure.GOODPUT),
              figures.of(Measure.LATENCY_P50),
              figures.of(Measure.LATENCY_P99)));
    }
    double capacity = results.scenario().plan().capacity();
    return gnuplot.draw(
        "knee",
        data.toString(),
        HEAD
            + TWO_AXES
            + mark
            + Text.format(
                """
                set title 'Issued and latency against offered load'
                set xlabel 'offered, times the capacity of the HSM'
                set ylabel 'certificates/s'
                set y2label 'latency in ms, from when it was due'
                plot (x < 1 ? x : 1) * %f title 'possible' dt 2,\\
                  'knee.tsv' using 1:2 with linespoints lw 2 title 'issued',\\
                  '' using 1:3 axes x1y2 with linespoints title 'latency p50 (right)',\\
                  '' using 1:4 axes x1y2 with linespoints title 'latency p99 (right)'
                """,
                capacity));
  }

  private String rates() throws IOException {
    return gnuplot.draw(
        "rates",
        moments(),
        HEAD
            + """
            set title 'Offered and issued'
            set ylabel 'certificates/s'
            """
            + axis()
            + """
            plot 'rates.tsv' using 1:2 with lines title 'offered',\\
              '' using 1:3 with lines lw 2 title 'issued'
            """);
  }

  private String latencies() throws IOException {
    return gnuplot.draw(
        "latency",
        moments(),
        HEAD
            + """
            set title 'Latency of 201, by when the request was due'
            set ylabel 'ms from when it was due'
            """
            + axis()
            + """
            plot 'latency.tsv' using 1:4 with lines lw 2 title 'p50',\\
              '' using 1:5 with lines title 'p99'
            """);
  }

  private String moments() {
    StringBuilder data = new StringBuilder("# time offered/s issued/s p50 p99\n");
    long last = start;
    for (Moment moment : thinned(results.moments())) {
      data.append(gap(last, moment.epochMillis()));
      last = moment.epochMillis();
      data.append(
          Gnuplot.row(
              time(moment.epochMillis()),
              moment.offered(),
              moment.issued(),
              moment.p50Millis(),
              moment.p99Millis()));
    }
    return data.toString();
  }

  /** A line through a time without measurements would mislead: an empty line interrupts it. */
  private String gap(long fromMillis, long untilMillis) {
    return results.watched().stream()
            .anyMatch(
                at ->
                    at.fromMillis() > fromMillis
                        && at.fromMillis() <= untilMillis
                        && hasGapBefore(at))
        ? "\n"
        : "";
  }

  private boolean hasGapBefore(Watched phase) {
    return results.watched().stream()
        .mapToLong(Watched::untilMillis)
        .filter(until -> until <= phase.fromMillis() + GAP_MILLIS)
        .max()
        .stream()
        .allMatch(until -> until < phase.fromMillis() - GAP_MILLIS);
  }

  private String queues() throws IOException {
    StringBuilder data =
        new StringBuilder("# time waiting inflight window hsm-queue oldest line\n");
    for (List<NodeLook> moment : thinned(moments(results.looks()))) {
      data.append(
          Gnuplot.row(
              time(moment.getFirst().epochMillis()),
              moment.stream().mapToInt(NodeLook::waiting).sum(),
              moment.stream().mapToInt(NodeLook::inflight).sum(),
              moment.stream().mapToInt(NodeLook::limit).sum(),
              moment.getFirst().hsmQueue(),
              moment.stream().mapToDouble(NodeLook::oldestSeconds).max().orElse(0),
              moment.stream().mapToInt(NodeLook::depth).sum()));
    }
    return gnuplot.draw(
        "queue",
        data.toString(),
        HEAD
            + TWO_AXES
            + """
            set title 'Queues of nodes and HSM'
            set ylabel 'requests and jobs'
            set y2label 'age of the oldest in s'
            """
            + axis()
            + """
            plot 'queue.tsv' using 1:7 with lines title 'on the line',\\
              '' using 1:2 with lines lw 2 title 'of them waiting in nodes',\\
              '' using 1:3 with lines title 'in the HSM',\\
              '' using 1:4 with lines dt 2 title 'the windows of all nodes',\\
              '' using 1:5 with lines title 'of them waiting in it',\\
              '' using 1:6 axes x1y2 with lines dt 3 title 'oldest (right)'
            """);
  }

  /** A column for each node, whichever life it is in. */
  private String memory() throws IOException {
    List<Integer> nodes = results.looks().stream().map(NodeLook::node).distinct().sorted().toList();
    StringBuilder data = new StringBuilder("# time, resident MB of each node\n");
    for (List<NodeLook> moment : thinned(moments(results.looks()))) {
      double[] row = new double[1 + nodes.size()];
      row[0] = time(moment.getFirst().epochMillis());
      for (int i = 0; i < nodes.size(); i++) {
        int node = nodes.get(i);
        row[1 + i] =
            moment.stream()
                .filter(look -> look.node() == node)
                .mapToDouble(NodeLook::rssMegabytes)
                .findFirst()
                .orElse(Double.NaN);
      }
      data.append(Gnuplot.row(row));
    }
    StringBuilder script = new StringBuilder(HEAD);
    script
        .append("set title 'Resident memory of the nodes'\nset ylabel 'MB of 2^{20} bytes'\n")
        .append(axis());
    script.append("plot ");
    for (int i = 0; i < nodes.size(); i++) {
      script.append(i == 0 ? "'memory.tsv'" : ", ''");
      script.append(Text.format(" using 1:%d with lines title 'node %d'", 2 + i, nodes.get(i)));
    }
    return gnuplot.draw("memory", data.toString(), script.append('\n').toString());
  }

  private static List<List<NodeLook>> moments(List<NodeLook> looks) {
    Map<Long, List<NodeLook>> byTime =
        looks.stream()
            .collect(
                Collectors.groupingBy(NodeLook::epochMillis, TreeMap::new, Collectors.toList()));
    return List.copyOf(byTime.values());
  }

  private static <T> List<T> thinned(List<T> all) {
    int step = Math.max(1, Math.ceilDiv(all.size(), POINTS_MAX));
    List<T> some = new ArrayList<>();
    for (int i = 0; i < all.size(); i += step) {
      some.add(all.get(i));
    }
    return some;
  }

  /** Where a few phases are, that is seen; a soak's segments are all alike. */
  private String axis() {
    StringBuilder script = new StringBuilder("set xrange [0:*]\nset xlabel '" + unit() + "'\n");
    if (results.watched().size() <= 12) {
      for (Watched watched : results.watched()) {
        double at = time(watched.fromMillis());
        script.append(
            Text.format(
                """
                set arrow from %f, graph 0 to %f, graph 1 nohead dt 3
                set label '%s' at %f, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
                """,
                at, at, watched.phase(), at));
      }
    }
    return script.toString();
  }

  private boolean isLong() {
    return results.watched().getLast().untilMillis() - start > 1_200_000;
  }

  private String unit() {
    return isLong() ? "minutes from the beginning" : "seconds from the beginning";
  }

  private double time(long epochMillis) {
    return (epochMillis - start) / (isLong() ? 60_000.0 : 1000.0);
  }
}
