package org.sluiceca.hsm.bench.keyless;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.sluiceca.hsm.bench.keyless.Results.Mixed;
import org.sluiceca.hsm.bench.keyless.Results.Pair;
import org.sluiceca.hsm.bench.keyless.Results.Tracked;
import org.sluiceca.hsm.bench.keyless.Terms.Crew;

/**
 * Measures the signing plane without HTTP and database. SOFTHSM2_CONF names a file in a folder of
 * this run's own, and the working folder is that of this module.
 *
 * <p>{@code KeylessBench PROGRAM FOLDER OUT SECONDS ROUNDS COMMIT}: {@code bare_token}, where
 * devices are made, where {@code SUMMARY.md} and {@code results.json} go. Exit codes: 0 all goals
 * met, 1 not.
 */
public final class KeylessBench {
  private static final Duration WARM_UP = Duration.ofSeconds(10);
  private static final Duration SETTLE = Duration.ofMillis(500);

  /** A steered window finds its width in this time. */
  private static final Duration STEERED = Duration.ofSeconds(3);

  private final Terms terms;
  private final Path folder;
  private final Consumer<String> progress;

  KeylessBench(Terms terms, Path folder, Consumer<String> progress) {
    this.terms = terms;
    this.folder = folder;
    this.progress = progress;
  }

  /** Runs all of it; six arguments, see above. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Locale.setDefault(Locale.ROOT);
    int processors = Runtime.getRuntime().availableProcessors();
    Terms terms =
        new Terms(
            Path.of(arguments[0]),
            WARM_UP,
            SETTLE,
            STEERED,
            Duration.ofSeconds(Long.parseLong(arguments[3])),
            Integer.parseInt(arguments[4]),
            List.of(KeyKind.values()),
            crews(processors));
    KeylessBench bench =
        new KeylessBench(
            terms, Path.of(arguments[1]), line -> System.err.println("sluice: " + line));
    Results results = bench.run(arguments[5]);
    Path out = Files.createDirectories(Path.of(arguments[2]));
    String page = Page.of(results, processors);
    Files.writeString(out.resolve("SUMMARY.md"), page);
    Files.writeString(out.resolve("results.json"), ResultsJson.of(results));
    System.out.println(page);
    // Modules that are loaded may keep threads.
    System.exit(results.missed() == 0 ? 0 : 1);
  }

  private static List<Crew> crews(int processors) {
    int sessions = 4 * processors;
    return Stream.of(
            Crew.of(1), Crew.of(processors), Crew.of(sessions), new Crew(sessions, 8 * sessions))
        .distinct()
        .toList();
  }

  /** Runs all sections; blocks for as long as they measure. */
  Results run(String commit) throws InterruptedException {
    Map<String, String> conditions = new LinkedHashMap<>();
    conditions.put("began", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    conditions.put("commit", commit);
    conditions.put("processors", Runtime.getRuntime().availableProcessors() + " × " + model());
    conditions.put("JDK", Runtime.version().toString());
    conditions.put("load average before", loadAverage());
    Sections sections = new Sections(terms, folder, progress);
    List<Pair> pairs = sections.pairs();
    List<Tracked> tracked = sections.tracked();
    List<Mixed> mixed = sections.mixed();
    conditions.put("load average after, of this load itself", loadAverage());
    conditions.put(
        "measured",
        "%d s each after %.1f s (%d s where a window is steered); %d rounds of bare token and adapter in turns; warm-up of the JVM %d s"
            .formatted(
                terms.length().toSeconds(),
                terms.settle().toMillis() / 1e3,
                terms.steered().toSeconds(),
                terms.rounds(),
                terms.warmUp().toSeconds()));
    return new Results(conditions, pairs, tracked, mixed, Judge.goals(pairs, tracked, mixed));
  }

  private static String model() {
    return read("/proc/cpuinfo")
        .lines()
        .filter(line -> line.startsWith("model name"))
        .findFirst()
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .orElse("?");
  }

  private static String loadAverage() {
    return read("/proc/loadavg").split(" ", -1)[0];
  }

  private static String read(String file) {
    try {
      return Files.readString(Path.of(file));
    } catch (IOException e) {
      return "?";
    }
  }
}
