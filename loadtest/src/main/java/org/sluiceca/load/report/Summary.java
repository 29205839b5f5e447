package org.sluiceca.load.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.sluiceca.load.judge.PhaseJudge;
import org.sluiceca.load.judge.Recovery;
import org.sluiceca.load.judge.Verdict;
import org.sluiceca.load.plan.HsmPlan;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.watch.ProcessTimes;

/** The results as Markdown, and its tables as plain text for a terminal. */
public final class Summary {

  /** A machine busier than this is itself the limit, whatever the HSM could do. */
  private static final double SATURATED = 0.95;

  private final Results results;

  /** A column of the table of phases. */
  private record Column(String title, Measure measure, Form form) {}

  private enum Form {
    WHOLE,
    ONE_DIGIT,
    PERCENT,
    INDEX
  }

  private static final List<Column> COLUMNS =
      List.of(
          new Column("offered/s", Measure.OFFERED, Form.WHOLE),
          new Column("certs/s", Measure.GOODPUT, Form.ONE_DIGIT),
          new Column("of possible", Measure.GOODPUT_SHARE, Form.PERCENT),
          new Column("HSM busy", Measure.HSM_UTILISATION, Form.PERCENT),
          new Column("HSM queue p50", Measure.HSM_QUEUE_P50, Form.WHOLE),
          new Column("p99", Measure.HSM_QUEUE_P99, Form.WHOLE),
          new Column("max", Measure.HSM_QUEUE_MAX, Form.WHOLE),
          new Column("HSM refused", Measure.HSM_REFUSED, Form.WHOLE),
          new Column("201 p50 ms", Measure.LATENCY_P50, Form.WHOLE),
          new Column("p99 ms", Measure.LATENCY_P99, Form.WHOLE),
          new Column("202", Measure.LATER_SHARE, Form.PERCENT),
          new Column("refused", Measure.REFUSED_SHARE, Form.PERCENT),
          new Column("Retry-After", Measure.RETRY_AFTER_SHARE, Form.PERCENT),
          new Column("Jain nodes", Measure.JAIN_NODES, Form.INDEX),
          new Column("requesters", Measure.JAIN_REQUESTERS, Form.INDEX),
          new Column("unanswered", Measure.UNANSWERED_SHARE, Form.PERCENT),
          new Column("unsent", Measure.UNSENT_SHARE, Form.PERCENT),
          new Column("sent late p99 ms", Measure.LATE_P99, Form.WHOLE),
          new Column("CPU busy", Measure.PROCESSORS_BUSY, Form.PERCENT),
          new Column("load", Measure.LOAD_AVERAGE, Form.ONE_DIGIT));

  private static final List<Column> HSM_COLUMNS =
      List.of(
          new Column("signed/s", Measure.HSM_SIGNED, Form.ONE_DIGIT),
          new Column("busy", Measure.HSM_UTILISATION, Form.PERCENT),
          new Column("queue p50", Measure.HSM_QUEUE_P50, Form.WHOLE),
          new Column("p99", Measure.HSM_QUEUE_P99, Form.WHOLE),
          new Column("max", Measure.HSM_QUEUE_MAX, Form.WHOLE),
          new Column("refused", Measure.HSM_REFUSED, Form.WHOLE),
          new Column("signs again s", Measure.HSM_SIGNS_AGAIN, Form.ONE_DIGIT));

  private static final List<Column> REQUESTER_COLUMNS =
      List.of(
          new Column("offered/s", Measure.OFFERED, Form.ONE_DIGIT),
          new Column("certs/s", Measure.GOODPUT, Form.ONE_DIGIT),
          new Column("of offered", Measure.GOODPUT_SHARE, Form.PERCENT),
          new Column("of the HSM's time", Measure.TIME_SHARE, Form.PERCENT),
          new Column("201 p50 ms", Measure.LATENCY_P50, Form.WHOLE),
          new Column("p99 ms", Measure.LATENCY_P99, Form.WHOLE),
          new Column("202", Measure.LATER_SHARE, Form.PERCENT),
          new Column("refused", Measure.REFUSED_SHARE, Form.PERCENT),
          new Column("failed", Measure.FAILED_SHARE, Form.PERCENT));

  /** Tells {@code results}. */
  public Summary(Results results) {
    this.results = results;
  }

