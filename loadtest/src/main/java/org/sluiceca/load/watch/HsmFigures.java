package org.sluiceca.load.watch;

import tools.jackson.databind.JsonNode;

/**
 * What the simulated HSM says of itself since its statistics were reset.
 *
 * @param atNanos by the clock of {@link System#nanoTime}, which on Linux is the HSM's own
 * @param latencyP50Millis of jobs, from arrival until their service was over; NaN if none was
 */
public record HsmFigures(
    long atNanos,
    double utilisation,
    int queueNow,
    int queueP50,
    int queueP99,
    int queueMax,
    long signed,
    long refusedFull,
    long overrun,
    int sessions,
    double latencyP50Millis,
    double latencyP99Millis) {

  /** Without latencies. */
  public HsmFigures(
      long atNanos,
      double utilisation,
      int queueNow,
      int queueP50,
      int queueP99,
      int queueMax,
      long signed,
      long refusedFull,
      long overrun,
      int sessions) {
    this(
        atNanos,
        utilisation,
        queueNow,
        queueP50,
        queueP99,
        queueMax,
        signed,
        refusedFull,
        overrun,
        sessions,
        Double.NaN,
        Double.NaN);
  }

  static HsmFigures of(JsonNode said) {
    long signed = 0;
    long refusedFull = 0;
    long overrun = 0;
    for (JsonNode keyClass : said.path("classes")) {
      signed += keyClass.path("signed").asLong();
      refusedFull += keyClass.path("refused_full").asLong();
      overrun += keyClass.path("overrun").asLong();
    }
    JsonNode queue = said.path("queue");
    return new HsmFigures(
        said.path("time_ns").asLong(),
        said.path("servers").path("utilisation").asDouble(),
        queue.path("now").asInt(),
        queue.path("p50").asInt(),
        queue.path("p99").asInt(),
        queue.path("max").asInt(),
        signed,
        refusedFull,
        overrun,
        said.path("sessions").path("now").asInt(),
        latency(said, signed, "p50_ms"),
        latency(said, signed, "p99_ms"));
  }

  /** The HSM reports 0 where there was no job, which would be the best there is. */
  private static double latency(JsonNode said, long signed, String name) {
    return signed == 0 ? Double.NaN : said.path("latency").path(name).asDouble(Double.NaN);
  }
}
