package org.sluiceca.load.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.sluiceca.load.page.Text;

/**
 * Goals for one node on two cores, with SoftHSM, a durable database and the client alongside it.
 */
final class Goals {

  private static final double RATE = 4_500;

  /** Twenty million in an hour. */
  private static final double RATE_STRETCH = 5_600;

  private static final double BATCH_RATE = 6_000;
  private static final double NODE_MICROS = 240;
  private static final double DATABASE_MICROS = 60;
  private static final double ALLOCATED_BYTES = 150 * 1024;
  private static final double TOKEN_SHARE = 0.60;

  private static final String BATCH = "batch";

  private Goals() {}

  /**
   * A goal and what came of it.
   *
   * @param goal the limit in words
   * @param seen NaN if it could not be measured
   */
  record Verdict(String goal, double seen, @JsonProperty("met") boolean isMet) {}

  /** Judges a run of one node alone; goals that its loads or its key do not touch are left out. */
  static List<Verdict> judge(Measured measured) {
    List<Verdict> verdicts = new ArrayList<>();
    List<Figures> single = figures(measured, false);
    Optional<Figures> best = single.stream().max(Comparator.comparingDouble(Figures::rate));
    String token = measured.facts().get("bare token signatures/s");
    if (token != null) {
      double bare = Double.parseDouble(token);
      best.ifPresent(
          figures ->
              verdicts.add(
                  atLeast(
                      Text.format("of the bare token on all cores, %.0f signatures/s", bare),
                      TOKEN_SHARE,
                      figures.rate() / bare)));
      return verdicts;
    }
    best.ifPresent(
        figures -> {
          verdicts.add(atLeast("certificates/s, one a request", RATE, figures.rate()));
          verdicts.add(atLeast("stretch: certificates/s", RATE_STRETCH, figures.rate()));
          verdicts.add(atMost("µs of node CPU a certificate", NODE_MICROS, figures.caMicros()));
          verdicts.add(
              atMost(
                  "µs of database CPU a certificate", DATABASE_MICROS, figures.databaseMicros()));
          verdicts.add(
              atMost("octets allocated a certificate", ALLOCATED_BYTES, figures.allocatedBytes()));
        });
    figures(measured, true).stream()
        .max(Comparator.comparingDouble(Figures::rate))
        .ifPresent(
            figures ->
                verdicts.add(atLeast("certificates/s in batches", BATCH_RATE, figures.rate())));
    return verdicts;
  }

  private static List<Figures> figures(Measured measured, boolean isBatch) {
    return measured.loads().stream()
        .filter(load -> load.startsWith(BATCH) == isBatch)
        .map(load -> Figures.of(measured.of(measured.subjects().getFirst(), load)))
        .toList();
  }

  private static Verdict atLeast(String what, double limit, double seen) {
    return new Verdict(Text.format("≥ %s %s", PageText.shown(limit), what), seen, seen >= limit);
  }

  private static Verdict atMost(String what, double limit, double seen) {
    return new Verdict(Text.format("≤ %s %s", PageText.shown(limit), what), seen, seen <= limit);
  }
}
