package org.sluiceca.load.nodes;

import static org.sluiceca.load.page.Table.column;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.sluiceca.load.page.Gnuplot;
import org.sluiceca.load.page.Json;
import org.sluiceca.load.page.Page;
import org.sluiceca.load.page.Table;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.plan.Measure;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** One table, one picture and one verdict of runs with several numbers of nodes. */
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

  Page page(String picture) {
    return new Page("The same HSM at the same load, shared by several nodes")
        .paragraph(
            Text.format(
                "HSM of %s signatures/s, %d servers. Each run on a trial of its own, in its folder here; what each figure is: docs/performance/LOAD.md of the sources.",
                Text.grouped(runs.getFirst().capacity(), 0), servers))
        .paragraph(
            runs.getFirst().machine().entrySet().stream()
                .map(entry -> entry.getKey() + ": " + entry.getValue() + ".")
                .collect(Collectors.joining(" ")))
        .table(figures())
        .paragraph(more())
        .pictures(List.of(picture))
        .paragraph(missed() == 0 ? "All goals met." : missed() + " goals MISSED.")
        .table(judged());
  }

  /** One load on one number of nodes. */
  private record Loaded(String load, NodesRun run, NodesRun.Load seen) {

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

  private Table figures() {
    List<Loaded> all = new ArrayList<>();
    for (String load : runs.getFirst().loads().keySet()) {
      for (NodesRun run : runs) {
        Optional.ofNullable(run.loads().get(load))
            .ifPresent(seen -> all.add(new Loaded(load, run, seen)));
      }
    }
    return Table.of(
        all,
        column("load", Loaded::load),
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
        column("told to come again", it -> it.percent(Measure.REFUSED_SHARE)),
        column("processors busy", it -> it.percent(Measure.PROCESSORS_BUSY)),
        column("load average", it -> it.number(Measure.LOAD_AVERAGE, 1)));
  }

  /** What one node more takes while the work stays the same: mostly what it does when idle. */
  private String more() {
    NodesRun least = runs.getFirst();
    NodesRun most = runs.getLast();
    if (least.nodes() == most.nodes()) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    for (String load : least.loads().keySet()) {
      NodesRun.Load few = least.loads().get(load);
      NodesRun.Load many = most.loads().get(load);
      if (few != null && many != null) {
        text.append(
            Text.format(
                "A node more takes %s %% of a processor at %s, with the database's part.\n",
                Text.grouped(100 * (cores(many) - cores(few)) / (most.nodes() - least.nodes()), 1),
                load));
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
    ObjectNode document = Json.object();
    document.put("goalsMissed", missed());
    document.set("machine", Json.tree(runs.getFirst().machine()));
    ArrayNode all = document.putArray("runs");
    for (NodesRun run : runs) {
      ObjectNode one = all.addObject();
      one.put("nodes", run.nodes()).put("goalsMissed", run.goalsMissed());
      ObjectNode loads = one.putObject("loads");
      run.loads()
          .forEach(
              (name, load) -> {
                ObjectNode figures = loads.putObject(name);
                load.figures().forEach((measure, value) -> figures.put(measure.key(), value));
              });
    }
    ArrayNode goals = document.putArray("goals");
    for (NodesGoals.Verdict verdict : verdicts) {
      ObjectNode one = goals.addObject().put("nodes", verdict.nodes()).put("load", verdict.load());
      one.put("goal", verdict.goal()).put("met", verdict.isMet()).put("seen", verdict.value());
    }
    return Json.text(document);
  }

  /**
   * Draws all of it over the number of nodes, and returns the picture's name.
   *
   * @throws IOException if gnuplot fails
   */
  String draw(Path folder) throws IOException {
    StringBuilder data = new StringBuilder();
    for (String load : runs.getFirst().loads().keySet()) {
      data.append("# ")
          .append(load)
          .append(
              ": nodes certificates/s node-us database-us p50-ms p99-ms queue-p99 queue-bound memory-MB\n");
      for (NodesRun run : runs) {
        data.append(point(run, load));
      }
      // gnuplot parts data sets by two empty lines.
      data.append("\n\n");
    }
    return new Gnuplot(folder).draw("nodes", data.toString(), script());
  }

  private String point(NodesRun run, String load) {
    NodesRun.Load seen = run.loads().get(load);
    return seen == null
        ? ""
        : Gnuplot.row(
            run.nodes(),
            seen.of(Measure.GOODPUT),
            seen.of(Measure.NODE_MICROS),
            seen.of(Measure.DATABASE_MICROS),
            seen.of(Measure.LATENCY_P50),
            seen.of(Measure.LATENCY_P99),
            seen.of(Measure.HSM_QUEUE_P99),
            NodesGoals.queueBound(run.nodes(), servers),
            seen.of(Measure.NODE_MEMORY));
  }

  private String script() {
    List<String> loads = List.copyOf(runs.getFirst().loads().keySet());
    return """
        set terminal svg size 1000,800 font 'sans,12' background '#ffffff'
        set datafile missing '?'
        set key bottom right
        set grid
        set logscale x 2
        set yrange [0:*]
        set xlabel 'nodes'
        set multiplot layout 2,2 title 'The same HSM at the same load, shared by so many nodes'
        """
        + panel("certificates/s", plot(loads, 2, ""))
        + panel(
            "CPU, us a certificate", plot(loads, 3, " nodes") + ", " + plot(loads, 4, " database"))
        + panel(
            "answer, ms from when it was due",
            plot(loads, 5, " p50") + ", " + plot(loads, 6, " p99"))
        + panel(
            "jobs in the HSM''s queue",
            plot(loads, 7, " p99")
                + ", 'nodes.tsv' index 0 using 1:8 with lines dashtype 2 title 'bound'")
        + "unset multiplot\n";
  }

  private static String panel(String what, String plots) {
    return "set ylabel '" + what + "'\nplot " + plots + "\n";
  }

  private static String plot(List<String> loads, int column, String what) {
    List<String> plots = new ArrayList<>();
    for (int i = 0; i < loads.size(); i++) {
      plots.add(
          Text.format(
              "'nodes.tsv' index %d using 1:%d with linespoints title '%s%s'",
              i, column, loads.get(i), what));
    }
    return String.join(", ", plots);
  }
}
