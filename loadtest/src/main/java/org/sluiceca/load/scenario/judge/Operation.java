package org.sluiceca.load.scenario.judge;

import java.util.Arrays;
import java.util.List;
import org.sluiceca.load.drive.Exchange;
import org.sluiceca.load.judge.Percentiles;
import org.sluiceca.load.plan.Offer.Kind;

/**
 * What came of requests of one kind that issue nothing, in one phase.
 *
 * @param asked requests a second that were due in the measured time
 * @param served those a second that were answered with 200
 * @param refusedShare 429 and 503 with Retry-After, of all
 * @param failedShare all else
 */
public record Operation(
    String phase,
    Kind kind,
    double asked,
    double served,
    double p50Millis,
    double p99Millis,
    double refusedShare,
    double failedShare) {

  static Operation of(String phase, Kind kind, List<Exchange> records, double seconds) {
    double[] served =
        records.stream().filter(Exchange::isServed).mapToDouble(Exchange::latencyMillis).toArray();
    double all = records.size();
    long refused = records.stream().filter(Exchange::isRefusedWell).count();
    Percentiles latencies = new Percentiles(Arrays.stream(served));
    return new Operation(
        phase,
        kind,
        all / seconds,
        served.length / seconds,
        latencies.at(0.5),
        latencies.at(0.99),
        refused / all,
        (all - refused - served.length) / all);
  }
}
