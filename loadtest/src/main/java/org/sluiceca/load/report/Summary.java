package org.sluiceca.load.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.sluiceca.load.judge.PhaseJudge;
import org.sluiceca.load.judge.Recovery;
import org.sluiceca.load.judge.Verdict;
import org.sluiceca.load.plan.HsmPlan;
import org.sluiceca.load.plan.Phase;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.watch.ProcessTimes;

/** The results as Markdown, and its tables as plain text for a terminal. */
public final class Summary {

  private final Results results;
  private final FigureTables tables;

  /** Creates the summary of {@code results}. */
  public Summary(Results results) {
    this.results = results;
    this.tables = new FigureTables(results);
  }

  /** Returns goals and verdict as Markdown. */
  public String verdicts() {
    return marked(goals()) + "\n" + verdict() + "\n";
  }

  /** Returns the tables for a terminal: columns in line, no marks. */
  public String text() {
    StringBuilder text = new StringBuilder(conditions()).append("\n\n");
    text.append(aligned(tables.phases())).append('\n');
    tables.parts().forEach(table -> text.append(aligned(table)).append('\n'));
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
    text.append(marked(tables.phases())).append('\n');
    tables.parts().forEach(table -> text.append(marked(table)).append('\n'));
    text.append(saturated().map(all -> all + "\n\n").orElse(""));
    text.append(marked(shares())).append('\n');
    if (!recoveries().isEmpty()) {
      text.append(marked(withHeading("after|goodput back s|HSM queue back s", recoveries())))
          .append('\n');
    }
    text.append(verdicts()).append('\n');
    plots.forEach(plot -> text.append("![").append(plot).append("](").append(plot).append(")\n"));
    return text.toString();
  }

  /** Returns when, with what and on what it was measured. */
  public String conditions() {
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
    String loop =
        plan.phases().stream().anyMatch(Phase::isClosed)
            ? "closed loop"
            : "open loop, " + (plan.client().isPoisson() ? "Poisson" : "even") + " arrivals";
    return String.format(
        Locale.ROOT,
        "%s: %d nodes on %s; %s, Prefer: wait=%d; %s; %s",
        results.began(),
        plan.nodes().count(),
        hsms,
        loop,
        plan.client().waitSeconds(),
        results.connectionsOpened() + " connections opened" + javaOptions(plan),
        hardware);
  }

  private String device(HsmPlan hsm) {
    String kind = results.plan().nodes().issuerKey();
    String others =
        results.plan().nodes().issuers().stream()
            .map(
                issuer ->
                    String.format(
                        Locale.ROOT, ", %s %.1f ms", issuer.key(), hsm.serviceMillis(issuer.key())))
            .collect(Collectors.joining());
    return String.format(
        Locale.ROOT,
        "%.0f signatures/s (%d servers%s of %.1f ms%s, queue %d, round trip %.0f ms%s)",
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

  /** Who used the processors. */
  private List<List<String>> shares() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("phase", "CPU of nodes", "of PostgreSQL", "of the generator", "of all"));
    for (PhaseJudge.Figures figures : results.phases()) {
      ProcessTimes used = figures.seen().used();
      rows.add(
          List.of(
              figures.seen().phase().name(),
              FigureTables.shown(used.share(used.nodes()), FigureTables.Form.PERCENT),
              FigureTables.shown(used.share(used.database()), FigureTables.Form.PERCENT),
              FigureTables.shown(used.share(used.generator()), FigureTables.Form.PERCENT),
              FigureTables.shown(used.share(used.busy()), FigureTables.Form.PERCENT)));
    }
    return rows;
  }

  private Optional<String> saturated() {
    String names =
        results.phases().stream()
            .filter(PhaseJudge.Figures::isOfBusyMachine)
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
              judged(verdict)));
    }
    return rows;
  }

  private static String judged(Verdict verdict) {
    if (verdict.isOfBusyMachine()) {
      return "MISSED: processors";
    }
    return verdict.isMet() ? "met" : "MISSED";
  }

  private String verdict() {
    return results.missed() == 0
        ? String.format(Locale.ROOT, "all %d goals met", results.verdicts().size())
        : String.format(
            Locale.ROOT, "%d of %d goals missed", results.missed(), results.verdicts().size());
  }

  private static List<List<String>> withHeading(String heading, List<List<String>> rows) {
    List<List<String>> all = new ArrayList<>(List.of(List.of(heading.split("\\|", -1))));
    all.addAll(rows);
    return all;
  }

  private static String seconds(double value) {
    return FigureTables.shown(value, FigureTables.Form.ONE_DIGIT);
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

  /** Returns a table in Markdown, the first row its heading. */
  public static String marked(List<List<String>> rows) {
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
