package org.sluiceca.load.page;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/** Rows under a heading, as Markdown and for a terminal. Used by one thread. */
public final class Table {

  private final List<List<String>> rows = new ArrayList<>();

  /** Creates a table without rows. */
  public Table(String... heading) {
    rows.add(List.of(heading));
  }

  /** A column of a table that has a row for each of some values. */
  public record Column<T>(String title, Function<T, String> cell) {}

  /** Returns a column with this title. */
  public static <T> Column<T> column(String title, Function<T, String> cell) {
    return new Column<>(title, cell);
  }

  /** Returns a table with a row for each of {@code values}. */
  @SafeVarargs
  public static <T> Table of(Collection<T> values, Column<? super T>... columns) {
    List<Column<? super T>> all = new ArrayList<>();
    for (Column<? super T> column : columns) {
      all.add(column);
    }
    Table table = new Table(all.stream().map(Column::title).toArray(String[]::new));
    for (T value : values) {
      table.add(all.stream().map(column -> column.cell().apply(value)).toArray(String[]::new));
    }
    return table;
  }

  /** Adds a row. */
  public void add(String... cells) {
    rows.add(List.of(cells));
  }

  /** Returns whether it has no row. */
  public boolean isEmpty() {
    return rows.size() == 1;
  }

  /** Returns the rows, the heading first. */
  public List<List<String>> rows() {
    return List.copyOf(rows);
  }

  /** Returns it in Markdown. */
  public String markdown() {
    List<String> lines = new ArrayList<>();
    rows.forEach(row -> lines.add("| " + String.join(" | ", row) + " |\n"));
    lines.add(1, "|---".repeat(rows.getFirst().size()) + "|\n");
    return String.join("", lines);
  }

  /**
   * Returns it with its columns in line: the first one begins, the others end at the same place.
   */
  public String text() {
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
    return text.toString();
  }
}
