package org.sluiceca.api.console.live;

import com.google.errorprone.annotations.FormatMethod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.sluiceca.api.console.live.feed.Figures;
import org.sluiceca.api.console.live.nodes.NodeSecond;
import org.sluiceca.api.console.live.nodes.NodesFeed.Neighbour;
import org.sluiceca.api.console.live.nodes.NodesFeed.Neighbours;

/** What the live page shows of all nodes: a sentence, a row each, and their sum. */
final class NodesView {

  private static final String NONE = "–";
  private static final String LOST = "lost";

  private static final double MINUTE = 60;

  /** More would not fit a screen; they count in the sum. */
  private static final int ROWS_MAX = 40;

  private NodesView() {}

  /**
   * Returns the lists of the page's part.
   *
   * @param own what this node says of itself
   * @param isMeasured whether its rates are known
   */
  static Map<String, List<LiveView.Row>> lists(
      NodeSecond own, boolean isMeasured, Neighbours others) {
    List<Neighbour> nodes =
        Stream.concat(Stream.of(new Neighbour(own, 0, false)), others.nodes().stream())
            .sorted(Comparator.comparing(node -> node.second().node()))
            .toList();
    List<NodeSecond> heard =
        nodes.stream().filter(Neighbour::isHeard).map(Neighbour::second).toList();
    return Map.of(
        "cluster",
        List.of(sentence(nodes, heard, others)),
        "nodes",
        nodes.stream()
            .limit(ROWS_MAX)
            .map(node -> row(node, node.second().equals(own) && !isMeasured))
            .toList(),
        "sum",
        List.of(sum(nodes.size(), heard)));
  }

  private static LiveView.Row row(Neighbour node, boolean isMeasuring) {
    NodeSecond second = node.second();
    NodeSecond.Load load = second.load();
    if (!node.isHeard()) {
      return new LiveView.Row(
          fields(
              second.node(),
              node.isSilent() ? "silent for " + time(node.ageSeconds()) : "not heard yet",
              List.of(NONE, NONE, NONE, NONE, NONE, NONE)),
          0,
          node.isSilent() ? LOST : "busy",
          false);
    }
    return new LiveView.Row(
        fields(
            second.node(),
            isMeasuring ? "measuring" : word(second.state()),
            List.of(
                Figures.percent(load.utilization()),
                load.tokensUsable() + " of " + load.tokens(),
                isMeasuring ? NONE : Figures.rate(load.issued()) + "/s",
                Figures.count(load.depth()),
                Figures.seconds(load.waitSeconds()),
                isMeasuring ? NONE : Figures.rate(load.refused()) + "/s")),
        load.utilization(),
        colour(second.state()),
        false);
  }

  private static Map<String, String> fields(String name, String state, List<String> figures) {
    return Map.of(
        LiveView.NAME,
        name,
        "state",
        state,
        "used",
        figures.get(0),
        "tokens",
        figures.get(1),
        "issued",
        figures.get(2),
        "depth",
        figures.get(3),
        "wait",
        figures.get(4),
        "refused",
        figures.get(5));
  }

  private static String word(String state) {
    return switch (state) {
      case "full" -> "refusing";
      case LOST -> "no HSM";
      default -> state;
    };
  }

  /** A state that another release writes is shown, in no colour of its own. */
  private static String colour(String state) {
    return switch (state) {
      case "busy", "full", LOST -> state;
      default -> "calm";
    };
  }

