package org.sluiceca.load.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * What the rounds of one load on one CA come to: medians of rates and latencies, costs by the
 * whole.
 *
 * @param rate certificates a second, the median round
 * @param rateMin the slowest round
 * @param rateMax the fastest round
 * @param p50 milliseconds, the median of the rounds' medians
 * @param p99 milliseconds
 * @param caMicros processor time of the CA's process for a certificate
 * @param databaseMicros of its database
 * @param clientMicros of the client
 * @param allocatedBytes for a certificate
 * @param residentMib the largest, in MiB
 * @param refused answers without a certificate, and failed connections, of all rounds
 * @param othersShare of the processors, the round with the most
 * @param loadAverage the largest
 */
record Figures(
    @JsonProperty("certificatesPerSecond") double rate,
    @JsonProperty("slowestRound") double rateMin,
    @JsonProperty("fastestRound") double rateMax,
    @JsonProperty("p50Millis") double p50,
    @JsonProperty("p99Millis") double p99,
    double caMicros,
    double databaseMicros,
    double clientMicros,
    double allocatedBytes,
    double residentMib,
    long refused,
    @JsonProperty("otherCpuShare") double othersShare,
    double loadAverage) {

  /** Takes one round or more. */
  static Figures of(List<Run> rounds) {
    if (rounds.isEmpty()) {
      throw new IllegalArgumentException("no round");
    }
    double issued = rounds.stream().mapToLong(run -> run.issued()).sum();
    return new Figures(
        median(rounds, run -> run.rate()),
        rounds.stream().mapToDouble(run -> run.rate()).min().orElseThrow(),
        rounds.stream().mapToDouble(run -> run.rate()).max().orElseThrow(),
        median(rounds, run -> run.p50()),
        median(rounds, run -> run.p99()),
        sum(rounds, run -> run.caMicros()) / issued,
        sum(rounds, run -> run.databaseMicros()) / issued,
        sum(rounds, run -> run.clientMicros()) / issued,
        rounds.stream().mapToDouble(run -> run.allocatedBytes()).sum() / issued,
        rounds.stream().mapToLong(run -> run.residentKib()).max().orElseThrow() / 1024.0,
        rounds.stream().mapToLong(run -> run.refused()).sum(),
        rounds.stream().mapToDouble(run -> run.othersShare()).max().orElseThrow(),
        rounds.stream().mapToDouble(run -> run.loadAverage()).max().orElseThrow());
  }

  /** NaN if one of them is. */
  static double median(List<Run> rounds, ToDoubleFunction<Run> figure) {
    double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
    int half = sorted.length / 2;
    double upper = sorted[half];
    // Sorting puts a NaN last, where it might not be seen.
    if (Double.isNaN(sorted[sorted.length - 1])) {
      return Double.NaN;
    }
    return sorted.length % 2 == 1 ? upper : (sorted[half - 1] + upper) / 2;
  }

  private static double sum(List<Run> rounds, ToLongFunction<Run> figure) {
    return rounds.stream().mapToLong(figure).sum();
  }
}
