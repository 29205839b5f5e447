package org.sluiceca.load.bench;

import java.util.List;
import org.sluiceca.load.page.Json;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The page of a benchmark for programs. A figure that a product does not tell is null. */
final class PageJson {

  private PageJson() {}

  /** Returns one document: facts, each round, figures, stores, goals of a node alone, faults. */
  static String of(Measured measured, Honesty honesty) {
    ObjectNode document = Json.object();
    document.set("facts", Json.tree(measured.facts()));
    ArrayNode figures = document.putArray("figures");
    for (String load : measured.loads()) {
      for (Run.Subject subject : measured.subjects()) {
        List<Run> rounds = measured.of(subject, load);
        if (!rounds.isEmpty()) {
          name(figures.addObject(), subject)
              .put("load", load)
              .setAll((ObjectNode) Json.tree(Figures.of(rounds)));
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
      document.set("goals", Json.tree(Goals.judge(measured)));
    }
    document.set("faults", Json.tree(honesty.faults()));
    document.set("doubts", Json.tree(honesty.doubts()));
    return Json.text(document);
  }

  private static ObjectNode name(ObjectNode node, Run.Subject subject) {
    return node.put("product", subject.product()).put("configuration", subject.configuration());
  }

  private static void put(Run run, ObjectNode node) {
    node.put("load", run.place().load()).put("round", run.place().round());
    node.put("seconds", run.answers().seconds());
    node.put("issued", run.answers().issued()).put("refused", run.answers().refused());
    node.put("sent", run.answers().sent());
    node.put("p50Millis", run.latency().p50());
    node.put("p99Millis", run.latency().p99());
    node.put("maxMillis", run.latency().max());
    node.put("caMicros", run.costs().ca()).put("databaseMicros", run.costs().database());
    node.put("clientMicros", run.costs().client());
    node.put("allocatedBytes", run.costs().allocatedBytes());
    node.put("otherCpuShare", run.costs().othersShare());
    node.put("loadAverage", run.costs().loadAverage());
  }
}