  /** Waits count by certificates, use by windows. */
  private static LiveView.Row sum(int nodes, List<NodeSecond> heard) {
    List<NodeSecond.Load> loads = heard.stream().map(NodeSecond::load).toList();
    double issued = loads.stream().mapToDouble(NodeSecond.Load::issued).sum();
    double window = loads.stream().mapToDouble(NodeSecond.Load::window).sum();
    double waits = loads.stream().mapToDouble(load -> load.waitSeconds() * load.issued()).sum();
    double used = loads.stream().mapToDouble(load -> load.utilization() * load.window()).sum();
    double utilization = LiveView.part(used, window);
    int usable = loads.stream().mapToInt(NodeSecond.Load::tokensUsable).sum();
    int tokens = loads.stream().mapToInt(NodeSecond.Load::tokens).sum();
    return new LiveView.Row(
        fields(
            "All",
            heard.size() + " of " + nodes + (nodes == 1 ? " node" : " nodes"),
            List.of(
                Figures.percent(utilization),
                usable + " of " + tokens,
                Figures.rate(issued) + "/s",
                Figures.count(loads.stream().mapToInt(NodeSecond.Load::depth).sum()),
                Figures.seconds(issued > 0 ? waits / issued : 0),
                Figures.rate(loads.stream().mapToDouble(NodeSecond.Load::refused).sum()) + "/s")),
        utilization,
        LiveView.state(utilization),
        false);
  }

  /** What matters most first; which nodes are missing after it. */
  private static LiveView.Row sentence(
      List<Neighbour> nodes, List<NodeSecond> heard, Neighbours others) {
    if (others.isAway()) {
      return said(
          LOST,
          text(
              "The database has not answered for %s: only this node is seen.",
              time(others.unseenSeconds())));
    }
    if (!others.isKnown()) {
      return said("idle", "Looking for the other nodes.");
    }
    List<String> silent =
        nodes.stream().filter(Neighbour::isSilent).map(node -> node.second().node()).toList();
    LiveView.Row limit = limit(heard);
    return silent.isEmpty()
        ? limit
        : said(
            LOST,
            limit.fields().get("text")
                + text(
                    " %s %s stopped writing figures: down, or cut off from the database.",
                    names(silent), silent.size() == 1 ? "has" : "have"));
  }

  private static LiveView.Row limit(List<NodeSecond> heard) {
    List<String> lost = in(heard, LOST);
    if (!lost.isEmpty()) {
      return said(LOST, text("No HSM can sign on %s.", names(lost)));
    }
    List<String> full = in(heard, "full");
    if (!full.isEmpty()) {
      NodeSecond most = most(heard.stream().filter(node -> node.state().equals("full")));
      String why =
          most.stage().equals("hsm")
              ? text("the window of %s is full on %s", most.token(), most.node())
              : text("what limits %s is on its own page", most.node());
      return said("full", text("Requests are refused for load on %s: %s.", names(full), why));
    }
    NodeSecond most = most(heard.stream());
    if (most.state().equals("busy")) {
      return said(
          "busy",
          text(
              "Busy: the window of %s on %s is used at %s, and nothing is refused for load.",
              most.token(), most.node(), Figures.percent(most.load().utilization())));
    }
    double issued = heard.stream().mapToDouble(node -> node.load().issued()).sum();
    return issued == 0
        ? said("idle", "Idle: no node issues a certificate.")
        : said(
            "calm",
            text("Calm: %s certificates a second, and every HSM has room.", Figures.rate(issued)));
  }

  private static List<String> in(List<NodeSecond> nodes, String state) {
    return nodes.stream().filter(n -> n.state().equals(state)).map(NodeSecond::node).toList();
  }

  private static NodeSecond most(Stream<NodeSecond> nodes) {
    Optional<NodeSecond> most =
        nodes.max(Comparator.comparingDouble(node -> node.load().utilization()));
    return most.orElseThrow();
  }

  /** Three of them, and how many more. */
  private static String names(List<String> nodes) {
    List<String> first = new ArrayList<>(nodes.subList(0, Math.min(3, nodes.size())));
    int more = nodes.size() - first.size();
    return String.join(", ", first) + (more > 0 ? " and " + more + " more" : "");
  }

  private static String time(double seconds) {
    return seconds < MINUTE ? Figures.count(seconds) + " s" : Figures.seconds(seconds);
  }

  private static LiveView.Row said(String state, String text) {
    return new LiveView.Row(Map.of("text", text), 0, state, false);
  }

  @FormatMethod
  private static String text(String form, Object... values) {
    return String.format(Locale.ROOT, form, values);
  }
}
