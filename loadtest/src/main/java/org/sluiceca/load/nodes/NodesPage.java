package org.sluiceca.load.nodes;

import static org.sluiceca.load.page.Table.column;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.sluiceca.load.page.Chart;
import org.sluiceca.load.page.Json;
import org.sluiceca.load.page.Page;
import org.sluiceca.load.page.Table;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.plan.Measure;

/** One table, some pictures and one verdict of runs with several numbers of nodes. */
final class NodesPage {

  private final List<NodesRun> runs;
  private final List<NodesGoals.Verdict> verdicts;
  private final int servers;

  /** Creates a page of runs in the order of their nodes, on an HSM of {@code servers} servers. */
  NodesPage(List<NodesRun> runs, int servers) {
    this.runs = List.copyOf(runs);
    this.servers = servers;
    this.verdicts = NodesGoals.judge(runs, servers);
  }

  long missed() {
    return verdicts.stream().filter(verdict -> !verdict.isMet()).count();
  }

  Page page(List<String> pictures) {
    return new Page("The same HSM at the same load, shared by several nodes")
        .paragraph(
            Text.format(
                "HSM of %s signatures/s, %d servers. Each run on a trial of its own, in its folder here; what each figure is: docs/performance/LOAD.md of the sources.",
                Text.grouped(runs.getFirst().capacity(), 0), servers))
        .paragraph(
            runs.getFirst().machine().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> entry.getKey() + ": " + entry.getValue() + ".")
                .collect(Collectors.joining(" ")))
        .table(figures())
        .paragraph(more())
        .pictures(pictures)
        .paragraph(missed() == 0 ? "All goals met." : missed() + " goals MISSED.")
        .table(judged());
  }

  /** One load on one number of nodes. */
  private record Loaded(NodesRun run, NodesRun.Load seen) {
    private String number(Measure measure, int digits) {
      return Text.grouped(seen.of(measure), digits);
    }

    private String both(Measure one, Measure other) {
      return number(one, 0) + ", " + number(other, 0);
    }

    private String percent(Measure measure) {
      return Text.percent(seen.of(measure));
    }
  }

  private List<String> loads() {
    return runs.getFirst().loads().stream().map(NodesRun.Load::name).toList();
  }

  private List<Loaded> loaded(String load) {
    return runs.stream()
        .flatMap(run -> run.load(load).stream().map(seen -> new Loaded(run, seen)))
        .toList();
  }

  private Table figures() {
    return Table.of(
        loads().stream().flatMap(load -> loaded(load).stream()).toList(),
        column("load", it -> it.seen().name()),
        column("nodes", it -> "" + it.run().nodes()),
        column("asked/s", it -> it.number(Measure.OFFERED, 1)),
        column("certificates/s", it -> it.number(Measure.GOODPUT, 1)),
        column("HSM busy", it -> it.percent(Measure.HSM_UTILISATION)),
        column("HSM queue p50, p99", it -> it.both(Measure.HSM_QUEUE_P50, Measure.HSM_QUEUE_P99)),
        column("answer p50, p99 ms", it -> it.both(Measure.LATENCY_P50, Measure.LATENCY_P99)),
        column(
            "CPU us a certificate: nodes, database",
            it -> it.both(Measure.NODE_MICROS, Measure.DATABASE_MICROS)),
        column("a node's memory MB", it -> it.number(Measure.NODE_MEMORY, 0)),
        column("Jain", it -> it.number(Measure.JAIN_NODES, 3)),
        column("refused", it -> it.percent(Measure.REFUSED_SHARE)),
        column("processors busy", it -> it.percent(Measure.PROCESSORS_BUSY)),
        column("load average", it -> it.number(Measure.LOAD_AVERAGE, 1)));
  }

  /** What one node more takes while the work stays the same: mostly what it does when idle. */
  private String more() {
    StringBuilder text = new StringBuilder();
    for (String load : loads()) {
      Loaded few = loaded(load).getFirst();
      Loaded many = loaded(load).getLast();
      int nodes = many.run().nodes() - few.run().nodes();
      if (nodes > 0) {
        text.append(
            Text.format(
                "A node more takes %s %% of a processor at %s, with the database's part.\n",
                Text.grouped(100 * (cores(many.seen()) - cores(few.seen())) / nodes, 1), load));
      }
    }
    return text.toString();
  }

  private static double cores(NodesRun.Load load) {
    return load.of(Measure.GOODPUT)
        * (load.of(Measure.NODE_MICROS) + load.of(Measure.DATABASE_MICROS))
        / 1e6;
  }

  private Table judged() {
    return Table.of(
        verdicts,
        column("nodes", it -> "" + it.nodes()),
        column("load", NodesGoals.Verdict::load),
        column("goal", NodesGoals.Verdict::goal),
        column("seen", it -> Text.grouped(it.value(), 3)),
        column("", it -> it.isMet() ? "met" : "MISSED"));
  }

  String json() {
    return Json.text(
        Map.of(
            "goalsMissed",
            missed(),
            "machine",
            runs.getFirst().machine(),
            "runs",
            runs,
            "goals",
            verdicts));
  }

  /**
   * Draws all of it over the number of nodes, and returns the pictures' names.
   *
   * @throws IOException if gnuplot fails
   */
  List<String> draw(Path folder) throws IOException {
    List<Chart> charts =
        List.of(
            chart("rates", "certificates/s", Measure.GOODPUT),
            chart(
                "processors",
                "CPU, us a certificate",
                Measure.NODE_MICROS,
                Measure.DATABASE_MICROS),
            chart(
                "latency",
                "answer, ms from when it was due",
                Measure.LATENCY_P50,
                Measure.LATENCY_P99),
            chart("memory", "MB of a node", Measure.NODE_MEMORY),
            queue());
    List<String> drawn = new ArrayList<>();
    for (Chart chart : charts) {
      drawn.add(chart.draw(folder));
    }
    return drawn;
  }

  private Chart chart(String name, String what, Measure... measures) {
    Chart chart = new Chart(name, what, "nodes", what).with("set logscale x 2\n");
    List<ToDoubleFunction<NodesRun>> columns = new ArrayList<>();
    for (String load : loads()) {
      for (Measure measure : measures) {
        chart.left(load + " " + measure.key(), "linespoints");
        columns.add(run -> run.load(load).map(seen -> seen.of(measure)).orElse(Double.NaN));
      }
    }
    for (NodesRun run : runs) {
      double[] row = new double[1 + columns.size()];
      row[0] = run.nodes();
      for (int i = 0; i < columns.size(); i++) {
        row[1 + i] = columns.get(i).applyAsDouble(run);
      }
      chart.row(row);
    }
    return chart;
  }

  private Chart queue() {
    return chart("queue", "jobs in the queue of the HSM", Measure.HSM_QUEUE_P99)
        .formula(
            Text.format("(x > 2 * sqrt(%d * x) + 8) ? x : 2 * sqrt(%1$d * x) + 8", servers),
            "bound");
  }
}
