package org.sluiceca.blackbox;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Compares the answers of two servers to one script, and holds an explained list against them. */
final class Differences {

  /** The first line of a table that explains, as Markdown. */
  private static final String TABLE = "| Request | Part | Sluice | Pebble | Why | RFC |";

  private static final int CELLS = 6;

  /** A part of an answer in which the servers differ. */
  record Difference(String request, String part, String sluice, String pebble) {}

  /**
   * A row of the table.
   *
   * @param requests names or, with {@code *}, patterns of names
   * @param part name of the part, or a pattern
   */
  record Explanation(
      List<String> requests, String part, String sluice, String pebble, String why, String rfc) {

    boolean explains(Difference difference) {
      return requests.stream().anyMatch(request -> explains(request, difference));
    }

    private boolean explains(String request, Difference difference) {
      return matches(request, difference.request())
          && matches(part, difference.part())
          && sluice.equals(difference.sluice())
          && pebble.equals(difference.pebble());
    }
  }

  private Differences() {}

  /** Returns all differences, in the order of the script. */
  static List<Difference> between(List<Exchange> sluice, List<Exchange> pebble) {
    Map<String, Exchange> other = new LinkedHashMap<>();
    pebble.forEach(exchange -> other.put(exchange.request(), exchange));
    List<Difference> found = new ArrayList<>();
    for (Exchange ours : sluice) {
      Exchange theirs = other.remove(ours.request());
      if (theirs == null) {
        throw new AssertionError(ours.request() + " was not sent to Pebble");
      }
      found.addAll(between(ours, theirs));
    }
    if (!other.isEmpty()) {
      throw new AssertionError(other.keySet() + " were not sent to Sluice");
    }
    return found;
  }

  private static List<Difference> between(Exchange ours, Exchange theirs) {
    List<String> names =
        Stream.concat(ours.parts().keySet().stream(), theirs.parts().keySet().stream())
            // Of a success and a problem nothing else can be the same.
            .filter(name -> ours.isSuccess() == theirs.isSuccess() || name.equals(Exchange.ANSWER))
            // Where an object is on one side alone, its members say nothing more.
            .filter(name -> ours.hasParent(name) && theirs.hasParent(name))
            .distinct()
            .sorted()
            .toList();
    List<Difference> found = new ArrayList<>();
    for (String name : names) {
      String sluice = ours.parts().getOrDefault(name, Exchange.ABSENT);
      String pebble = theirs.parts().getOrDefault(name, Exchange.ABSENT);
      if (!sluice.equals(pebble)) {
        found.add(new Difference(ours.request(), name, sluice, pebble));
      }
    }
    return found;
  }

  /** Reads every table of a page whose first line is that of explanations. */
  static List<Explanation> explained(String page) {
    List<Explanation> rows = new ArrayList<>();
    boolean isTable = false;
    for (String line : page.lines().toList()) {
      if (line.equals(TABLE)) {
        isTable = true;
      } else if (!line.startsWith("|")) {
        isTable = false;
      } else if (isTable && !line.startsWith("|---")) {
        rows.add(row(line));
      }
    }
    if (rows.isEmpty()) {
      throw new AssertionError("no table begins with " + TABLE);
    }
    return rows;
  }

  private static Explanation row(String line) {
    List<String> cells =
        Stream.of(line.substring(1).split("\\|", -1))
            .map(cell -> cell.strip().replace("`", ""))
            .toList();
    if (cells.size() != CELLS + 1 || cells.subList(0, CELLS).stream().anyMatch(String::isEmpty)) {
      throw new AssertionError("six cells, none of them empty: " + line);
    }
    return new Explanation(
        List.of(cells.get(0).split("\\s*;\\s*")),
        cells.get(1),
        cells.get(2),
        cells.get(3),
        cells.get(4),
        cells.get(5));
  }

  /**
   * Returns what is wrong: differences that no row explains, as rows to be completed, and rows, or
   * requests in a row, that explain nothing.
   */
  static List<String> faults(List<Difference> differences, List<Explanation> rows) {
    Map<List<String>, TreeSet<String>> unexplained = new LinkedHashMap<>();
    for (Difference difference : differences) {
      if (rows.stream().noneMatch(row -> row.explains(difference))) {
        unexplained
            .computeIfAbsent(
                List.of(difference.part(), difference.sluice(), difference.pebble()),
                key -> new TreeSet<>())
            .add(difference.request());
      }
    }
    List<String> faults = new ArrayList<>();
    unexplained.forEach(
        (parts, requests) ->
            faults.add(
                "not explained: | %s | %s |  |  |"
                    .formatted(String.join("; ", requests), String.join(" | ", parts))));
    for (Explanation row : rows) {
      for (String request : row.requests()) {
        if (differences.stream().noneMatch(difference -> row.explains(request, difference))) {
          faults.add(
              "explains nothing: | %s | %s | %s | %s |"
                  .formatted(request, row.part(), row.sluice(), row.pebble()));
        }
      }
    }
    return faults;
  }

  private static boolean matches(String pattern, String text) {
    return Pattern.matches(
        Stream.of(pattern.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")),
        text);
  }

  /** The transcript of one side, a line for each part. */
  static String transcript(List<Exchange> exchanges) {
    StringBuilder text = new StringBuilder();
    for (Exchange exchange : exchanges) {
      text.append(exchange.request()).append('\n');
      new TreeMap<>(exchange.parts())
          .forEach(
              (name, value) ->
                  text.append("  ").append(name).append(": ").append(value).append('\n'));
    }
    return text.toString();
  }
}
