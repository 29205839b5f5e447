package org.sluiceca.load.scenario.judge;

/**
 * One look at one node: memory, threads and files by the kernel, the queue and the HSM by the
 * node's own word, and the HSM's queue by the HSM.
 *
 * @param pid which life of the node it is
 * @param depth requests between admission and outcome, by {@code /v1/capacity}
 * @param waiting jobs of theirs in front of the HSM, by {@code ca_sign_queue_depth}
 * @param oldestSeconds the age of the one that has waited longest
 * @param inflight jobs that this node has in the HSM
 * @param limit its window
 * @param utilization one by the other
 * @param waitSeconds the sum of all waits so far, by {@code ca_sign_queue_wait_seconds}
 * @param waits how many there were
 */
public record NodeLook(
    long epochMillis,
    int node,
    long pid,
    double rssMegabytes,
    int threads,
    int files,
    int depth,
    int waiting,
    double oldestSeconds,
    int inflight,
    int limit,
    double utilization,
    double waitSeconds,
    double waits,
    int hsmQueue) {}
