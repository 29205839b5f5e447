package org.sluiceca.client.output;

import java.util.ArrayList;
import java.util.List;

/** Lines of columns, each as wide as its widest cell. Not thread-safe. */
public final class Table {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  /** A table with these headings. */
  public Table(String... headings) {
    rows.add(List.of(headings));
  }

  /** Adds a row; its cells are those of the headings, in their order. */
  public void row(String... cells) {
    if (cells.length != rows.getFirst().size()) {
      throw new IllegalArgumentException("a row of " + cells.length + " cells");
    }
    List<String> row = new ArrayList<>();
    for (String cell : cells) {
      row.add(Console.printable(cell));
    }
    rows.add(row);
  }

  /** The lines, headings first, without blanks at their ends. */
  public List<String> lines() {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length())).append(GAP);
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
