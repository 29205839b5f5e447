package org.sluiceca.hsm.route;

import org.sluiceca.hsm.HsmStats;
import org.sluiceca.hsm.LaneStats;

/**
 * When a token would probably answer a request that it got now.
 *
 * @param predictedNanos from now until the answer
 */
record Candidate(TokenEndpoint endpoint, HsmStats stats, long predictedNanos) {
  /** Nothing is known of it: an HSM of middling speed. Wrong for one call, then it is measured. */
  private static final double SERVICE_UNKNOWN_NANOS = 10_000_000;

  /**
   * The work that waits and runs over the token's capacity, and the request's own time in it.
   *
   * <p>The mean response stands for both: it is measured with the network and with what other nodes
   * have in the token. Calls that hang count like others: when enough of them do to matter, the
   * lane declares the token lost.
   */
  static Candidate of(TokenEndpoint endpoint, HsmStats stats) {
    boolean isKnown = stats.meanServiceNanos() > 0;
    double response = isKnown ? (double) stats.meanServiceNanos() : SERVICE_UNKNOWN_NANOS;
    double queued =
        isKnown
            ? stats.lanes().stream().mapToDouble(LaneStats::workNanos).sum()
            : stats.queueDepth() * response;
    double work = queued + stats.inflight() * response;
    return new Candidate(endpoint, stats, (long) (work / stats.inflightLimit() + response));
  }

  boolean isWithin(long nanos) {
    return predictedNanos <= nanos;
  }

  boolean isIdle() {
    return stats.queueDepth() + stats.inflight() == 0;
  }
}
