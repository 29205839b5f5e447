package org.sluiceca.load.scenario.report;

import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.sluiceca.load.plan.HsmPlan;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.scenario.Figure;
import org.sluiceca.load.scenario.judge.Drift;
import org.sluiceca.load.scenario.judge.NodeLook;
import org.sluiceca.load.scenario.judge.ScenarioResults;

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

  /**
   * A table under its heading.
   *
   * @param note what its columns are, for who has not read the documentation
   */
  private record Section(String heading, String note, Table table) {}

  /** Returns a Markdown document. */
  String markdown(List<String> plots) {
    StringBuilder page = new StringBuilder();
    page.append("# Scenario ").append(results.scenario().plan().name()).append("\n\n");
    page.append(results.scenario().plan().title()).append(".\n\n");
    page.append("**").append(verdict()).append("**\n\n");
    phases.notShown().ifPresent(note -> page.append(note).append("\n\n"));
    conditions().forEach(condition -> page.append("- ").append(condition).append('\n'));
    page.append('\n');
    Table missed = limits.missed();
    if (!missed.isEmpty()) {
      page.append("## Missed\n\n").append(missed.markdown());
    }
    plots.forEach(plot -> page.append("![").append(plot).append("](").append(plot).append(")\n"));
    page.append('\n');
    for (Section section : sections()) {
      if (!section.table().isEmpty()) {
        page.append("## ").append(section.heading()).append("\n\n");
        page.append(section.table().markdown()).append(section.note());
        page.append(section.note().isEmpty() ? "" : "\n\n");
      }
    }
    return page.append("Gatling's own report is made in the folder `gatling` beside this page.\n")
        .toString();
  }

  /** Returns the same for a terminal. */
  String text() {
    StringBuilder text = new StringBuilder(String.join("\n", conditions())).append("\n\n");
    for (Section section : sections()) {
      if (!section.table().isEmpty()) {
        text.append(section.heading()).append('\n').append(section.table().text());
      }
    }
    text.append(verdict()).append('\n');
    phases.notShown().ifPresent(note -> text.append(note).append('\n'));
    return text.toString();
  }

  private List<Section> sections() {
    return List.of(
        new Section(
            "Phases",
            "Certificates by the ledger, latencies of 201 from when a request was due. Of possible:"
                + " issued by the lesser of what was offered and what the HSM can sign. Promised:"
                + " 202; refused: 429 and 503, both of all answers; failed: all else but 201, and"
                + " refusals that do not say when to come again. Fairness: Jain's index, 1 is equal."
                + " Sent late: the generator's own fault, which is in the latencies.",
            phases.phases()),
        new Section(
            "Clients that came again",
            "Never served: neither a certificate nor an order for one (202). Served within: from"
                + " when the first request of a client was due until it was answered with the"
                + " certificate.",
            phases.persistences()),
        new Section(
            "Queue and HSM",
            "By the nodes, all together, means if nothing else is said: on the line are requests"
                + " between admission and outcome; in queues those of them whose job waits for the"
                + " HSM, for wait ms. By the HSM: how busy its servers were, and jobs in its queue.",
            phases.queues()),
        new Section(
            "Processors", "Shares of all of the machine's, by the kernel.", phases.processors()),
        new Section(
            "Requesters",
            "Of the HSM's time: of what all certificates of the phase took.",
            phases.requesters()),
        new Section("Other requests", "Latencies from when they were due.", phases.operations()),
        new Section("Answers that are no success", "", errors()),
        new Section("Nodes", "Each life of a node, by the kernel.", nodes()),
        new Section(
            "Drift",
            "Slopes by Theil and Sen. Grew: slope times hours, by the best guess; for certain: by"
                + " the lower end of the interval, which limits are about.",
            drifts()),
        new Section("Goals and limits", "", limits.all()));
  }

  private String verdict() {
    return results.missed() == 0
        ? String.format(Locale.ROOT, "all %d goals and limits met", results.judged())
        : String.format(
            Locale.ROOT, "%d of %d goals and limits missed", results.missed(), results.judged());
  }

  private List<String> conditions() {
    Plan plan = results.scenario().plan();
    HsmPlan hsm = plan.hsms().getFirst();
    String issuers =
        plan.nodes().issuers().stream()
            .map(
                i ->
                    String.format(Locale.ROOT, ", %s %.1f ms", i.key(), hsm.serviceMillis(i.key())))
            .collect(Collectors.joining());
    String machine =
        new TreeMap<>(run.machine())
            .entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining(", "));
    String began = run.began().truncatedTo(ChronoUnit.SECONDS).toString();
    return List.of(
        began + (run.commit().isEmpty() ? "" : ", commit " + run.commit()) + ", " + machine,
        String.format(
            Locale.ROOT,
            "%d nodes on one HSM of %.0f signatures/s (%d servers, %s %.1f ms%s, queue %d, round trip %.0f ms)",
            plan.nodes().count(),
            hsm.rate(),
            hsm.servers(),
            plan.nodes().issuerKey(),
            hsm.serviceMillis(plan.nodes().issuerKey()),
            issuers,
            hsm.queue(),
            hsm.rttMillis()),
        String.format(
            Locale.ROOT,
            "Gatling, open model, %s arrivals; %d distinct requests, client keys %s, Prefer: wait=%d; %s",
            plan.client().isPoisson() ? "Poisson" : "even",
            results.scenario().distinctRequests(),
            plan.client().key(),
            plan.client().waitSeconds(),
            clients()),
        String.format(
            Locale.ROOT,
            "%d requests, %d certificates%s",
            results.requests(),
            results.certificates(),
            results.interrupted() == 0
                ? ""
                : String.format(
                    Locale.ROOT,
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
    Table table = new Table("request: status and problem", "answers", "of all requests");
    new TreeMap<>(results.errors())
        .forEach(
            (error, count) ->
                table.add(
                    error, count.toString(), Table.percent((double) count / results.requests())));
    return table;
  }

  /** By the kernel, from the first look to the last of each life. */
  private Table nodes() {
    Table table =
        new Table(
            "node",
            "resident MB first",
            "last",
            "max",
            "threads last",
            "max",
            "open files last",
            "max");
    results.looks().stream()
        .collect(Collectors.groupingBy(NodeLook::pid, TreeMap::new, Collectors.toList()))
        .forEach(
            (pid, life) ->
                table.add(
                    "node " + life.getFirst().node(),
                    Table.number(life.getFirst().rssMegabytes(), 0),
                    Table.number(life.getLast().rssMegabytes(), 0),
                    Table.number(
                        life.stream().mapToDouble(NodeLook::rssMegabytes).max().orElse(0), 0),
                    "" + life.getLast().threads(),
                    "" + life.stream().mapToInt(NodeLook::threads).max().orElse(0),
                    "" + life.getLast().files(),
                    "" + life.stream().mapToInt(NodeLook::files).max().orElse(0)));
    return table;
  }

  private Table drifts() {
    Table table =
        new Table(
            "series",
            "of",
            "in",
            "median",
            "slope an hour",
            "its 90 % interval",
            "hours",
            "grew",
            "for certain",
            "a day at that slope");
    if (results.scenario().soak().isEmpty()) {
      // Minutes of changing load tell nothing of what time does.
      return table;
    }
    for (Drift drift : results.drifts()) {
      table.add(
          drift.figure().key(),
          drift.of(),
          unit(drift.figure()),
          Table.number(drift.trend().median(), 1),
          Table.number(drift.trend().perHour(), 2),
          Table.number(drift.trend().lowPerHour(), 2)
              + " to "
              + Table.number(drift.trend().highPerHour(), 2),
          Table.number(drift.trend().hours(), 2),
          grown(drift, drift.likelyGrowth()),
          grown(drift, Math.max(0, drift.growth())),
          grown(drift, drift.dailyGrowth()));
    }
    return table;
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
    return drift.isShare() ? Table.percent(growth) : Table.number(growth, 2);
  }
}
