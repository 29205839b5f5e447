package org.sluiceca.hsm.limit.lease;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sluiceca.hsm.limit.Grant;
import org.sluiceca.hsm.limit.Limits;
import org.sluiceca.hsm.limit.NodeReport;

/**
 * Divides a window among nodes, and remembers what they may still use: the sum of all grants that
 * have not expired never exceeds the token's limit, whichever nodes have read which grants. Not
 * thread-safe; the caller passes the time.
 */
final class Leases {

  /** Of an equal part of the window: what an idle node keeps, to begin with. */
  private static final double IDLE = 0.25;

  private record Outstanding(long number, double width, long expiresNanos) {}

  private final double windowMax;
  private final long lifeNanos;
  private final Map<String, List<Outstanding>> outstanding = new HashMap<>();
  private long lastNumber;

  /**
   * No grants yet.
   *
   * @param before the number that the first grant's exceeds
   */
  Leases(double windowMax, long lifeNanos, long before) {
    this.windowMax = windowMax;
    this.lifeNanos = lifeNanos;
    this.lastNumber = before;
  }

  /** Returns the number of the newest grant; those to come have higher ones. */
  long lastNumber() {
    return lastNumber;
  }

  /**
   * Grants each node its part.
   *
   * @param tokenSeconds how long a job is in the token at present
   */
  List<Grant> divide(
      double window, Collection<NodeReport> reports, double tokenSeconds, long nowNanos) {
    Map<String, Double> shares = shares(window, reports, tokenSeconds);
    forget(reports, nowNanos);
    double held = outstanding.keySet().stream().mapToDouble(this::held).sum();
    double raises =
        shares.entrySet().stream()
            .mapToDouble(share -> Math.max(0, share.getValue() - held(share.getKey())))
            .sum();
    double room = Math.max(0, windowMax - held);
    double part = raises <= room ? 1 : room / raises;
    List<Grant> grants = new ArrayList<>();
    shares.forEach(
        (node, share) -> {
          double had = held(node);
          double width = share <= had ? share : had + part * (share - had);
          if (width >= Limits.WIDTH_MIN) {
            grants.add(grant(node, width, nowNanos));
          }
        });
    return grants;
  }

  private Grant grant(String node, double width, long nowNanos) {
    Grant grant = new Grant(node, ++lastNumber, width);
    outstanding
        .computeIfAbsent(node, n -> new ArrayList<>())
        .add(new Outstanding(grant.number(), width, nowNanos + lifeNanos));
    return grant;
  }

  /** A grant is over when it has expired or its node uses a newer one. */
  private void forget(Collection<NodeReport> reports, long nowNanos) {
    outstanding.values().forEach(g -> g.removeIf(o -> nowNanos - o.expiresNanos() >= 0));
    for (NodeReport report : reports) {
      outstanding
          .getOrDefault(report.node(), new ArrayList<>())
          .removeIf(o -> o.number() < report.grantSeen());
    }
    outstanding.values().removeIf(List::isEmpty);
  }

  private double held(String node) {
    return outstanding.getOrDefault(node, List.of()).stream()
        .mapToDouble(Outstanding::width)
        .max()
        .orElse(0);
  }

  /** Max-min over demand; weighted by the response, so that rates become equal, not windows. */
  private static Map<String, Double> shares(
      double window, Collection<NodeReport> reports, double tokenSeconds) {
    Map<String, Double> shares = new HashMap<>();
    List<NodeReport> hungry = new ArrayList<>(reports);
    double left = window;
    double idle = Math.min(1, IDLE * window / reports.size());
    while (!hungry.isEmpty()) {
      double level = left / weights(hungry, tokenSeconds);
      List<NodeReport> sated =
          hungry.stream()
              .filter(r -> demand(r, idle) < level * (tokenSeconds + r.rttSeconds()))
              .toList();
      if (sated.isEmpty()) {
        hungry.forEach(r -> shares.put(r.node(), level * (tokenSeconds + r.rttSeconds())));
        return shares;
      }
      for (NodeReport report : sated) {
        shares.put(report.node(), demand(report, idle));
        left -= demand(report, idle);
      }
      hungry.removeAll(sated);
    }
    // What no node asks for now is there for the node that asks next.
    double spare = left / weights(reports, tokenSeconds);
    for (NodeReport report : reports) {
      shares.merge(report.node(), spare * (tokenSeconds + report.rttSeconds()), Double::sum);
    }
    return shares;
  }

  private static double demand(NodeReport report, double idle) {
    return Math.max(idle, report.demand());
  }

  private static double weights(Collection<NodeReport> reports, double tokenSeconds) {
    return reports.stream().mapToDouble(r -> tokenSeconds + r.rttSeconds()).sum();
  }
}
