package org.sluiceca.load.page;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A picture of lines over one axis: a column of data for each line, in the order in which they were
 * added. Used by one thread.
 */
public final class Chart {

  private static final String HEAD =
      """
      set terminal svg size 900,420 font 'sans,12' background '#ffffff'
      set datafile missing '?'
      set key outside bottom center horizontal
      set grid
      set yrange [0:*]
      set samples 1000
      """;

  private final String name;
  private final StringBuilder script = new StringBuilder(HEAD);
  private final StringBuilder data = new StringBuilder();
  private final List<String> lines = new ArrayList<>();
  private int columns = 1;

  /** A picture in a file of this name, with these words at its axes. */
  public Chart(String name, String title, String across, String up) {
    this.name = name;
    script.append(Text.format("set title '%s'\nset xlabel '%s'\n", title, across));
    script.append(Text.format("set ylabel '%s'\n", up));
  }

  /** Adds an axis at the right, for the lines that are {@link #right}. */
  public Chart axis(String up) {
    return with("set y2tics\nset ytics nomirror\nset y2range [0:*]\nset y2label '" + up + "'\n");
  }

  /** Adds words of gnuplot. */
  public Chart with(String words) {
    script.append(words);
    return this;
  }

  /** Adds a dashed line by a formula of x. */
  public Chart formula(String formula, String title) {
    lines.add(Text.format("%s axes x1y1 title '%s' dt 2", formula, title));
    return this;
  }

  /** Adds a line. */
  public Chart left(String title, String style) {
    return line("", title, style);
  }

  /** Adds a line that belongs to the axis at the right. */
  public Chart right(String title, String style) {
    return line(" axes x1y2", title, style);
  }

  private Chart line(String axes, String title, String style) {
    columns++;
    lines.add(
        Text.format(
            "'%s.tsv' using 1:%d%s with %s title '%s' noenhanced",
            name, columns, axes, style, title));
    return this;
  }

  /** Marks a place of the axis. */
  public Chart mark(double at, String what) {
    return with(
        Text.format(
            """
            set arrow from %f, graph 0 to %f, graph 1 nohead dt 3
            set label '%s' at %f, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
            """,
            at, at, what.replace("'", ""), at));
  }

  /** Adds a point of each line; what is no number is a gap. */
  public Chart row(double... values) {
    data.append(Gnuplot.row(values));
    return this;
  }

  /** Interrupts all lines. */
  public Chart gap() {
    data.append('\n');
    return this;
  }

  /** Returns the name of the picture's file. */
  public String file() {
    return name + ".svg";
  }

  /** Returns the lines of data. */
  public String data() {
    return data.toString();
  }

  /** Returns the words of gnuplot. */
  public String script() {
    return script + "plot " + String.join(",\\\n  ", lines) + "\n";
  }

  /**
   * Draws it into {@code folder}, and returns the picture's name.
   *
   * @throws IOException if files cannot be written, or gnuplot fails
   */
  public String draw(Path folder) throws IOException {
    return new Gnuplot(folder).draw(name, data(), script());
  }
}
