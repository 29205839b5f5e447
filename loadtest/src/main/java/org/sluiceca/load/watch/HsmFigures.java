package org.sluiceca.load.watch;

import tools.jackson.databind.JsonNode;

/**
 * What the simulated HSM says of itself since its statistics were reset.
 *
 * @param atNanos by the clock of {@link System#nanoTime}, which on Linux is the HSM's own
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
    int sessions) {

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
        said.path("sessions").path("now").asInt());
  }
}
