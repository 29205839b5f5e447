package org.sluiceca.hsm.limit.lease;

import org.sluiceca.hsm.limit.lease.TokenSimulation.Control;
import org.sluiceca.hsm.limit.lease.TokenSimulation.Seen;

/** What may happen to nodes that share a token, and what must be true ten seconds later. */
enum ClusterEvent {
  NOTHING,
  STAGGERED_JOINS,
  NODE_CRASHES,
  HALF_IDLE,
  MIXED_NETWORK,
  ENGINES_HALVED,
  ENGINES_DOUBLED,
  HALF_SPEED,
  DOUBLE_SPEED,
  STALL_2_SECONDS,
  STALL_30_SECONDS,
  BUSY_2_SECONDS,
  HIDDEN_RETRIES,
  LEADER_LOST,
  BASE_TOO_SHORT,
  BASE_TOO_LONG,
  HALF_LOAD,
  BURST_AFTER_HALF_LOAD,
  SHORT_QUEUE;

  private static final double NEAR = 0.0005;
  private static final double FAR = 0.02;
  private static final int SHORT = 16;
  private static final double SETTLE_SECONDS = 20;
  private static final double RECOVER_SECONDS = 10;
  private static final double OBSERVED_SECONDS = 30;

  /** Whether it can happen there at all. */
  boolean isPossible(TokenSimulation.Cell cell) {
    return switch (this) {
      case NODE_CRASHES, HALF_IDLE -> cell.nodes() > 1;
      case ENGINES_HALVED, ENGINES_DOUBLED -> cell.engines() > 1;
      case LEADER_LOST -> cell.control() != Control.ALONE;
      default -> true;
    };
  }

  /** How many jobs wait in the token at most. */
  int queueMax() {
    return this == SHORT_QUEUE ? SHORT : TokenSimulation.QUEUE;
  }

  /** Runs it and watches from ten seconds after. */
  Seen run(TokenSimulation simulation) {
    if (this == BASE_TOO_SHORT) {
      simulation.baseError = 0.8;
    } else if (this == BASE_TOO_LONG) {
      simulation.baseError = 1.2;
    }
    for (int i = 0; i < simulation.cell.nodes(); i++) {
      simulation.join(this == MIXED_NETWORK ? (i % 2 == 0 ? 2 * NEAR : FAR) : NEAR);
      simulation.run(this == STAGGERED_JOINS ? 1 : 0);
    }
    if (this == HALF_IDLE) {
      for (int i = 0; i < simulation.cell.nodes(); i += 2) {
        simulation.nodes.get(i).isIdle = true;
      }
    }
    if (this == HALF_LOAD || this == BURST_AFTER_HALF_LOAD) {
      double half = 0.5 * simulation.cell.engines() / TokenSimulation.BASE;
      simulation.nodes.forEach(node -> node.offer(half / simulation.cell.nodes()));
    }
    simulation.run(SETTLE_SECONDS);
    simulation.run(RECOVER_SECONDS + happen(simulation));
    return simulation.observe(OBSERVED_SECONDS);
  }

  /** Returns how long it lasts, in seconds. */
  private double happen(TokenSimulation simulation) {
    switch (this) {
      case NODE_CRASHES -> simulation.nodes.getFirst().isAlive = false;
      case ENGINES_HALVED -> simulation.engines /= 2;
      case ENGINES_DOUBLED -> simulation.engines *= 2;
      case HALF_SPEED -> simulation.slow = 2;
      case DOUBLE_SPEED -> simulation.slow = 0.5;
      case STALL_2_SECONDS -> simulation.stall(2);
      case STALL_30_SECONDS -> simulation.stall(30);
      case BUSY_2_SECONDS -> simulation.refuse(2);
      case HIDDEN_RETRIES -> simulation.retryHidden(5);
      case BURST_AFTER_HALF_LOAD -> simulation.nodes.forEach(TokenSimulation.Node::flood);
      case LEADER_LOST -> {
        simulation.loseLeader();
        simulation.run(8);
        simulation.elect();
      }
      default -> {}
    }
    return switch (this) {
      case STALL_2_SECONDS, BUSY_2_SECONDS -> 2;
      case STALL_30_SECONDS -> 30;
      case HIDDEN_RETRIES -> 5;
      default -> 0;
    };
  }

  /** What must be seen; docs/adr/0016 says why some of it is not asked of nodes alone. */
  record Demand(
      double utilizationMin,
      double jainMin,
      int queue99Max,
      int inTokenMax,
      boolean isBusyAllowed) {

    boolean isMetBy(Seen seen) {
      return seen.utilization() >= utilizationMin
          && seen.jain() >= jainMin
          && seen.queue99() <= queue99Max
          && seen.inTokenMax() <= inTokenMax
          && (isBusyAllowed || seen.busy() == 0);
    }
  }

  /** The bounds of the design: 97 %, 0.99, and a queue of the square root's order. */
  Demand demand(TokenSimulation simulation) {
    int nodes = simulation.cell.nodes();
    int queue99 = (int) Math.ceil(Math.max(nodes, 2 * Math.sqrt(simulation.engines * nodes) + 8));
    // Each node's window may be a fraction of a job above its grant.
    int all =
        (int) (0.6 * queueMax() + Math.max(simulation.engines, simulation.cell.engines())) + nodes;
    Demand full = new Demand(0.97, 0.99, queue99, all, false);
    if (this == HALF_LOAD) {
      // What comes by chance is not equal to begin with.
      return new Demand(0.48, 0.97, queue99, all, false);
    }
    if (0.4 * queueMax() < nodes) {
      // The fractions of all windows may be whole jobs at once, and the HSM says busy.
      return new Demand(0.8, 0.98, queueMax(), queueMax() + simulation.engines, true);
    }
    if (simulation.cell.control() != Control.ALONE) {
      // A far node's window of 1.06 jobs is sometimes two.
      return this == MIXED_NETWORK ? new Demand(0.97, 0.99, queue99 + 1, all, false) : full;
    }
    return switch (this) {
      case MIXED_NETWORK -> new Demand(0.97, 0.8, all, all, false);
      case HALF_SPEED -> new Demand(0.95, 0.99, all, all, false);
      case ENGINES_HALVED, DOUBLE_SPEED, BURST_AFTER_HALF_LOAD ->
          new Demand(0.97, 0.99, all, all, false);
      default -> full;
    };
  }
}
