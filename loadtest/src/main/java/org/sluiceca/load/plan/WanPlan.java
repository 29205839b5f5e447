package org.sluiceca.load.plan;

/**
 * What is between clients and nodes: of each node a link of its own, with a line each way.
 *
 * @param rttMillis the round trip, 0 to 2,000
 * @param mbit million bits a second of each line, 0.01 to 10,000
 * @param queueMillis what waits longer to be sent is lost, 1 to 10,000; where the WAN is of whole
 *     connections nothing is lost
 */
public record WanPlan(double rttMillis, double mbit, double queueMillis) {

  /** Validates. */
  public WanPlan {
    PlanFile.range("wan.rtt", rttMillis, 0, 2000);
    PlanFile.range("wan.mbit", mbit, 0.01, 10_000);
    PlanFile.range("wan.queue", queueMillis, 1, 10_000);
  }
}
