package org.sluiceca.load.bench.idle;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.sluiceca.load.page.Text;

/**
 * One CA at one rate, in one window. Latencies are milliseconds, NaN if nothing was issued; times
 * of processors are microseconds.
 *
 * @param rate requests a second
 * @param fromSeconds after the load began
 * @param untilSeconds after the load began
 * @param seconds between the two readings of processor time
 * @param due requests that were due
 * @param sent requests that were sent, answered or not
 * @param issued answers that held a certificate
 * @param other answers that held none
 * @param errors requests without an answer
 * @param caMicros of the CA's process and of those it started
 * @param jitMicros of its JIT compilers, a part of the above; NaN if it has none
 * @param databaseMicros of its PostgreSQL's processes
 * @param clientMicros of the client
 * @param busyMicros of all processes of the machine
 * @param allMicros what the processors had, busy or idle
 * @param residentKib of the CA, at the end of the window
 * @param residentMostKib the most that it had until then
 */
record Window(
    String product,
    int rate,
    double fromSeconds,
    double untilSeconds,
    double seconds,
    long due,
    long sent,
    long issued,
    long other,
    long errors,
    double p50Millis,
    double p99Millis,
    double maxMillis,
    long caMicros,
    double jitMicros,
    long databaseMicros,
    long clientMicros,
    long busyMicros,
    long allMicros,
    long residentKib,
    long residentMostKib) {

  /** Returns the milliseconds of this time for one certificate; NaN if there is none. */
  double millisEach(double micros) {
    return issued == 0 ? Double.NaN : micros / 1_000 / issued;
  }

  /** Returns the share of one core that this time is. */
  double core(double micros) {
    return micros / 1e6 / seconds;
  }

  /** Returns milliseconds of CA and database for a certificate. */
  @JsonProperty
  double caMillisEach() {
    return millisEach((double) caMicros);
  }

  @JsonProperty
  double databaseMillisEach() {
    return millisEach((double) databaseMicros);
  }

  @JsonProperty
  double caCoreShare() {
    return core((double) caMicros);
  }

  @JsonProperty
  double databaseCoreShare() {
    return core((double) databaseMicros);
  }

  @JsonProperty
  long refused() {
    return other + errors;
  }

  /** Returns the share of all processors that neither CA nor database nor client used. */
  @JsonProperty("otherCpuShare")
  double othersShare() {
    return allMicros == 0
        ? 0
        : Math.max(0, busyMicros - caMicros - databaseMicros - clientMicros) / (double) allMicros;
  }

  /** Returns its minutes, as the columns of a page have them. */
  String minutes() {
    return minutes(fromSeconds) + " to " + minutes(untilSeconds);
  }

  private static String minutes(double seconds) {
    return Text.number(seconds / 60, 2).replaceFirst("\\.?0+$", "");
  }

  String name() {
    return Text.format("%s, %d/s, minutes %s", product, rate, minutes());
  }
}
