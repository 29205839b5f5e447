package org.sluiceca.load.scenario.judge;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.sluiceca.load.drive.Exchange;
import org.sluiceca.load.judge.Percentiles;

/**
 * What became of the clients of one phase that come again until they are served.
 *
 * @param clients that asked for a certificate, each once or more often
 * @param again those of them that asked more than once
 * @param unserved those that never got it, nor an order for it
 * @param triesMax of one client
 * @param p50Seconds from when the first request of a client was due until it had its certificate,
 *     of those that got it
 */
public record Persistence(
    String phase,
    long clients,
    long again,
    long unserved,
    int triesMax,
    @JsonProperty("servedP50Seconds") double p50Seconds,
    @JsonProperty("servedP99Seconds") double p99Seconds,
    @JsonProperty("servedMaxSeconds") double maxSeconds) {

  /** Of all requests of a phase: those of one client have one Idempotency-Key. */
  static Persistence of(String phase, List<Exchange> records) {
    Collection<List<Exchange>> clients =
        records.stream()
            .filter(sent -> sent.kind().isIssuance())
            .collect(Collectors.groupingBy(sent -> sent.request().key()))
            .values();
    double[] waits =
        clients.stream()
            .filter(tries -> tries.stream().anyMatch(Exchange::isServed))
            .mapToDouble(Persistence::waitSeconds)
            .toArray();
    Percentiles quantiles = new Percentiles(Arrays.stream(waits));
    return new Persistence(
        phase,
        clients.size(),
        clients.stream().filter(tries -> tries.size() > 1).count(),
        clients.stream().filter(Persistence::isUnserved).count(),
        clients.stream().mapToInt(List::size).max().orElse(0),
        quantiles.at(0.5),
        quantiles.at(0.99),
        quantiles.at(1));
  }

  private static boolean isUnserved(List<Exchange> tries) {
    return tries.stream().noneMatch(sent -> sent.isServed() || sent.isPromised());
  }

  private static double waitSeconds(List<Exchange> tries) {
    long due = tries.stream().mapToLong(Exchange::dueNanos).min().orElseThrow();
    long done =
        tries.stream()
            .filter(Exchange::isServed)
            .mapToLong(Exchange::doneNanos)
            .min()
            .orElseThrow();
    return (done - due) / 1e9;
  }
}
