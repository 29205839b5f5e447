package org.sluiceca.load.scenario.report;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.sluiceca.load.judge.Evidence;
import org.sluiceca.load.page.Json;
import org.sluiceca.load.report.Results;
import org.sluiceca.load.report.ResultsJson;
import org.sluiceca.load.scenario.judge.Drift;
import org.sluiceca.load.scenario.judge.ScenarioResults;
import org.sluiceca.load.scenario.judge.Watched;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The results for programs: the document of a load plan, and what a scenario adds to it. A figure
 * that does not exist is null.
 */
final class ScenarioJson {

  private ScenarioJson() {}

  static String of(ScenarioResults results, Run run) {
    ObjectNode document = ResultsJson.document(plan(results, run));
    document.put("scenario", results.scenario().plan().name());
    document.put("commit", run.commit());
    document.put("clients", results.scenario().clients().told());
    document.put("requests", results.requests());
    document.put("requestsInterrupted", results.interrupted());
    document.put("certificates", results.certificates());
    document.put("missed", results.missed());
    // A client of Gatling's reports nothing about its connections.
    document.remove("connectionsOpened");
    putTimes(results.watched(), (ArrayNode) document.path("phases"));
    document.set("figures", Json.tree(new TreeMap<>(results.figures())));
    ArrayNode limits = document.putArray("limits");
    for (ScenarioResults.Judged judged : results.limits()) {
      ObjectNode one = limits.addObject().put("limit", judged.limit().toString());
      one.put("seen", judged.value());
      one.put("met", judged.isKept());
    }
    ArrayNode drifts = document.putArray("drifts");
    for (Drift drift : results.drifts()) {
      ObjectNode one = drifts.addObject().put("series", drift.figure().key()).put("of", drift.of());
      one.put("median", drift.trend().median());
      one.put("slopePerHour", drift.trend().perHour());
      one.put("slopeLow", drift.trend().lowPerHour());
      one.put("slopeHigh", drift.trend().highPerHour());
      one.put("hours", drift.trend().hours());
      one.put("grew", drift.likelyGrowth());
      one.put("grewForCertain", drift.growth());
      one.put("growsADay", drift.dailyGrowth());
    }
    document.set("operations", Json.tree(results.operations()));
    document.set("persistence", Json.tree(results.persistences()));
    document.set("errors", Json.tree(new TreeMap<>(results.errors())));
    return Json.text(document);
  }

  private static Results plan(ScenarioResults results, Run run) {
    return new Results(
        results.scenario().plan(),
        run.began(),
        run.machine(),
        results.phases(),
        results.oracle(),
        results.verdicts(),
        new Evidence(List.of(), List.of(), Map.of(), 0),
        List.of(),
        0);
  }

  private static void putTimes(List<Watched> watched, ArrayNode phases) {
    for (int i = 0; i < watched.size(); i++) {
      ObjectNode phase = (ObjectNode) phases.path(i);
      phase.put("sitting", watched.get(i).session());
      phase.put("fromMillis", watched.get(i).fromMillis());
      ((ObjectNode) phase.path("processorShares"))
          .put("gatling", watched.get(i).used().share(watched.get(i).gatlingTicks()));
    }
  }
}
