package org.sluiceca.load.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.plan.Goal;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.plan.Plan;

/**
 * A page of a plan's own: a file with figures in braces, {@code {PHASE.MEASURE:DIGITS}} or {@code
 * {NUMBER/PHASE.MEASURE:%}}, and with {@code {conditions}}, {@code {goals}}, {@code {verdict}},
 * {@code {pictures}}, {@code {rate}}, {@code {N/rate}}, {@code {queue}}, {@code {nodes}} and {@code
 * {sessions}}, those of a fixed window.
 */
public final class PlanPage {

  private static final Pattern FIGURE =
      Pattern.compile("\\{(?:([0-9]+)/)?(?:([a-z0-9]+)\\.)?([a-z0-9@-]+)(?::([0-9%]))?\\}");

  private final Results results;
  private final Map<String, String> words;

  private PlanPage(Results results) {
    this.results = results;
    Plan plan = results.plan();
    this.words =
        Map.of(
            "conditions", String.join("; ", new Summary(results).conditions()),
            "goals", GoalTable.of(results, false).markdown(),
            "pictures", pictures(results),
            "verdict", new Summary(results).verdict(),
            "sessions", "" + plan.fixedSessions(),
            "nodes", "" + plan.nodes().count(),
            "queue", "" + plan.hsms().getFirst().queue());
  }

  /** Fills in the file and writes it into {@code folder} by its name in capitals. */
  public static void write(Results results, Path page, Path folder) throws IOException {
    String name = (page.getFileName() + "").replace(".md", "").toUpperCase(Locale.ROOT) + ".md";
    Files.writeString(folder.resolve(name), of(results, Files.readString(page)));
  }

  /** Returns the text with all figures filled in. */
  static String of(Results results, String text) {
    PlanPage page = new PlanPage(results);
    return FIGURE.matcher(text).replaceAll(found -> Matcher.quoteReplacement(page.shown(found)));
  }

  private String shown(MatchResult found) {
    String name = found.group(3);
    if (words.containsKey(name)) {
      return words.get(name);
    }
    double value =
        found.group(2) == null && name.equals("rate")
            ? results.plan().capacity()
            : figure(found.group(2) + "", name);
    double figure = found.group(1) == null ? value : Double.parseDouble(found.group(1)) / value;
    String digits = found.group(4) == null ? "0" : found.group(4);
    Function<Double, String> form =
        digits.equals("%")
            ? Text::percent
            : number -> Text.grouped(number, Integer.parseInt(digits));
    return form.apply(figure);
  }

  private static String pictures(Results results) {
    return new Plots(results)
        .charts().stream()
            .map(chart -> "![" + chart.file() + "](" + chart.file() + ")")
            .collect(Collectors.joining("\n"));
  }

  private double figure(String phase, String name) {
    String[] parts = name.split("@", 2);
    Measure measure = Goal.parse(parts[0] + " >= 0").measure();
    return results.phases().stream()
        .filter(figures -> figures.seen().phase().name().equals(phase))
        .mapToDouble(figures -> figures.of(measure, parts.length > 1 ? parts[1] : ""))
        .findFirst()
        .orElse(Double.NaN);
  }
}
