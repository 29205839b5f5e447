package org.sluiceca.load.scenario.report;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.sluiceca.load.judge.Evidence;
import org.sluiceca.load.report.Results;
import org.sluiceca.load.report.ResultsJson;
import org.sluiceca.load.scenario.judge.Drift;
import org.sluiceca.load.scenario.judge.Operation;
import org.sluiceca.load.scenario.judge.Persistence;
import org.sluiceca.load.scenario.judge.ScenarioResults;
import org.sluiceca.load.scenario.judge.Watched;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The results for programs: the document of a load plan, and what a scenario adds to it. A figure
 * that does not exist is null.
 */
final class ScenarioJson {

  private static final JsonMapper JSON = new JsonMapper();

  private ScenarioJson() {}

  static String of(ScenarioResults results, Run run) {
    ObjectNode document = (ObjectNode) JSON.readTree(ResultsJson.of(plan(results, run)));
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
    ObjectNode figures = document.putObject("figures");
    new TreeMap<>(results.figures()).forEach((name, value) -> put(figures, name, value));
    ArrayNode limits = document.putArray("limits");
    for (ScenarioResults.Judged judged : results.limits()) {
      ObjectNode one = limits.addObject().put("limit", judged.limit().toString());
      put(one, "seen", judged.value());
      one.put("met", judged.isKept());
    }
    ArrayNode drifts = document.putArray("drifts");
    for (Drift drift : results.drifts()) {
      ObjectNode one = drifts.addObject().put("series", drift.figure().key()).put("of", drift.of());
      put(one, "median", drift.trend().median());
      put(one, "slopePerHour", drift.trend().perHour());
      put(one, "slopeLow", drift.trend().lowPerHour());
      put(one, "slopeHigh", drift.trend().highPerHour());
      put(one, "hours", drift.trend().hours());
      put(one, "grew", drift.likelyGrowth());
      put(one, "grewForCertain", drift.growth());
      put(one, "growsADay", drift.dailyGrowth());
    }
    ArrayNode operations = document.putArray("operations");
    for (Operation operation : results.operations()) {
      ObjectNode one =
          operations
              .addObject()
              .put("phase", operation.phase())
              .put("kind", operation.kind().key());
      put(one, "asked", operation.asked());
      put(one, "served", operation.served());
      put(one, "p50Millis", operation.p50Millis());
      put(one, "p99Millis", operation.p99Millis());
      put(one, "refusedShare", operation.refusedShare());
      put(one, "failedShare", operation.failedShare());
    }
    ArrayNode clients = document.putArray("persistence");
    for (Persistence persistence : results.persistences()) {
      ObjectNode one =
          clients
              .addObject()
              .put("phase", persistence.phase())
              .put("clients", persistence.clients())
              .put("again", persistence.again())
              .put("unserved", persistence.unserved())
              .put("triesMax", persistence.triesMax());
      put(one, "servedP50Seconds", persistence.p50Seconds());
      put(one, "servedP99Seconds", persistence.p99Seconds());
      put(one, "servedMaxSeconds", persistence.maxSeconds());
    }
    ObjectNode errors = document.putObject("errors");
    new TreeMap<>(results.errors()).forEach(errors::put);
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(document) + "\n";
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

  private static void put(ObjectNode node, String name, double value) {
    if (Double.isFinite(value)) {
      node.put(name, value);
    } else {
      node.putNull(name);
    }
  }
}
