package org.sluiceca.load.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * The program gnuplot, which draws one picture at a time; a call blocks until it is drawn, for a
 * minute at most.
 */
public final class Gnuplot {

  private static final int SECONDS_MAX = 60;

  private final Path folder;

  /** Draws into {@code folder}. */
  public Gnuplot(Path folder) {
    this.folder = folder;
  }

  /**
   * Draws {@code name.svg} and returns that name. {@code name.tsv} and {@code name.gnuplot} stay
   * next to it; the script names its files without a folder, for gnuplot runs where they are.
   *
   * @throws IOException if files cannot be written, or gnuplot fails
   */
  public String draw(String name, String data, String script) throws IOException {
    String picture = name + ".svg";
    Files.writeString(folder.resolve(name + ".tsv"), data);
    Path file = folder.resolve(name + ".gnuplot");
    Files.writeString(file, "set output '" + picture + "'\n" + script);
    Process process =
        new ProcessBuilder("gnuplot", file.getFileName() + "")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("gnuplot.log").toFile())
            .start();
    try {
      if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
        process.destroy();
        throw new IOException("gnuplot has no end");
      }
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    if (process.exitValue() != 0) {
      throw new IOException("gnuplot: " + Files.readString(folder.resolve("gnuplot.log")).strip());
    }
    Files.delete(folder.resolve("gnuplot.log"));
    return picture;
  }

  /** Returns a line of data; what is no number is a gap. */
  public static String row(double... values) {
    StringBuilder row = new StringBuilder();
    for (double value : values) {
      row.append(row.isEmpty() ? "" : "\t");
      row.append(Double.isFinite(value) ? Text.format("%.3f", value) : "?");
    }
    return row.append('\n').toString();
  }
}
