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
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The results for programs. A figure that a phase does not have, or never came, is null. */
public final class ResultsJson {

  private ResultsJson() {}

  /** Returns the document's text. */
  public static String of(Results results) {
    return Json.text(document(results));
  }

  /** Returns one document. */
  public static ObjectNode document(Results results) {
    ObjectNode document = Json.object();
    document.put("plan", results.plan().name());
    document.put("title", results.plan().title());
    document.put("began", results.began().toString());
    document.put("nodes", results.plan().nodes().count());
    document.put("capacity", results.plan().capacity());
    document.put("connectionsOpened", results.connectionsOpened());
    document.put("goalsMissed", results.missed());
    document.put("waitSeconds", results.plan().client().waitSeconds());
    document.set("machine", Json.tree(results.machine()));
    ArrayNode phases = document.putArray("phases");
    results.phases().forEach(figures -> put(figures, phases.addObject()));
    ArrayNode looks = document.putArray("tokens");
    long start = results.phases().getFirst().seen().fromNanos();
    for (TokenLook look : results.tokens()) {
      ObjectNode one = looks.addObject();
      one.put("second", (look.atNanos() - start) / 1e9).put("hsm", look.hsm());
      one.put("sessions", look.sessions()).put("window", look.window());
      one.put("inflight", look.inflight()).put("waiting", look.waiting());
    }
    put(results.oracle(), document.putObject("oracle"));
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
    return document;
  }

  private static void put(PhaseJudge.Figures figures, ObjectNode node) {
    node.put("name", figures.seen().phase().name());
    node.put("load", figures.seen().phase().load());
    node.put("seconds", figures.seen().seconds());
    put(figures.measures(), node.putObject("measures"));
    if (!figures.hsms().isEmpty()) {
      ObjectNode hsms = node.putObject("hsms");
      new TreeMap<>(figures.hsms()).forEach((name, own) -> put(own, hsms.putObject(name)));
    }
    ObjectNode requesters = node.putObject("requesters");
    new TreeMap<>(figures.requesters())
        .forEach((name, own) -> put(own, requesters.putObject(name)));
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
          .put("what", occurrence.told())
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

  private static void put(Map<Measure, Double> measures, ObjectNode node) {
    for (Measure measure : Measure.values()) {
      Double value = measures.get(measure);
      if (value != null) {
        node.put(measure.key(), value);
      }
    }
  }
}
