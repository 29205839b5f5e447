package org.sluiceca.load.day.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.sluiceca.load.day.DayRun;
import org.sluiceca.load.day.state.Costs;
import org.sluiceca.load.page.Goals;
import org.sluiceca.load.page.Json;

/** Writes what came of a run into its folder. */
public final class DayReport {

  private DayReport() {}

  /**
   * Writes SUMMARY.md and the plots, and results.json if the run is over; returns the page.
   *
   * @param machine what figures are worth nothing without
   * @throws IOException if a file cannot be written, or gnuplot fails
   */
  public static String write(DayRun.Result result, Map<String, String> machine, Path out)
      throws IOException {
    Goals goals = DayGoals.of(result);
    List<String> pictures = new DayPlot(result).draw(out);
    String page = new DayPage(result, machine, goals).page(pictures).markdown();
    Files.writeString(out.resolve("SUMMARY.md"), page);
    if (result.isOver()) {
      Files.writeString(out.resolve("results.json"), json(result, machine, goals));
    }
    return page;
  }

  private static String json(DayRun.Result result, Map<String, String> machine, Goals goals) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("plan", result.plan());
    all.put("machine", machine);
    all.put("goals", goals.all());
    all.put("sessions", result.history().sessions());
    all.put("marks", result.marks());
    all.put("costsAtMarks", costs(result));
    result.history().costs().warm().ifPresent(cost -> all.put("costOfWarmNodes", cost));
    all.put("curve", result.history().costs().curve());
    return Json.text(all);
  }

  private static Map<Long, Costs.Cost> costs(DayRun.Result result) {
    Map<Long, Costs.Cost> costs = new LinkedHashMap<>();
    result
        .marks()
        .forEach(
            mark ->
                result
                    .history()
                    .costs()
                    .at(mark.mark())
                    .ifPresent(cost -> costs.put(mark.stored(), cost)));
    return costs;
  }
}
