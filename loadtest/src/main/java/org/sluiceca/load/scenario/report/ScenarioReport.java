package org.sluiceca.load.scenario.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.sluiceca.load.page.Page;
import org.sluiceca.load.scenario.judge.ScenarioResults;

/** Writes what came of a scenario. */
public final class ScenarioReport {

  private ScenarioReport() {}

  /**
   * Writes {@code SUMMARY.md}, its pictures and {@code results.json}; returns the page's tables for
   * a terminal.
   */
  public static String write(ScenarioResults results, Run run, Path folder) throws IOException {
    List<String> plots = new ScenarioPlots(results, folder).draw();
    Page page = new ScenarioPage(results, run).page(plots);
    Files.writeString(folder.resolve("SUMMARY.md"), page.markdown());
    // Written last: a reader that finds this file finds all of them.
    Files.writeString(folder.resolve("results.json"), ScenarioJson.of(results, run));
    return page.text();
  }
}
