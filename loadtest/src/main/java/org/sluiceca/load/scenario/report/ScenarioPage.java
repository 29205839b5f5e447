package org.sluiceca.load.scenario.report;

import static org.sluiceca.load.page.Table.column;

import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.sluiceca.load.page.Page;
import org.sluiceca.load.page.Table;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.report.Summary;
import org.sluiceca.load.scenario.Figure;
import org.sluiceca.load.scenario.judge.Drift;
import org.sluiceca.load.scenario.judge.NodeLook;
import org.sluiceca.load.scenario.judge.ScenarioResults;
import org.sluiceca.load.scenario.judge.Trend;

/**
 * The one page of a scenario: the verdict and what was missed first, then pictures, then the
 * figures, each by who can know it.
 */
final class ScenarioPage {

  private final ScenarioResults results;
  private final Run run;
  private final PhaseTables phases;
  private final LimitTable limits;

  ScenarioPage(ScenarioResults results, Run run) {
    this.results = results;
    this.run = run;
    this.phases = new PhaseTables(results);
    this.limits = new LimitTable(results);
  }

  Page page(List<String> plots) {
    Page page = new Page("Scenario " + results.scenario().plan().name());
    page.inFile(results.scenario().plan().title() + ".").inFile("**" + verdict() + "**");
    phases.notShown().ifPresent(page::inFile);
    page.items(conditions());
    if (!limits.missed().isEmpty()) {
      page.inFile("## Missed").inFile(limits.missed());
    }
    page.pictures(plots)
        .section(
            "Phases",
            phases.phases(),
            "Certificates by the ledger, latencies of 201 from when a request was due. Of possible:"
                + " issued by the lesser of what was offered and what the HSM can sign. Promised:"
                + " 202; refused: 429 and 503, both of all answers; failed: all else but 201, and"
                + " refusals that do not say when to come again. Fairness: Jain's index, 1 is equal."
                + " Sent late: the generator's own fault, which is in the latencies.")
        .section(
            "Clients that came again",
            phases.persistences(),
            "Never served: neither a certificate nor an order for one (202). Served within: from"
                + " when the first request of a client was due until it was answered with the"
                + " certificate.")
        .section(
            "Queue and HSM",
            phases.queues(),
            "By the nodes, all together, means if nothing else is said: on the line are requests"
                + " between admission and outcome; in queues those of them whose job waits for the"
                + " HSM, for wait ms. By the HSM: how busy its servers were, and jobs in its queue.")
        .section(
            "Processors", phases.processors(), "Shares of all of the machine's, by the kernel.")
        .section(
            "Requesters",
            phases.requesters(),
            "Of the HSM's time: of what all certificates of the phase took.")
        .section("Other requests", phases.operations(), "Latencies from when they were due.")
        .section("Answers that are no success", errors(), "")
        .section("Nodes", nodes(), "Each life of a node, by the kernel.")
        .section(
            "Drift",
            drifts(),
            "Slopes by Theil and Sen. Grew: slope times hours, by the best guess; for certain: by"
                + " the lower end of the interval, which limits are about.")
        .section("Goals and limits", limits.all(), "");
    return page.paragraph(verdict())
        .paragraph(phases.notShown().orElse(""))
        .inFile("Gatling's own report is made in the folder `gatling` beside this page.");
  }

  private String verdict() {
    return results.missed() == 0
        ? Text.format("all %d goals and limits met", results.judged())
        : Text.format("%d of %d goals and limits missed", results.missed(), results.judged());
  }

  private List<String> conditions() {
    Plan plan = results.scenario().plan();
    String began = run.began().truncatedTo(ChronoUnit.SECONDS).toString();
    return List.of(
        began
            + (run.commit().isEmpty() ? "" : ", commit " + run.commit())
            + ", "
            + Summary.words(run.machine()),
        Text.format(
            "%d nodes on one HSM of %s",
            plan.nodes().count(), Summary.device(plan.hsms().getFirst(), plan.nodes())),
        Text.format(
            "Gatling, open model, %s arrivals; %d distinct requests, client keys %s, Prefer: wait=%d; %s",
            plan.client().isPoisson() ? "Poisson" : "even",
            results.scenario().distinctRequests(),
            plan.client().key(),
            plan.client().waitSeconds(),
            clients()),
        Text.format(
            "%d requests, %d certificates%s",
            results.requests(),
            results.certificates(),
            results.interrupted() == 0
                ? ""
                : Text.format(
                    "; %d of the requests in segments that were interrupted and measured again",
                    results.interrupted())));
  }

  /** A herd obeys, whatever others do. */
  private String clients() {
    boolean isHerd =
        results.scenario().plan().phases().stream().anyMatch(phase -> phase.crowdSeconds() > 0);
    return results.scenario().clients().told()
        + (isHerd ? "; the crowd obeys Retry-After until it is served" : "");
  }

  private Table errors() {
    return Table.of(
        new TreeMap<>(results.errors()).entrySet(),
        column("request: status and problem", Map.Entry::getKey),
        column("answers", error -> error.getValue().toString()),
        column(
            "of all requests",
            error -> Text.percent((double) error.getValue() / results.requests())));
  }

  /** By the kernel, from the first look to the last of each life. */
  private Table nodes() {
    return Table.of(
        results.looks().stream()
            .collect(Collectors.groupingBy(NodeLook::pid, TreeMap::new, Collectors.toList()))
            .values(),
        column("node", life -> "node " + life.getFirst().node()),
        column("resident MB first", life -> Text.number(life.getFirst().rssMegabytes(), 0)),
        column("last", life -> Text.number(life.getLast().rssMegabytes(), 0)),
        most(NodeLook::rssMegabytes),
        column("threads last", life -> "" + life.getLast().threads()),
        most(NodeLook::threads),
        column("open files last", life -> "" + life.getLast().files()),
        most(NodeLook::files));
  }

  private static Table.Column<List<NodeLook>> most(ToDoubleFunction<NodeLook> figure) {
    return column("max", life -> Text.number(life.stream().mapToDouble(figure).max().orElse(0), 0));
  }

  /** Minutes of changing load tell nothing of what time does: of a soak alone. */
  private Table drifts() {
    return Table.of(
        results.scenario().soak().isEmpty() ? List.of() : results.drifts(),
        column("series", drift -> drift.figure().key()),
        column("of", Drift::of),
        column("in", drift -> unit(drift.figure())),
        column("median", drift -> Text.number(drift.trend().median(), 1)),
        column("slope an hour", drift -> Text.number(drift.trend().perHour(), 2)),
        column("its 90 % interval", drift -> interval(drift.trend())),
        column("hours", drift -> Text.number(drift.trend().hours(), 2)),
        column("grew", drift -> grown(drift, drift.likelyGrowth())),
        column("for certain", drift -> grown(drift, Math.max(0, drift.growth()))),
        column("a day at that slope", drift -> grown(drift, drift.dailyGrowth())));
  }

  private static String interval(Trend trend) {
    return Text.number(trend.lowPerHour(), 2) + " to " + Text.number(trend.highPerHour(), 2);
  }

  /** Of the series, whose growth may be a share. */
  private static String unit(Figure growth) {
    return switch (growth) {
      case RSS_GROWTH -> "MB";
      case LATENCY_P50_GROWTH, LATENCY_P99_GROWTH -> "ms";
      case THREADS_GROWTH -> "threads";
      case FILES_GROWTH -> "files";
      default -> growth.unit();
    };
  }

  private static String grown(Drift drift, double growth) {
    return drift.isShare() ? Text.percent(growth) : Text.number(growth, 2);
  }
}
