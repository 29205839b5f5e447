package org.sluiceca.load.nodes;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.report.Gnuplot;
import org.sluiceca.load.report.Summary;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** One table, one picture and one verdict of runs with several numbers of nodes. */
final class NodesPage {

  private static final JsonMapper JSON = JsonMapper.shared();

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

  String markdown(String picture) {
    StringBuilder text =
        new StringBuilder("# The same HSM at the same load, shared by several nodes\n\n");
    text.append(
        String.format(
            Locale.ROOT,
            "HSM of %s signatures/s, %d servers. Each run on a trial of its own, in its folder here; what each figure is: docs/performance/LOAD.md of the sources.\n\n",
            digits(runs.getFirst().capacity(), 0),
            servers));
    runs.getFirst()
        .machine()
        .forEach((name, value) -> text.append(String.format(Locale.ROOT, "%s: %s. ", name, value)));
    text.append("\n\n").append(Summary.marked(table())).append('\n');
    text.append(more()).append('\n');
    text.append("![").append(picture).append("](").append(picture).append(")\n\n");
    text.append(missed() == 0 ? "All goals met.\n\n" : missed() + " goals MISSED.\n\n");
    text.append(Summary.marked(judged()));
    return text.toString();
  }

  private List<List<String>> table() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "load",
            "nodes",
            "asked/s",
            "certificates/s",
            "HSM busy",
            "HSM queue p50, p99",
            "answer p50, p99 ms",
            "CPU us a certificate: nodes, database",
            "a node's memory MB",
            "Jain",
            "told to come again",
            "processors busy",
            "load average"));
    for (String load : runs.getFirst().loads().keySet()) {
      for (NodesRun run : runs) {
        NodesRun.Load seen = run.loads().get(load);
        if (seen != null) {
          rows.add(row(load, run, seen));
        }
      }
    }
    return rows;
  }

  private static List<String> row(String load, NodesRun run, NodesRun.Load seen) {
    return List.of(
        load,
        "" + run.nodes(),
        digits(seen.of(Measure.OFFERED), 1),
        digits(seen.of(Measure.GOODPUT), 1),
        percent(seen.of(Measure.HSM_UTILISATION)),
        digits(seen.of(Measure.HSM_QUEUE_P50), 0)
            + ", "
            + digits(seen.of(Measure.HSM_QUEUE_P99), 0),
        digits(seen.of(Measure.LATENCY_P50), 0) + ", " + digits(seen.of(Measure.LATENCY_P99), 0),
        digits(seen.of(Measure.NODE_MICROS), 0)
            + ", "
            + digits(seen.of(Measure.DATABASE_MICROS), 0),
        digits(seen.of(Measure.NODE_MEMORY), 0),
        digits(seen.of(Measure.JAIN_NODES), 3),
        percent(seen.of(Measure.REFUSED_SHARE)),
        percent(seen.of(Measure.PROCESSORS_BUSY)),
        digits(seen.of(Measure.LOAD_AVERAGE), 1));
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
            String.format(
                Locale.ROOT,
                "A node more takes %s %% of a processor at %s, with the database's part.\n",
                digits(100 * (cores(many) - cores(few)) / (most.nodes() - least.nodes()), 1),
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

  private List<List<String>> judged() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("nodes", "load", "goal", "seen", ""));
    for (NodesGoals.Verdict verdict : verdicts) {
      rows.add(
          List.of(
              "" + verdict.nodes(),
              verdict.load(),
              verdict.goal(),
              digits(verdict.value(), 3),
              verdict.isMet() ? "met" : "MISSED"));
    }
    return rows;
  }

  String json() {
    ObjectNode document = JSON.createObjectNode();
    document.put("goalsMissed", missed());
    ObjectNode machine = document.putObject("machine");
    runs.getFirst().machine().forEach(machine::put);
    ArrayNode all = document.putArray("runs");
    for (NodesRun run : runs) {
      ObjectNode one =
          all.addObject().put("nodes", run.nodes()).put("goalsMissed", run.goalsMissed());
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
      one.put("goal", verdict.goal()).put("met", verdict.isMet());
      if (Double.isFinite(verdict.value())) {
        one.put("seen", verdict.value());
      }
    }
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(document) + "\n";
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
          String.format(
              Locale.ROOT,
              "'nodes.tsv' index %d using 1:%d with linespoints title '%s%s'",
              i,
              column,
              loads.get(i),
              what));
    }
    return String.join(", ", plots);
  }

  private static String percent(double share) {
    return Double.isNaN(share) ? "-" : digits(100 * share, 1) + " %";
  }

  private static String digits(double value, int digits) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%,." + digits + "f", value) : "-";
  }
}