  /** Returns the tables for a terminal: columns in line, no marks. */
  public String text() {
    StringBuilder text = new StringBuilder(conditions()).append("\n\n");
    text.append(aligned(phases())).append('\n');
    parts().forEach(table -> text.append(aligned(table)).append('\n'));
    text.append(saturated().map(all -> all + "\n\n").orElse(""));
    if (!recoveries().isEmpty()) {
      text.append(aligned(withHeading("after|goodput back s|HSM queue back s", recoveries())))
          .append('\n');
    }
    return text.append(aligned(goals())).append(verdict()).append('\n').toString();
  }

  /** Returns a Markdown document. */
  public String markdown(List<String> plots) {
    StringBuilder text = new StringBuilder("# Load plan " + results.plan().name() + "\n\n");
    text.append(results.plan().title()).append(".\n\n").append(conditions()).append("\n\n");
    text.append(marked(phases())).append('\n');
    parts().forEach(table -> text.append(marked(table)).append('\n'));
    text.append(saturated().map(all -> all + "\n\n").orElse(""));
    text.append(marked(shares())).append('\n');
    if (!recoveries().isEmpty()) {
      text.append(marked(withHeading("after|goodput back s|HSM queue back s", recoveries())))
          .append('\n');
    }
    text.append(marked(goals())).append('\n').append(verdict()).append("\n\n");
    plots.forEach(plot -> text.append("![").append(plot).append("](").append(plot).append(")\n"));
    return text.toString();
  }

  private String conditions() {
    Plan plan = results.plan();
    String hardware =
        results.machine().entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(entry -> entry.getKey() + " " + entry.getValue())
            .collect(Collectors.joining(", "));
    String hsms =
        plan.hsms().size() == 1
            ? "one HSM of " + device(plan.hsms().getFirst())
            : plan.hsms().stream()
                .map(hsm -> "HSM " + hsm.name() + " of " + device(hsm))
                .collect(Collectors.joining(" and "));
    return "%s: %d nodes on %s; open loop, %s arrivals, Prefer: wait=%d; %s; %s"
        .formatted(
            results.began(),
            plan.nodes().count(),
            hsms,
            plan.client().isPoisson() ? "Poisson" : "even",
            plan.client().waitSeconds(),
            results.connectionsOpened() + " connections opened" + javaOptions(plan),
            hardware);
  }

  private String device(HsmPlan hsm) {
    String kind = results.plan().nodes().issuerKey();
    String others =
        results.plan().nodes().issuers().stream()
            .map(issuer -> ", %s %.1f ms".formatted(issuer.key(), hsm.serviceMillis(issuer.key())))
            .collect(Collectors.joining());
    return "%.0f signatures/s (%d servers%s of %.1f ms%s, queue %d, round trip %.0f ms%s)"
        .formatted(
            hsm.rate(),
            hsm.servers(),
            hsm.ecServers() == 0 ? "" : ", of them " + hsm.ecServers() + " for EC,",
            hsm.serviceMillis(kind),
            others,
            hsm.queue(),
            hsm.rttMillis(),
            hsm.isBackup() ? ", a backup" : "");
  }

  private static String javaOptions(Plan plan) {
    String options = plan.nodes().javaOptions();
    return options.isEmpty() ? "" : ", nodes with " + options;
  }

  private List<List<String>> phases() {
    List<List<String>> rows = new ArrayList<>();
    List<String> heading = new ArrayList<>(List.of("phase"));
    COLUMNS.forEach(column -> heading.add(column.title()));
    rows.add(heading);
    for (PhaseJudge.Figures figures : results.phases()) {
      List<String> row = new ArrayList<>(List.of(figures.seen().phase().name()));
      COLUMNS.forEach(column -> row.add(shown(figures.of(column.measure()), column.form())));
      rows.add(row);
    }
    return rows;
  }

  /** What belongs to one of several HSMs, or of several requesters. */
  private List<List<List<String>>> parts() {
    List<List<List<String>>> tables = new ArrayList<>();
    if (results.plan().hsms().size() > 1) {
      tables.add(table("HSM", HSM_COLUMNS, PhaseJudge.Figures::hsms));
    }
    if (results.phases().stream().anyMatch(figures -> figures.requesters().size() > 1)) {
      tables.add(table("requester", REQUESTER_COLUMNS, PhaseJudge.Figures::requesters));
    }
    return tables;
  }

