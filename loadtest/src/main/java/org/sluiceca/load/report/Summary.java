package org.sluiceca.load.report;

import static org.sluiceca.load.page.Table.column;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.sluiceca.load.judge.PhaseJudge;
import org.sluiceca.load.judge.Recovery;
import org.sluiceca.load.judge.Verdict;
import org.sluiceca.load.page.Page;
import org.sluiceca.load.page.Table;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.plan.HsmPlan;
import org.sluiceca.load.plan.NodePlan;
import org.sluiceca.load.plan.Phase;
import org.sluiceca.load.plan.Plan;

/** The results as Markdown, and its tables as plain text for a terminal. */
public final class Summary {

  private final Results results;
  private final FigureTables tables;

  /** Creates the summary of {@code results}. */
  public Summary(Results results) {
    this.results = results;
    this.tables = new FigureTables(results);
  }

  /** Returns the page of the results. */
  public Page page(List<String> plots) {
    return new Page("Load plan " + results.plan().name())
        .inFile(results.plan().title() + ".")
        .paragraph(conditions())
        .table(tables.phases())
        .table(tables.hsms())
        .table(FigureTables.requesters(results.phases()))
        .table(new TokenTables(results).ways())
        .table(new TokenTables(results).ladder())
        .paragraph(saturated())
        .inFile(tables.processors())
        .table(recoveries())
        .table(goals())
        .paragraph(verdict())
        .pictures(plots);
  }

  /** Returns when, with what and on what it was measured. */
  public String conditions() {
    Plan plan = results.plan();
    String hsms =
        plan.hsms().size() == 1
            ? "one HSM of " + device(plan.hsms().getFirst(), plan.nodes())
            : plan.hsms().stream()
                .map(hsm -> "HSM " + hsm.name() + " of " + device(hsm, plan.nodes()))
                .collect(Collectors.joining(" and "));
    String loop =
        plan.phases().stream().anyMatch(Phase::isClosed)
            ? "closed loop"
            : "open loop, " + (plan.client().isPoisson() ? "Poisson" : "even") + " arrivals";
    return Text.format(
        "%s: %d nodes on %s; %s, Prefer: wait=%d; %s; %s",
        results.began(),
        plan.nodes().count(),
        hsms,
        loop,
        plan.client().waitSeconds(),
        results.connectionsOpened() + " connections opened" + javaOptions(plan),
        words(results.machine()));
  }

  /** Returns names and values in one line. */
  public static String words(Map<String, String> machine) {
    return machine.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(entry -> entry.getKey() + " " + entry.getValue())
        .collect(Collectors.joining(", "));
  }

  /** Returns what an HSM is: its rate, and its time for each kind of key that these nodes use. */
  public static String device(HsmPlan hsm, NodePlan nodes) {
    String kind = nodes.issuerKey();
    String others =
        nodes.issuers().stream()
            .map(
                issuer ->
                    Text.format(", %s %.1f ms", issuer.key(), hsm.serviceMillis(issuer.key())))
            .collect(Collectors.joining());
    return Text.format(
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

  private String saturated() {
    String names =
        results.phases().stream()
            .filter(PhaseJudge.Figures::isOfBusyMachine)
            .map(figures -> figures.seen().phase().name())
            .collect(Collectors.joining(", "));
    return names.isEmpty()
        ? ""
        : "The processors were the limit in: "
            + names
            + ". What these phases show is this machine, not the HSM.";
  }

  private Table recoveries() {
    Table table = new Table("after", "goodput back s", "HSM queue back s");
    for (PhaseJudge.Figures figures : results.phases()) {
      for (Recovery recovery : figures.recoveries()) {
        table.add(
            figures.seen().phase().name() + ": " + recovery.what(),
            Text.number(recovery.goodputSeconds(), 1),
            Text.number(recovery.queueSeconds(), 1));
      }
    }
    return table;
  }

  /** Returns each goal and whether it was met. */
  public Table goals() {
    return Table.of(
        results.verdicts(),
        column("phase", Verdict::phase),
        column("goal", v -> v.goal() + (v.goal().isRelative() ? bracketed(v.base()) : "")),
        column("seen", v -> number(v.value())),
        column("", Summary::judged));
  }

  private static String bracketed(double base) {
    return " (" + number(base) + ")";
  }

  private static String judged(Verdict verdict) {
    if (verdict.isOfBusyMachine()) {
      return "MISSED: processors";
    }
    return verdict.isMet() ? "met" : "MISSED";
  }

  /** Returns how many goals were met. */
  public String verdict() {
    return results.missed() == 0
        ? Text.format("all %d goals met", results.verdicts().size())
        : Text.format("%d of %d goals missed", results.missed(), results.verdicts().size());
  }

  private static String number(double value) {
    if (Double.isNaN(value)) {
      return "nothing";
    }
    return Text.number(value, value == Math.rint(value) ? 0 : 3);
  }
}
