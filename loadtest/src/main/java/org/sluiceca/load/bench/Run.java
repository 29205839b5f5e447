package org.sluiceca.load.bench;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * One load on one CA, as it was written down.
 *
 * @param place what was loaded, and how
 * @param answers what the client counted
 * @param latency what the client waited
 * @param costs what it took
 */
record Run(Place place, Answers answers, Latency latency, Costs costs) {

  private static final Set<String> NAMES =
      Set.of(
          "product",
          "configuration",
          "load",
          "round",
          "seconds",
          "issued",
          "other",
          "errors",
          "sent",
          "p50",
          "p99",
          "max",
          "caMicros",
          "databaseMicros",
          "clientMicros",
          "busyMicros",
          "allMicros",
          "allocatedBytes",
          "residentKib",
          "loadAverage");

  /**
   * What was loaded, and how.
   *
   * @param load connections, or "batch" and their number
   * @param round 0 is the warm-up, which is counted and not measured
   */
  record Place(String product, String configuration, String load, int round) {

    /** The CA alone. */
    Subject subject() {
      return new Subject(product, configuration);
    }
  }

  /** A product in one configuration. */
  record Subject(String product, String configuration) {

    @Override
    public String toString() {
      return product + ", " + configuration;
    }
  }

  /**
   * What the client counted.
   *
   * @param issued answers that held a certificate
   * @param other answers that held none
   * @param errors connections that failed
   * @param sent requests that were sent, answered or not
   */
  record Answers(double seconds, long issued, long other, long errors, long sent) {

    double rate() {
      return issued / seconds;
    }

    long refused() {
      return other + errors;
    }
  }

  /** Milliseconds; NaN where the client does not tell. */
  record Latency(double p50, double p99, double max) {}

  /**
   * What it took.
   *
   * @param ca processor time of the CA's process, in microseconds
   * @param database of its database's processes
   * @param client of the client
   * @param busy of all processes of the machine
   * @param all what the processors had, busy or idle
   * @param allocatedBytes of the CA's heap; NaN where the product does not tell
   * @param residentKib the CA's largest resident memory so far
   * @param loadAverage of the last minute
   */
  record Costs(
      long ca,
      long database,
      long client,
      long busy,
      long all,
      double allocatedBytes,
      long residentKib,
      double loadAverage) {

    /** The share of all processors that neither the CA nor its database nor the client used. */
    double othersShare() {
      return all == 0 ? 0 : Math.max(0, busy - ca - database - client) / (double) all;
    }
  }

  boolean isMeasured() {
    return place.round() > 0;
  }

  /**
   * Reads {@code name=value} words.
   *
   * @throws IllegalArgumentException if one is missing, unknown, given twice or no number
   */
  static Run parse(String... words) {
    Map<String, String> values = words("run", NAMES, words);
    return new Run(
        new Place(
            text(values, "product"),
            text(values, "configuration"),
            text(values, "load"),
            (int) count(values, "round")),
        new Answers(
            positive(values, "seconds"),
            count(values, "issued"),
            count(values, "other"),
            count(values, "errors"),
            count(values, "sent")),
        new Latency(known(values, "p50"), known(values, "p99"), known(values, "max")),
        new Costs(
            count(values, "caMicros"),
            count(values, "databaseMicros"),
            count(values, "clientMicros"),
            count(values, "busyMicros"),
            count(values, "allMicros"),
            known(values, "allocatedBytes"),
            count(values, "residentKib"),
            known(values, "loadAverage")));
  }

  /** Returns the values of exactly these names. */
  static Map<String, String> words(String what, Set<String> names, String... words) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String word : words) {
      String[] parts = word.split("=", 2);
      if (parts.length != 2 || !names.contains(parts[0])) {
        throw new IllegalArgumentException("a " + what + " has no '" + word + "'");
      }
      if (values.put(parts[0], parts[1]) != null) {
        throw new IllegalArgumentException("a " + what + " has " + parts[0] + " twice");
      }
    }
    for (String name : names) {
      if (!values.containsKey(name)) {
        throw new IllegalArgumentException("a " + what + " lacks " + name);
      }
    }
    return values;
  }

  static String text(Map<String, String> values, String name) {
    String value = values.getOrDefault(name, "");
    if (value.isBlank()) {
      throw new IllegalArgumentException(name + " is empty");
    }
    return value;
  }

  static long count(Map<String, String> values, String name) {
    String value = text(values, name);
    try {
      long count = Long.parseLong(value);
      if (count >= 0) {
        return count;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " is no count: " + value, e);
    }
    throw new IllegalArgumentException(name + " is no count: " + value);
  }

  /** A number that the product may not tell. */
  private static double known(Map<String, String> values, String name) {
    return text(values, name).equals("unknown") ? Double.NaN : number(values, name);
  }

  private static double positive(Map<String, String> values, String name) {
    double number = number(values, name);
    if (number > 0) {
      return number;
    }
    throw new IllegalArgumentException(name + " is not positive: " + number);
  }

  private static double number(Map<String, String> values, String name) {
    String value = text(values, name);
    try {
      double number = Double.parseDouble(value);
      if (Double.isFinite(number) && number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " is no number: " + value, e);
    }
    throw new IllegalArgumentException(name + " is no number: " + value);
  }
}
