package org.sluiceca.load.watch;

import tools.jackson.databind.JsonNode;

/**
 * What the simulated HSM says of itself since its statistics were reset.
 *
 * @param atNanos by the clock of {@link System#nanoTime}, which on Linux is the HSM's own
 * @param latencyP50Millis of jobs, from arrival until their service was over
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
        said.path("latency").path("p50_ms").asDouble(),
        said.path("latency").path("p99_ms").asDouble());
  }
}
