package org.sluiceca.load.report;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.sluiceca.load.inside.TimeoutLadder;
import org.sluiceca.load.inside.TokenLook;
import org.sluiceca.load.judge.Occurrence;
import org.sluiceca.load.judge.PhaseJudge;
import org.sluiceca.load.judge.Recovery;
import org.sluiceca.load.judge.Verdict;
import org.sluiceca.load.page.Json;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.scenario.judge.Drift;
import org.sluiceca.load.scenario.judge.ScenarioResults;
import org.sluiceca.load.scenario.judge.Watched;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The results for programs. A figure that a phase does not have, or never came, is null. */
public final class ResultsJson {

  private ResultsJson() {}

  /** Returns the document's text. */
  public static String of(Results results) {
    ObjectNode document = Json.object();
    document.put("plan", results.plan().name());
    document.put("title", results.plan().title());
    document.put("began", results.began().toString());
    document.put("nodes", results.plan().nodes().count());
    document.put("capacity", results.plan().capacity());
    document.put("goalsMissed", results.missed());
    document.put("waitSeconds", results.plan().client().waitSeconds());
    document.set("machine", Json.tree(results.machine()));
    ArrayNode phases = document.putArray("phases");
    results.phases().forEach(figures -> put(figures, phases.addObject()));
    ArrayNode looks = document.putArray("tokens");
    for (TokenLook look : results.tokens()) {
      ObjectNode one = looks.addObject();
      one.put("second", (look.atNanos() - results.start()) / 1e9).put("hsm", look.hsm());
      one.put("sessions", look.sessions()).put("window", look.window());
      one.put("inflight", look.inflight()).put("waiting", look.waiting());
    }
    document.set("oracle", measures(results.oracle()));
    ArrayNode verdicts = document.putArray("goals");
    for (Verdict verdict : results.verdicts()) {
      ObjectNode node = verdicts.addObject();
      node.put("phase", verdict.phase()).put("goal", verdict.goal().toString());
      node.put("seen", verdict.value());
      if (verdict.goal().isRelative()) {
        node.put("of", verdict.base());
        node.put("processorsWereTheLimit", verdict.isOfBusyMachine());
      }
      node.put("met", verdict.isMet());
    }
    if (results.gatling().isPresent()) {
      put(results.gatling().get(), document);
    } else {
      document.put("connectionsOpened", results.connectionsOpened());
    }
    return Json.text(document);
  }

  private static void put(ScenarioResults seen, ObjectNode document) {
    document.put("clients", seen.plan().client().description());
    document.put("requests", seen.requests());
    document.put("requestsInterrupted", seen.interrupted());
    document.put("certificates", seen.certificates());
    for (int i = 0; i < seen.watched().size(); i++) {
      Watched at = seen.watched().get(i);
      ObjectNode phase = (ObjectNode) document.path("phases").path(i);
      phase.put("sitting", at.session()).put("fromMillis", at.fromMillis());
      ((ObjectNode) phase.path("processorShares"))
          .put("gatling", at.seen().used().share(at.gatlingTicks()));
    }
    document.set("figures", Json.tree(new TreeMap<>(seen.figures())));
    ArrayNode drifts = document.putArray("drifts");
    for (Drift drift : seen.drifts()) {
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
    document.set("operations", Json.tree(seen.operations()));
    document.set("persistence", Json.tree(seen.persistences()));
    document.set("errors", Json.tree(new TreeMap<>(seen.errors())));
  }

  private static void put(PhaseJudge.Figures figures, ObjectNode node) {
    node.put("name", figures.seen().phase().name());
    node.put("load", figures.seen().phase().load());
    node.put("seconds", figures.seen().seconds());
    node.set("measures", measures(figures.measures()));
    putParts("hsms", figures.hsms(), node);
    putParts("requesters", figures.requesters(), node);
    ObjectNode processors = node.putObject("processorShares");
    processors.put("nodes", figures.seen().used().share(figures.seen().used().nodes()));
    processors.put("database", figures.seen().used().share(figures.seen().used().database()));
    processors.put("generator", figures.seen().used().share(figures.seen().used().generator()));
    ObjectNode resident = node.putObject("residentBytes");
    new TreeMap<>(figures.seen().residentBytes())
        .forEach((number, bytes) -> resident.put("node-" + number, bytes));
    ArrayNode occurrences = node.putArray("occurrences");
    for (Occurrence occurrence : figures.seen().occurrences()) {
      occurrences
          .addObject()
          .put("what", occurrence.description())
          .put("second", (occurrence.atNanos() - figures.seen().fromNanos()) / 1e9);
    }
    ArrayNode recoveries = node.putArray("recoveries");
    for (Recovery recovery : figures.recoveries()) {
      ObjectNode one = recoveries.addObject().put("after", recovery.what());
      one.put("goodputSeconds", recovery.goodputSeconds());
      one.put("queueSeconds", recovery.queueSeconds());
    }
    putNodes(new TreeMap<>(figures.seen().metrics()), node.putObject("nodeMetrics"));
    ArrayNode sides = node.putArray("timeouts");
    for (List<TimeoutLadder.Rung> side : figures.seen().ladder().sides()) {
      ObjectNode rungs = sides.addObject();
      side.forEach(rung -> rungs.put(rung.what(), rung.seconds()));
    }
    if (!figures.seen().capacityDocument().isEmpty()) {
      node.set("capacity", JsonMapper.shared().readTree(figures.seen().capacityDocument()));
    }
  }

  /**
   * A row per metric with a column per node, since thirty nodes would name each metric 30 times.
   */
  private static void putNodes(SortedMap<Integer, Map<String, Double>> metrics, ObjectNode node) {
    ArrayNode columns = node.putArray("nodes");
    SortedSet<String> names = new TreeSet<>();
    metrics.forEach(
        (number, own) -> {
          columns.add("node-" + number);
          names.addAll(own.keySet());
        });
    for (String name : names) {
      ArrayNode row = node.putArray(name);
      metrics.values().forEach(own -> row.add(own.getOrDefault(name, Double.NaN)));
    }
  }

  private static void putParts(
      String name, Map<String, Map<Measure, Double>> parts, ObjectNode node) {
    ObjectNode all = node.putObject(name);
    new TreeMap<>(parts).forEach((part, own) -> all.set(part, measures(own)));
  }

  /** In the order in which they are listed. */
  private static JsonNode measures(Map<Measure, Double> measures) {
    return Json.tree(new TreeMap<>(measures));
  }
}
