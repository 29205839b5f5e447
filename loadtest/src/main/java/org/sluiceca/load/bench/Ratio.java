package org.sluiceca.load.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * How many times as fast one CA is as another, round by round of one run: what troubled a round
 * troubled both.
 *
 * @param rate ours by theirs, the median round
 * @param least the round that was best for them
 * @param most the round that was best for us
 * @param cpu theirs by ours: processor time of CA and database for a certificate
 */
record Ratio(double rate, double least, double most, double cpu) {

  /**
   * Compares rounds of the same numbers.
   *
   * @throws IllegalArgumentException if one side lacks a round
   */
  static Ratio of(List<Run> ours, List<Run> theirs) {
    List<Double> ratios = new ArrayList<>();
    for (Run our : ours) {
      Run their =
          theirs.stream()
              .filter(run -> run.place().round() == our.place().round())
              .findFirst()
              .orElseThrow(
                  () -> new IllegalArgumentException("no such round: " + our.place().round()));
      ratios.add(our.answers().rate() / their.answers().rate());
    }
    if (ratios.isEmpty() || ratios.size() != theirs.size()) {
      throw new IllegalArgumentException(
          ours.size() + " rounds beside " + theirs.size() + " cannot be compared");
    }
    ratios.sort(Double::compare);
    int half = ratios.size() / 2;
    double median =
        ratios.size() % 2 == 1 ? ratios.get(half) : (ratios.get(half - 1) + ratios.get(half)) / 2;
    return new Ratio(median, ratios.getFirst(), ratios.getLast(), cpu(theirs) / cpu(ours));
  }

  private static double cpu(List<Run> rounds) {
    Figures figures = Figures.of(rounds);
    return figures.caMicros() + figures.databaseMicros();
  }
}
