package org.sluiceca.load.bench;

import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The page of a benchmark for programs. A figure that a product does not tell is null. */
final class PageJson {

  private static final JsonMapper JSON = new JsonMapper();

  private PageJson() {}

  /** Returns one document: facts, each round, figures, stores, goals of a node alone, faults. */
  static String of(Measured measured, Honesty honesty) {
    ObjectNode document = JSON.createObjectNode();
    ObjectNode facts = document.putObject("facts");
    measured.facts().forEach(facts::put);
    ArrayNode figures = document.putArray("figures");
    for (String load : measured.loads()) {
      for (Run.Subject subject : measured.subjects()) {
        List<Run> rounds = measured.of(subject, load);
        if (!rounds.isEmpty()) {
          put(Figures.of(rounds), name(figures.addObject(), subject).put("load", load));
        }
      }
    }
    ArrayNode runs = document.putArray("rounds");
    measured.runs().forEach(run -> put(run, name(runs.addObject(), run.place().subject())));
    ArrayNode stores = document.putArray("stores");
    for (Store store : measured.stores()) {
      name(stores.addObject(), store.subject())
          .put("added", store.added())
          .put("verified", store.verified())
          .put("durability", store.durability());
    }
    if (measured.subjects().size() == 1) {
      ArrayNode goals = document.putArray("goals");
      for (Goals.Verdict verdict : Goals.judge(measured)) {
        ObjectNode goal = goals.addObject().put("goal", verdict.goal());
        put(goal, "seen", verdict.seen());
        goal.put("met", verdict.isMet());
      }
    }
    ArrayNode faults = document.putArray("faults");
    honesty.faults().forEach(faults::add);
    ArrayNode doubts = document.putArray("doubts");
    honesty.doubts().forEach(doubts::add);
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(document) + "\n";
  }

  private static ObjectNode name(ObjectNode node, Run.Subject subject) {
    return node.put("product", subject.product()).put("configuration", subject.configuration());
  }

  private static void put(Figures figures, ObjectNode node) {
    put(node, "certificatesPerSecond", figures.rate());
    put(node, "slowestRound", figures.rateMin());
    put(node, "fastestRound", figures.rateMax());
    put(node, "p50Millis", figures.p50());
    put(node, "p99Millis", figures.p99());
    put(node, "caMicros", figures.caMicros());
    put(node, "databaseMicros", figures.databaseMicros());
    put(node, "clientMicros", figures.clientMicros());
    put(node, "allocatedBytes", figures.allocatedBytes());
    put(node, "residentMib", figures.residentMib());
    node.put("refused", figures.refused());
    put(node, "otherCpuShare", figures.othersShare());
  }

  private static void put(Run run, ObjectNode node) {
    node.put("load", run.place().load()).put("round", run.place().round());
    put(node, "seconds", run.answers().seconds());
    node.put("issued", run.answers().issued()).put("refused", run.answers().refused());
    node.put("sent", run.answers().sent());
    put(node, "p50Millis", run.latency().p50());
    put(node, "p99Millis", run.latency().p99());
    put(node, "maxMillis", run.latency().max());
    node.put("caMicros", run.costs().ca()).put("databaseMicros", run.costs().database());
    node.put("clientMicros", run.costs().client());
    put(node, "allocatedBytes", run.costs().allocatedBytes());
    put(node, "otherCpuShare", run.costs().othersShare());
    put(node, "loadAverage", run.costs().loadAverage());
  }

  private static void put(ObjectNode node, String name, double value) {
    if (Double.isFinite(value)) {
      node.put(name, value);
    } else {
      node.putNull(name);
    }
  }
}
