package org.sluiceca.load.bench;

import static java.util.stream.Collectors.toMap;

import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Objects;

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
    Map<Integer, Run> others = theirs.stream().collect(toMap(Run::round, run -> run));
    if (ours.isEmpty()
        || ours.size() != theirs.size()
        || !ours.stream().map(Run::round).allMatch(others::containsKey)) {
      throw new IllegalArgumentException(
          ours.size() + " rounds and " + theirs.size() + " cannot be compared");
    }
    DoubleSummaryStatistics all =
        ours.stream().mapToDouble(run -> times(run, others)).summaryStatistics();
    return new Ratio(
        Figures.median(ours, run -> times(run, others)),
        all.getMin(),
        all.getMax(),
        cpu(theirs) / cpu(ours));
  }

  private static double times(Run our, Map<Integer, Run> theirs) {
    return our.rate() / Objects.requireNonNull(theirs.get(our.round())).rate();
  }

  private static double cpu(List<Run> rounds) {
    Figures figures = Figures.of(rounds);
    return figures.caMicros() + figures.databaseMicros();
  }
}
