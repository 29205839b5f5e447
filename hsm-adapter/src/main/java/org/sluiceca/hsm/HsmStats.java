package org.sluiceca.hsm;

import java.util.List;

/**
 * A snapshot of one signer, read without a lock: each number is right, together they may be a few
 * microseconds apart.
 *
 * @param state whether signatures can be had
 * @param queueDepth jobs waiting for a session
 * @param queueCapacity bound of the queue
 * @param oldestAgeNanos age of the job that has waited longest, 0 when none waits
 * @param lanes what waits in each lane, in the order of {@link Lane}
 * @param inflight jobs handed to the token, zombies included
 * @param inflightLimit the window: bound of {@code inflight}, in fractions of a job
 * @param zombieCalls calls that still run in the token although their waiter has gone
 * @param sessions sessions open at the token
 * @param completed signatures made since the start, late ones included
 * @param displaced jobs that nobody waits for any more: moved from the interactive to the bulk lane
 * @param meanServiceNanos moving average of C_SignInit and C_Sign, 0 before the first
 * @param reinitialisations how often the PKCS#11 module was initialised again to find its token
 */
public record HsmStats(
    HsmState state,
    int queueDepth,
    int queueCapacity,
    long oldestAgeNanos,
    List<LaneStats> lanes,
    int inflight,
    double inflightLimit,
    int zombieCalls,
    int sessions,
    long completed,
    long displaced,
    long meanServiceNanos,
    long reinitialisations) {

  /** What waits in {@code lane}. */
  public LaneStats lane(Lane lane) {
    return lanes.stream().filter(l -> l.lane() == lane).findFirst().orElseThrow();
  }
}
