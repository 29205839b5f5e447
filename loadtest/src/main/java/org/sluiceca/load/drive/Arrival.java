package org.sluiceca.load.drive;

/**
 * A request that is due.
 *
 * @param afterNanos the phase's beginning
 * @param requester index of the offer that it belongs to
 */
record Arrival(long afterNanos, int requester) {}