  private List<List<String>> table(
      String what,
      List<Column> columns,
      Function<PhaseJudge.Figures, Map<String, Map<Measure, Double>>> parts) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(new ArrayList<>(List.of("phase", what)));
    columns.forEach(column -> rows.getFirst().add(column.title()));
    for (PhaseJudge.Figures figures : results.phases()) {
      for (String name : parts.apply(figures).keySet().stream().sorted().toList()) {
        List<String> row = new ArrayList<>(List.of(figures.seen().phase().name(), name));
        columns.forEach(
            column -> row.add(shown(figures.of(column.measure(), name), column.form())));
        rows.add(row);
      }
    }
    return rows;
  }

  /** Who used the processors. */
  private List<List<String>> shares() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("phase", "CPU of nodes", "of PostgreSQL", "of the generator", "of all"));
    for (PhaseJudge.Figures figures : results.phases()) {
      ProcessTimes used = figures.seen().used();
      rows.add(
          List.of(
              figures.seen().phase().name(),
              shown(used.share(used.nodes()), Form.PERCENT),
              shown(used.share(used.database()), Form.PERCENT),
              shown(used.share(used.generator()), Form.PERCENT),
              shown(used.share(used.busy()), Form.PERCENT)));
    }
    return rows;
  }

  private Optional<String> saturated() {
    String names =
        results.phases().stream()
            .filter(figures -> figures.of(Measure.PROCESSORS_BUSY) >= SATURATED)
            .map(figures -> figures.seen().phase().name())
            .collect(Collectors.joining(", "));
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "The processors were the limit in: "
                + names
                + ". What these phases show is this machine, not the HSM.");
  }

  private List<List<String>> recoveries() {
    List<List<String>> rows = new ArrayList<>();
    for (PhaseJudge.Figures figures : results.phases()) {
      for (Recovery recovery : figures.recoveries()) {
        rows.add(
            List.of(
                figures.seen().phase().name() + ": " + recovery.what(),
                seconds(recovery.goodputSeconds()),
                seconds(recovery.queueSeconds())));
      }
    }
    return rows;
  }

  private List<List<String>> goals() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("phase", "goal", "seen", ""));
    for (Verdict verdict : results.verdicts()) {
      rows.add(
          List.of(
              verdict.phase(),
              verdict.goal().isRelative()
                  ? verdict.goal() + " (" + number(verdict.base()) + ")"
                  : verdict.goal().toString(),
              number(verdict.value()),
              verdict.isMet() ? "met" : "MISSED"));
    }
    return rows;
  }

  private String verdict() {
    return results.missed() == 0
        ? "all %d goals met".formatted(results.verdicts().size())
        : "%d of %d goals missed".formatted(results.missed(), results.verdicts().size());
  }

  private static List<List<String>> withHeading(String heading, List<List<String>> rows) {
    List<List<String>> all = new ArrayList<>(List.of(List.of(heading.split("\\|", -1))));
    all.addAll(rows);
    return all;
  }

  private static String shown(double value, Form form) {
    if (Double.isNaN(value)) {
      return "-";
    }
    if (Double.isInfinite(value)) {
      return "never";
    }
    return switch (form) {
      case WHOLE -> String.format(Locale.ROOT, "%.0f", value);
      case ONE_DIGIT -> String.format(Locale.ROOT, "%.1f", value);
      case PERCENT -> String.format(Locale.ROOT, "%.1f%%", 100 * value);
      case INDEX -> String.format(Locale.ROOT, "%.3f", value);
    };
  }

  private static String seconds(double value) {
    return shown(value, Form.ONE_DIGIT);
  }

  private static String number(double value) {
    if (Double.isNaN(value)) {
      return "nothing";
    }
    if (Double.isInfinite(value)) {
      return "never";
    }
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.3f", value);
  }

  private static String marked(List<List<String>> rows) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < rows.size(); i++) {
      text.append("| ").append(String.join(" | ", rows.get(i))).append(" |\n");
      if (i == 0) {
        text.append("|---".repeat(rows.getFirst().size())).append("|\n");
      }
    }
    return text.toString();
  }

  private static String aligned(List<List<String>> rows) {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        String blanks = " ".repeat(widths[i] - row.get(i).length());
        line.append(i == 0 ? row.get(i) + blanks : "  " + blanks + row.get(i));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
