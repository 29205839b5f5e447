package org.sluiceca.hsm.lane;

/**
 * The lane's numbers at one moment.
 *
 * @param oldestEnqueuedNanos when the job that has waited longest came; meaningless while none does
 */
record LaneSnapshot(
    int queueDepth,
    long oldestEnqueuedNanos,
    int inflight,
    double inflightLimit,
    int zombies,
    long completed,
    long meanServiceNanos) {}
