package org.sluiceca.load.sizing;

import java.util.LinkedHashMap;
import java.util.Map;
import org.sluiceca.load.cli.InputException;

/**
 * What a run has written down: a name, a number and how it was measured a line, between tabs; or
 * the word fact, a name and a text.
 *
 * @param figures by name
 * @param facts about the run, in the order of the lines
 */
record MachineRecord(Map<String, Figure> figures, Map<String, String> facts) {

  /** A number above 0, and how it was measured. */
  record Figure(double value, String how) {}

  /**
   * Reads a record.
   *
   * @throws InputException if a line is none of it, or a number is not above 0
   */
  static MachineRecord parse(String text) {
    Map<String, Figure> figures = new LinkedHashMap<>();
    Map<String, String> facts = new LinkedHashMap<>();
    for (String line : text.lines().toList()) {
      String[] parts = line.split("\t", 3);
      if (parts.length != 3) {
        throw new InputException("no line of a record: " + line);
      }
      if (parts[0].equals("fact")) {
        facts.put(parts[1], parts[2]);
      } else {
        figures.put(parts[0], new Figure(positive(parts[0], parts[1]), parts[2]));
      }
    }
    return new MachineRecord(figures, facts);
  }

  /**
   * Returns a figure.
   *
   * @throws InputException if it was not measured
   */
  double of(String name) {
    Figure figure = figures.get(name);
    if (figure == null) {
      throw new InputException(name + " was not measured");
    }
    return figure.value();
  }

  private static double positive(String name, String text) {
    try {
      double value = Double.parseDouble(text);
      if (value > 0 && value < 1e12) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw new InputException(name + " is no number: " + text);
    }
    throw new InputException(name + " is to be above 0, not " + text);
  }
}
