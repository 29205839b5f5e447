package org.sluiceca.core.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.sluiceca.core.failure.RejectedException;

/**
 * Runs the benchmarks and compares them with a baseline in units of the yardstick, so that figures
 * of different machines and hours can be compared.
 *
 * <p>{@code MicroBench BASELINE [save]}; exit code 1 if a benchmark has become slower. {@code
 * MicroBench BASELINE cost} runs {@link LineCost} instead.
 */
final class MicroBench {

  /** Slower by more than this, and beyond both error intervals, is a regression. */
  private static final double TOLERANCE = 0.25;

  private static final String YARDSTICK = "yardstick";

  /** A score and half its 99.9 % interval, both divided by the yardstick's score. */
  private record Figure(double micros, double ratio, double error) {}

  private MicroBench() {}

  public static void main(String[] arguments)
      throws RunnerException, IOException, RejectedException {
    if (arguments.length < 1
        || arguments.length > 2
        || (arguments.length == 2 && !List.of("save", "cost").contains(arguments[1]))) {
      System.err.println("usage: bench micro [save|cost]");
      System.exit(2);
    }
    if (arguments.length == 2 && arguments[1].equals("cost")) {
      LineCost.print();
      return;
    }
    Path baseline = Path.of(arguments[0]);
    Map<String, Figure> now = figures(run());
    if (arguments.length == 2) {
      save(baseline, now);
      return;
    }
    if (!compare(read(baseline), now)) {
      System.exit(1);
    }
  }

  private static Collection<RunResult> run() throws RunnerException {
    Options yardstick =
        new OptionsBuilder().include("LineBenchmark.yardstick").param("verifier", "native").build();
    Options steps =
        new OptionsBuilder().include("LineBenchmark.step").jvmArgsAppend("-Xmx512m").build();
    List<RunResult> results = new ArrayList<>(new Runner(yardstick).run());
    results.addAll(new Runner(steps).run());
    // Before and after: the mean stands for the machine as it was meanwhile.
    results.addAll(new Runner(yardstick).run());
    return results;
  }

  private static Map<String, Figure> figures(Collection<RunResult> results) {
    double unit =
        results.stream()
            .filter(r -> name(r).startsWith(YARDSTICK))
            .mapToDouble(r -> r.getPrimaryResult().getScore())
            .average()
            .orElseThrow();
    Map<String, Figure> figures = new TreeMap<>();
    for (RunResult result : results) {
      Result<?> score = result.getPrimaryResult();
      figures.put(
          name(result),
          new Figure(score.getScore(), score.getScore() / unit, score.getScoreError() / unit));
    }
    figures.put(YARDSTICK, new Figure(unit, 1, 0));
    return figures;
  }

  private static String name(RunResult result) {
    String benchmark = result.getParams().getBenchmark();
    String method = benchmark.substring(benchmark.lastIndexOf('.') + 1);
    return method.equals(YARDSTICK)
        ? YARDSTICK
        : "%s/%s/%s"
            .formatted(
                method,
                result.getParams().getParam("key"),
                result.getParams().getParam("verifier"));
  }

  private static void save(Path file, Map<String, Figure> figures) throws IOException {
    StringBuilder text = new StringBuilder();
    text.append("# step/key/verifier, microseconds, multiple of the yardstick, its error\n");
    figures.forEach(
        (name, f) ->
            text.append(
                String.format(
                    Locale.ROOT, "%s %.1f %.3f %.3f\n", name, f.micros(), f.ratio(), f.error())));
    Files.writeString(file, text);
    System.out.println(text);
  }

  private static Map<String, Figure> read(Path file) throws IOException {
    Map<String, Figure> figures = new TreeMap<>();
    if (!Files.exists(file)) {
      System.out.println("no baseline in " + file + ": everything is new; save makes one");
      return figures;
    }
    for (String line : Files.readAllLines(file)) {
      if (!line.startsWith("#") && !line.isBlank()) {
        String[] words = line.split(" ", 4);
        figures.put(
            words[0],
            new Figure(
                Double.parseDouble(words[1]),
                Double.parseDouble(words[2]),
                Double.parseDouble(words[3])));
      }
    }
    return figures;
  }

  private static boolean compare(Map<String, Figure> before, Map<String, Figure> now) {
    boolean good = true;
    System.out.printf("%n%-32s %10s %10s %10s %8s%n", "", "us", "x yard", "baseline", "change");
    for (Map.Entry<String, Figure> entry : now.entrySet()) {
      Figure figure = entry.getValue();
      Figure old = before.get(entry.getKey());
      if (old == null) {
        System.out.printf(
            "%-32s %10.1f %10.3f        new%n", entry.getKey(), figure.micros(), figure.ratio());
        continue;
      }
      boolean slower =
          figure.ratio() > old.ratio() * (1 + TOLERANCE)
              && figure.ratio() - figure.error() > old.ratio() + old.error();
      good &= !slower;
      System.out.printf(
          "%-32s %10.1f %10.3f %10.3f %+7.0f%%%s%n",
          entry.getKey(),
          figure.micros(),
          figure.ratio(),
          old.ratio(),
          100 * (figure.ratio() / old.ratio() - 1),
          slower ? "  SLOWER" : "");
    }
    for (String name : before.keySet()) {
      if (!now.containsKey(name)) {
        good = false;
        System.out.println(name + " is in the baseline and was not measured");
      }
    }
    return good;
  }
}
