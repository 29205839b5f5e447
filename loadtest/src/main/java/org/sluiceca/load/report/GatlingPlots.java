package org.sluiceca.load.report;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.sluiceca.load.page.Chart;
import org.sluiceca.load.scenario.judge.NodeLook;
import org.sluiceca.load.scenario.judge.ScenarioResults;
import org.sluiceca.load.scenario.judge.ScenarioResults.Moment;
import org.sluiceca.load.scenario.judge.Watched;

/**
 * Pictures over time of what nodes and Gatling's clients showed: rates, latencies, queues, memory.
 */
final class GatlingPlots {

  /** More points are not seen in a picture, and are much to keep. */
  private static final int POINTS_MAX = 600;

  /** Figures of a phase are taken some milliseconds after the one before has ended. */
  private static final long GAP_MILLIS = 900;

  /** Where a few phases are, that is seen; a soak's segments are all alike. */
  private static final int MARKS_MAX = 12;

  private final ScenarioResults results;
  private final long start;
  private final boolean isLong;

  GatlingPlots(ScenarioResults results) {
    this.results = results;
    this.start = results.watched().stream().mapToLong(Watched::fromMillis).min().orElse(0);
    this.isLong = results.watched().getLast().untilMillis() - start > 1_200_000;
  }

  List<Chart> all() {
    List<Chart> charts = new ArrayList<>();
    Chart rates =
        chart("rates", "Offered and issued", "certificates/s")
            .left("offered", "lines")
            .left("issued", "lines lw 2");
    Chart latencies =
        chart("latency", "Latency of 201, by when the request was due", "ms from when it was due")
            .left("p50", "lines lw 2")
            .left("p99", "lines");
    long last = start;
    for (Moment moment : thinned(results.moments())) {
      if (hasGap(last, moment.epochMillis())) {
        rates.gap();
        latencies.gap();
      }
      last = moment.epochMillis();
      rates.row(time(last), moment.offered(), moment.issued());
      latencies.row(time(last), moment.p50Millis(), moment.p99Millis());
    }
    charts.add(rates);
    charts.add(latencies);
    if (!results.looks().isEmpty()) {
      List<List<NodeLook>> looks =
          thinned(
              List.copyOf(
                  results.looks().stream()
                      .collect(
                          Collectors.groupingBy(
                              NodeLook::epochMillis, TreeMap::new, Collectors.toList()))
                      .values()));
      charts.add(queues(looks));
      charts.add(memory(looks));
    }
    return charts;
  }

  private Chart chart(String name, String title, String up) {
    String across = (isLong ? "minutes" : "seconds") + " from the beginning";
    Chart chart = new Chart(name, title, across, up);
    if (results.watched().size() <= MARKS_MAX) {
      results.watched().forEach(at -> chart.mark(time(at.fromMillis()), at.phase()));
    }
    return chart;
  }

  /** A line through a time without measurements would mislead. */
  private boolean hasGap(long fromMillis, long untilMillis) {
    return results.watched().stream()
        .filter(at -> at.fromMillis() > fromMillis && at.fromMillis() <= untilMillis)
        .anyMatch(this::hasGapBefore);
  }

  private boolean hasGapBefore(Watched phase) {
    return results.watched().stream()
        .mapToLong(Watched::untilMillis)
        .filter(until -> until <= phase.fromMillis() + GAP_MILLIS)
        .max()
        .stream()
        .allMatch(until -> until < phase.fromMillis() - GAP_MILLIS);
  }

  private Chart queues(List<List<NodeLook>> looks) {
    Chart chart =
        chart("queue", "Queues of nodes and HSM", "requests and jobs")
            .axis("age of the oldest in s")
            .left("on the line", "lines")
            .left("of them waiting in nodes", "lines lw 2")
            .left("in the HSM", "lines")
            .left("the windows of all nodes", "lines dt 2")
            .left("of them waiting in it", "lines")
            .right("oldest (right)", "lines dt 3");
    for (List<NodeLook> moment : looks) {
      chart.row(
          time(moment.getFirst().epochMillis()),
          moment.stream().mapToInt(NodeLook::depth).sum(),
          moment.stream().mapToInt(NodeLook::waiting).sum(),
          moment.stream().mapToInt(NodeLook::inflight).sum(),
          moment.stream().mapToInt(NodeLook::limit).sum(),
          moment.getFirst().hsmQueue(),
          moment.stream().mapToDouble(NodeLook::oldestSeconds).max().orElse(0));
    }
    return chart;
  }

  /** A line for each node, whichever life it is in. */
  private Chart memory(List<List<NodeLook>> looks) {
    Chart chart = chart("memory", "Resident memory of the nodes", "MB of 2^{20} bytes");
    int[] nodes = results.looks().stream().mapToInt(NodeLook::node).distinct().sorted().toArray();
    for (int node : nodes) {
      chart.left("node " + node, "lines");
    }
    for (List<NodeLook> moment : looks) {
      double[] row = new double[1 + nodes.length];
      row[0] = time(moment.getFirst().epochMillis());
      for (int i = 0; i < nodes.length; i++) {
        int node = nodes[i];
        row[1 + i] =
            moment.stream()
                .filter(look -> look.node() == node)
                .mapToDouble(NodeLook::rssMegabytes)
                .findFirst()
                .orElse(Double.NaN);
      }
      chart.row(row);
    }
    return chart;
  }

  private static <T> List<T> thinned(List<T> all) {
    int step = Math.max(1, Math.ceilDiv(all.size(), POINTS_MAX));
    List<T> some = new ArrayList<>();
    for (int i = 0; i < all.size(); i += step) {
      some.add(all.get(i));
    }
    return some;
  }

  private double time(long epochMillis) {
    return (epochMillis - start) / (isLong ? 60_000.0 : 1000.0);
  }
}
