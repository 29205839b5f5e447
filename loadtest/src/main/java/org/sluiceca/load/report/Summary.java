package org.sluiceca.load.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.sluiceca.load.judge.PhaseJudge;
import org.sluiceca.load.page.Page;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.plan.HsmPlan;
import org.sluiceca.load.plan.NodePlan;
import org.sluiceca.load.plan.Phase;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.scenario.judge.ScenarioResults;

/**
 * The one page of a run: the verdict and what was missed first, then pictures, then the figures,
 * each by who can know it.
 */
public final class Summary {

  private final Results results;
  private final FigureTables tables;

  /** Creates the summary of {@code results}. */
  public Summary(Results results) {
    this.results = results;
    this.tables = new FigureTables(results);
  }

  /**
   * Writes {@code SUMMARY.md}, its pictures and {@code results.json}; returns the page's tables for
   * a terminal.
   */
  public static String write(Results results, Path folder) throws IOException {
    Page page = new Summary(results).page(new Plots(results).draw(folder));
    Files.writeString(folder.resolve("SUMMARY.md"), page.markdown());
    // Written last: a reader that finds this file finds all of them.
    Files.writeString(folder.resolve("results.json"), ResultsJson.of(results));
    return page.text();
  }

  /** Returns the page of the results. */
  public Page page(List<String> plots) {
    Page page = new Page("Load plan " + results.plan().name());
    page.inFile(results.plan().title() + ".").inFile("**" + verdict() + "**");
    tables.notShown().ifPresent(page::inFile);
    page.items(conditions());
    if (results.missed() > 0) {
      page.inFile("## Missed").inFile(GoalTable.of(results, true));
    }
    page.pictures(plots)
        .section(
            "Phases",
            tables.phases(),
            "Certificates by the ledger, latencies of 201 from when a request was due. Of possible:"
                + " issued by the lesser of what was offered and what the HSM can sign. Promised:"
                + " 202; refused: 429 and 503, both of all answers; failed: all else but 201, and"
                + " refusals that do not say when to come again. Fairness: Jain's index, 1 is equal."
                + " Sent late: the generator's own fault, which is in the latencies.")
        .section("HSM", tables.hsms(), "By the HSM: how busy its servers were, jobs in its queue.")
        .section(
            "Requesters",
            tables.requesters(),
            "Of the HSM's time: of what all certificates of the phase took.")
        .section("HSMs as the nodes have them", tables.tokens(), "")
        .section("Timeouts", tables.ladder(), "")
        .section(
            "Processors", tables.processors(), "Shares of all of the machine's, by the kernel.");
    results.gatling().ifPresent(seen -> new GatlingTables(seen, tables).add(page));
    page.section("After what happened", tables.recoveries(), "")
        .section("Goals", GoalTable.of(results, false), "")
        .paragraph(saturated())
        .paragraph(verdict())
        .paragraph(tables.notShown().orElse(""));
    return results.gatling().isEmpty()
        ? page
        : page.inFile("Gatling's own report is made in the folder `gatling` next to this page.");
  }

  /** Returns when, with what and on what it was measured. */
  List<String> conditions() {
    Plan plan = results.plan();
    List<String> conditions = new ArrayList<>();
    conditions.add(
        results.began().truncatedTo(ChronoUnit.SECONDS) + ", " + words(results.machine()));
    conditions.add(
        Text.format(
            "%d nodes%s on %s",
            plan.nodes().count(),
            plan.nodes().javaOptions().isEmpty() ? "" : " with " + plan.nodes().javaOptions(),
            plan.hsms().stream()
                .map(hsm -> "HSM " + hsm.name() + " of " + device(hsm, plan.nodes()))
                .collect(Collectors.joining(" and "))));
    boolean isClosed = plan.phases().stream().anyMatch(Phase::isClosed);
    conditions.add(
        Text.format(
            "%s, Prefer: wait=%d, client keys %s; %s",
            isClosed
                ? "closed loop"
                : "open loop, " + (plan.client().isPoisson() ? "Poisson" : "even") + " arrivals",
            plan.client().waitSeconds(),
            plan.client().key(),
            results
                .gatling()
                .map(Summary::clients)
                .orElse(results.connectionsOpened() + " connections opened")));
    results.gatling().ifPresent(seen -> conditions.add(counts(seen)));
    return conditions;
  }

  /** A herd obeys, whatever others do. */
  private static String clients(ScenarioResults seen) {
    boolean isHerd = seen.plan().phases().stream().anyMatch(phase -> phase.crowdSeconds() > 0);
    return Text.format(
        "Gatling, %d distinct requests; %s%s",
        seen.plan().distinctRequests(),
        seen.plan().client().description(),
        isHerd ? "; the crowd obeys Retry-After until it is served" : "");
  }

  private static String counts(ScenarioResults seen) {
    String again =
        Text.format(
            "; %d of the requests in segments that were interrupted and measured again",
            seen.interrupted());
    return Text.format(
        "%d requests, %d certificates%s",
        seen.requests(), seen.certificates(), seen.interrupted() == 0 ? "" : again);
  }

  private static String words(Map<String, String> machine) {
    return machine.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(entry -> entry.getKey() + " " + entry.getValue())
        .collect(Collectors.joining(", "));
  }

  /** What an HSM is: its rate, and its time for each kind of key that these nodes use. */
  private static String device(HsmPlan hsm, NodePlan nodes) {
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
        hsm.serviceMillis(nodes.issuerKey()),
        others,
        hsm.queue(),
        hsm.rttMillis(),
        hsm.isBackup() ? ", a backup" : "");
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

  /** Returns how many goals were met. */
  String verdict() {
    return results.missed() == 0
        ? Text.format("all %d goals met", results.verdicts().size())
        : Text.format("%d of %d goals missed", results.missed(), results.verdicts().size());
  }
}
