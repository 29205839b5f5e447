package org.sluiceca.load.inside;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line of the Prometheus text format.
 *
 * @param value NaN where the node does not know it
 */
public record Meter(String name, Map<String, String> labels, double value) {

  private static final Pattern LINE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)\\})? (\\S+)");
  private static final Pattern LABEL = Pattern.compile("([a-zA-Z0-9_]+)=\"([^\"]*)\"");

  /** Copies. */
  public Meter {
    labels = Map.copyOf(labels);
  }

  /** Reads a node's metrics; what is no such line is left out. */
  public static List<Meter> parse(String text) {
    return text.lines().map(LINE::matcher).filter(Matcher::matches).map(Meter::of).toList();
  }

  private static Meter of(Matcher line) {
    Map<String, String> labels = new HashMap<>();
    if (line.group(2) != null) {
      Matcher label = LABEL.matcher(line.group(2));
      while (label.find()) {
        labels.put(label.group(1), label.group(2));
      }
    }
    return new Meter(line.group(1), labels, number(line.group(3)));
  }

  /** Infinity is {@code +Inf} there; nothing that is looked at here is infinite. */
  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** Returns whether it has this name, and this value of a label. */
  boolean is(String wanted, String label, String labelValue) {
    return name.equals(wanted) && labelValue.equals(labels.get(label));
  }

  /** Returns the value of the one with this name and label; empty if there is none. */
  static OptionalDouble find(List<Meter> all, String name, String label, String labelValue) {
    return all.stream()
        .filter(meter -> meter.is(name, label, labelValue))
        .mapToDouble(Meter::value)
        .findFirst();
  }
}
