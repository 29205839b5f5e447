package org.sluiceca.load.scenario.judge;

/**
 * A point of the plots of requests.
 *
 * @param epochMillis the middle of the time that it stands for
 * @param offered issuances a second that were due, each counted once
 * @param issued certificates a second, by the ledger
 * @param p50Millis of those that were due then and issued
 */
public record Moment(
    long epochMillis, double offered, double issued, double p50Millis, double p99Millis) {}
