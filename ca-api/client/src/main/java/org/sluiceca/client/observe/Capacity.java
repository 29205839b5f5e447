package org.sluiceca.client.observe;

import java.util.List;
import java.util.Locale;
import org.sluiceca.client.output.Table;
import tools.jackson.databind.JsonNode;

/**
 * What a node says of its capacity, {@code GET /v1/capacity}.
 *
 * @param answer as it came
 */
record Capacity(JsonNode answer) {
  static final String PATH = "/v1/capacity";

  /** Far more than a node has. */
  private static final int ROWS_MAX = 500;

  List<JsonNode> lanes() {
    return Cells.elements(answer, "lanes", ROWS_MAX);
  }

  List<JsonNode> hsms() {
    return Cells.elements(answer, "hsms", ROWS_MAX);
  }

  Table laneTable() {
    Table table = new Table("LANE", "DEPTH", "CAPACITY", "OLDEST", "RATE/S", "ETA");
    for (JsonNode lane : lanes()) {
      table.row(
          Cells.text(lane, "name"),
          Cells.count(lane, "depth"),
          Cells.count(lane, "capacity"),
          Cells.seconds(lane, "oldestAgeSeconds"),
          Cells.rate(lane, "ratePerSecond"),
          Cells.seconds(lane, "etaSeconds"));
    }
    return table;
  }

  Table hsmTable() {
    Table table =
        new Table(
            "HSM",
            "STATE",
            "BREAKER",
            "PREFERENCE",
            "REGION",
            "IN FLIGHT",
            "LIMIT",
            "USED",
            "CAPACITY/S");
    for (JsonNode hsm : hsms()) {
      table.row(
          Cells.text(hsm, "name"),
          Cells.text(hsm, "state"),
          Cells.text(hsm, "breaker"),
          Cells.text(hsm, "preference"),
          Cells.text(hsm, "region"),
          Cells.count(hsm, "inflight"),
          Cells.count(hsm, "limit"),
          Cells.share(hsm, "utilization"),
          Cells.rate(hsm, "capacityPerSecond"));
    }
    return table;
  }

  /** The orders that wait for any node, in one line. */
  String backlog() {
    JsonNode backlog = answer.path("backlog");
    return "backlog of all nodes: "
        + Cells.count(backlog, "orders")
        + " orders, "
        + Cells.rate(backlog, "ratePerSecond")
        + "/s, ETA "
        + Cells.seconds(backlog, "etaSeconds");
  }

  /** Depth and capacity of a lane. */
  String lane(String name) {
    return lanes().stream()
        .filter(lane -> lane.path("name").asString("").equals(name))
        .findFirst()
        .map(lane -> Cells.count(lane, "depth") + "/" + Cells.count(lane, "capacity"))
        .orElse(Cells.NONE);
  }

  /** The longest time, in seconds, that a lane needs for what waits in it. */
  String eta() {
    double most =
        lanes().stream().mapToDouble(l -> l.path("etaSeconds").asDouble(0)).max().orElse(0);
    return String.format(Locale.ROOT, "%.2f s", Math.clamp(most, 0, 1e9));
  }

  String readyHsms() {
    long ready = hsms().stream().filter(h -> h.path("state").asString("").equals("ready")).count();
    return ready + " of " + hsms().size() + " ready";
  }

  /** Signatures in flight at all HSMs, and how many may be. */
  String inFlight() {
    return sum("%.0f", "inflight") + "/" + sum("%.0f", "limit");
  }

  /** What all HSMs sign in a second at most, as far as the node has learnt it. */
  String perSecond() {
    return sum("%.1f", "capacityPerSecond");
  }

  private String sum(String format, String name) {
    double sum = hsms().stream().mapToDouble(h -> h.path(name).asDouble(0)).sum();
    return String.format(Locale.ROOT, format, Math.clamp(sum, 0, 1e12));
  }
}
