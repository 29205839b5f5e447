package org.sluiceca.hsm;

/**
 * What waits in one lane of a signer.
 *
 * @param depth jobs that wait
 * @param oldestAgeNanos for how long the oldest has waited, 0 when none does
 * @param workNanos what they will cost the token, one after the other
 */
public record LaneStats(Lane lane, int depth, long oldestAgeNanos, long workNanos) {}
