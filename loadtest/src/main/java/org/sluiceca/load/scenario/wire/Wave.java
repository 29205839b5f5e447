package org.sluiceca.load.scenario.wire;

/**
 * Requests that are due in a stretch of time.
 *
 * @param phase its number in the run
 * @param fromSeconds after the time began
 * @param seconds in which they are due
 * @param count of requests; no chance is in it, so that what is missing is seen
 * @param untilSeconds when a client that is refused again and again goes home
 */
public record Wave(int phase, double fromSeconds, double seconds, int count, double untilSeconds) {}
