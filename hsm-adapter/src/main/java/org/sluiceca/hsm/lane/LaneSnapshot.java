package org.sluiceca.hsm.lane;

/**
 * The lane's numbers at one moment.
 *
 * @param displaced jobs that were moved to the bulk lane because they came too late for their
 *     waiter
 */
public record LaneSnapshot(
    int queueDepth,
    int inflight,
    double inflightLimit,
    int zombies,
    long completed,
    long displaced,
    long meanServiceNanos) {}
