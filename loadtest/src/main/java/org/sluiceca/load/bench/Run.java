package org.sluiceca.load.bench;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * One load on one CA, as it was written down. Latencies are milliseconds, NaN where the client does
 * not tell; times of processors are microseconds.
 *
 * @param round 0 for the warm-up
 * @param issued answers that held a certificate
 * @param other answers that held none
 * @param errors connections that failed
 * @param sent requests that were sent, answered or not
 * @param caMicros of the CA's process
 * @param databaseMicros of its database's processes
 * @param clientMicros of the client
 * @param busyMicros of all processes of the machine
 * @param allMicros what the processors had, busy or idle
 * @param allocatedBytes of the CA's heap; NaN where the product does not tell
 * @param residentKib the CA's largest resident memory so far
 * @param loadAverage of the last minute
 */
record Run(
    String product,
    String configuration,
    String load,
    int round,
    double seconds,
    long issued,
    long other,
    long errors,
    long sent,
    @JsonProperty("p50Millis") @JsonAlias("p50") double p50,
    @JsonProperty("p99Millis") @JsonAlias("p99") double p99,
    @JsonProperty("maxMillis") @JsonAlias("max") double max,
    long caMicros,
    long databaseMicros,
    long clientMicros,
    long busyMicros,
    long allMicros,
    double allocatedBytes,
    long residentKib,
    double loadAverage) {

  /** A CA in one configuration. */
  record Subject(String product, String configuration) {

    @Override
    public String toString() {
      return product + ", " + configuration;
    }
  }

  Subject subject() {
    return new Subject(product, configuration);
  }

  double rate() {
    return issued / seconds;
  }

  @JsonProperty
  long refused() {
    return other + errors;
  }

  /** The share of all processors that neither the CA nor its database nor the client used. */
  @JsonProperty("otherCpuShare")
  double othersShare() {
    return allMicros == 0
        ? 0
        : Math.max(0, busyMicros - caMicros - databaseMicros - clientMicros) / (double) allMicros;
  }

  /** Returns whether it is no warm-up. */
  boolean isMeasured() {
    return round > 0;
  }

  /** Returns what it is among others. */
  String name() {
    return subject() + ", " + load + ", round " + round;
  }
}
