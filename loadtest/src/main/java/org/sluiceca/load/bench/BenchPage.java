package org.sluiceca.load.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.sluiceca.load.page.Json;
import org.sluiceca.load.page.Page;

/**
 * {@code BenchPage RECORD OUT}: the page of what a benchmark wrote down. Writes {@code SUMMARY.md}
 * and {@code results.json} into the folder OUT and prints the tables. Exit codes: 0 honest, 1 not,
 * 2 the record cannot be read.
 */
final class BenchPage {

  private BenchPage() {}

  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT);
    System.exit(run(Path.of(arguments[0]), Path.of(arguments[1])));
  }

  static int run(Path record, Path out) {
    try {
      Measured measured = Measured.parse(Files.readAllLines(record));
      Honesty honesty = Honesty.of(measured);
      Page page = new PageText(measured, honesty).page();
      Files.createDirectories(out);
      Files.writeString(out.resolve("SUMMARY.md"), page.markdown());
      Files.writeString(out.resolve("results.json"), json(measured, honesty));
      System.out.print(page.text());
      return honesty.faults().isEmpty() ? 0 : 1;
    } catch (IOException | IllegalArgumentException e) {
      System.err.println("sluice: " + record + ": " + e.getMessage());
      return 2;
    }
  }

  private static String json(Measured measured, Honesty honesty) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("facts", measured.facts());
    document.put("figures", measured.loaded());
    document.put("rounds", measured.runs());
    document.put("stores", measured.stores());
    if (measured.subjects().size() == 1) {
      document.put("goals", Goals.judge(measured));
    }
    document.put("faults", honesty.faults());
    document.put("doubts", honesty.doubts());
    return Json.text(document);
  }
}
