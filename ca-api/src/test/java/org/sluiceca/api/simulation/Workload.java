package org.sluiceca.api.simulation;

/**
 * How much happens in one world; what happens is the seed's part.
 *
 * @param clients logical requests, some of which are sent by several tasks at once
 * @param nodes nodes of the cluster
 * @param faults how many faults may strike; those that would come later do not
 */
record Workload(long seed, int clients, int nodes, int faults) {

  static final int CLIENTS_MAX = 14;
  static final int NODES_MAX = 5;
  static final int FAULTS_MAX = 30;

  /** The workload that a seed stands for. */
  static Workload of(long seed) {
    Dice dice = new Dice(seed ^ 0x5DEECE66DL);
    return new Workload(
        seed, 4 + dice.below(CLIENTS_MAX - 3), 2 + dice.below(NODES_MAX - 1), FAULTS_MAX);
  }

  @Override
  public String toString() {
    return "-Dsim.seed=%d -Dsim.clients=%d -Dsim.nodes=%d -Dsim.faults=%d"
        .formatted(seed, clients, nodes, faults);
  }
}
