package org.sluiceca.load.scenario.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Rows under a heading, as Markdown and for a terminal. Used by one thread. */
final class Table {

  private final List<List<String>> rows = new ArrayList<>();

  Table(String... heading) {
    rows.add(List.of(heading));
  }

  void add(String... cells) {
    rows.add(List.of(cells));
  }

  boolean isEmpty() {
    return rows.size() == 1;
  }

  String markdown() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < rows.size(); i++) {
      text.append("| ").append(String.join(" | ", rows.get(i))).append(" |\n");
      if (i == 0) {
        text.append("|---".repeat(rows.getFirst().size())).append("|\n");
      }
    }
    return text.append('\n').toString();
  }

  String text() {
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String blanks = " ".repeat(widths[i] - row.get(i).length());
        line.append(i == 0 ? row.get(i) + blanks : "  " + blanks + row.get(i));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.append('\n').toString();
  }

  /** Returns a number with {@code digits} digits after the decimal point. */
  static String number(double value, int digits) {
    if (Double.isNaN(value)) {
      return "-";
    }
    return Double.isInfinite(value)
        ? "never"
        : String.format(Locale.ROOT, "%." + digits + "f", value);
  }

  static String percent(double share) {
    return Double.isNaN(share) ? "-" : String.format(Locale.ROOT, "%.1f%%", 100 * share);
  }
}
