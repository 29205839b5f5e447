package org.sluiceca.core.bench.ratio;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one run has measured: ratios of processor time, whose names have the form {@code step /
 * other}, and bytes that a step allocates, by the name of the figure.
 */
record Figures(Map<String, Double> values) {

  private static final String BYTES = " bytes";

  /** A step over what it is compared with. */
  private record Ratio(String step, String other) {
    String name() {
      return step + " / " + other;
    }
  }

  private static final List<Ratio> RATIOS =
      List.of(
          new Ratio(LineWork.STEP_3, LineWork.VERIFICATION),
          new Ratio(LineWork.STEPS_4_AND_7, LineWork.SIGNATURE),
          new Ratio(LineWork.READING, LineWork.PARSING),
          new Ratio(LineWork.STEP_4, LineWork.PARSING),
          new Ratio(LineWork.SLOWER_READING, LineWork.PARSING));

  private static final List<String> ALLOCATING =
      List.of(
          LineWork.STEP_3,
          LineWork.READING,
          LineWork.STEP_4,
          LineWork.STEP_7,
          LineWork.WASTEFUL_READING);

  /**
   * What one round has measured of one piece of work.
   *
   * @param nanos of processor time for each repetition
   * @param bytes allocated for each repetition
   */
  record Cost(double nanos, double bytes) {}

  Figures {
    values = Map.copyOf(values);
  }

  /**
   * Returns the medians over rounds. A ratio is taken within a round, whose two sides were measured
   * within a moment of each other, so that a change of the machine's speed cancels out.
   */
  static Figures ofRounds(List<Map<String, Cost>> rounds) {
    Map<String, Double> values = new LinkedHashMap<>();
    for (Ratio ratio : RATIOS) {
      values.put(
          ratio.name(),
          median(
              rounds.stream()
                  .mapToDouble(
                      costs ->
                          cost(costs, ratio.step()).nanos() / cost(costs, ratio.other()).nanos())
                  .toArray()));
    }
    for (String step : ALLOCATING) {
      values.put(
          step + BYTES,
          median(rounds.stream().mapToDouble(costs -> cost(costs, step).bytes()).toArray()));
    }
    return new Figures(values);
  }

  /** Returns the medians over forks of the JVM, each of which may have compiled otherwise. */
  static Figures ofForks(List<Figures> forks) {
    Map<String, Double> values = new LinkedHashMap<>();
    for (String name : forks.getFirst().values().keySet()) {
      values.put(
          name,
          median(
              forks.stream()
                  .mapToDouble(fork -> fork.values().getOrDefault(name, Double.NaN))
                  .toArray()));
    }
    return new Figures(values);
  }

  /** Returns whether a name is one of bytes, not of a ratio. */
  static boolean isOfBytes(String name) {
    return name.endsWith(BYTES);
  }

  /** Returns the lines that {@link #parse} reads. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    values.forEach((name, value) -> lines.add(name + " = " + value));
    return lines;
  }

  /** Reads the lines of one fork. */
  static Figures parse(List<String> lines) {
    Map<String, Double> values = new LinkedHashMap<>();
    for (String line : lines) {
      String[] words = line.split(" = ", 2);
      if (words.length != 2) {
        throw new IllegalArgumentException("not a figure: " + line);
      }
      values.put(words[0], Double.parseDouble(words[1]));
    }
    return new Figures(values);
  }

  private static Cost cost(Map<String, Cost> costs, String name) {
    Cost cost = costs.get(name);
    if (cost == null) {
      throw new IllegalArgumentException("not measured: " + name);
    }
    return cost;
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    int middle = values.length / 2;
    return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  }
}
