package org.sluiceca.core.bench.ratio;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/**
 * Measures ratios in several JVMs, one after another, and compares their medians with a baseline.
 *
 * <p>{@code RatioBench BASELINE [save]}; exit code 1 if a figure is larger than tolerated. What
 * exceeds its limit is measured again, and counts only if the median of all JVMs exceeds it too.
 */
final class RatioBench {

  private static final int FORKS = 5;

  private RatioBench() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    if (arguments.length < 1
        || arguments.length > 2
        || (arguments.length == 2 && !arguments[1].equals("save"))) {
      System.err.println("usage: bench ratios [save]");
      System.exit(2);
    }
    Path file = Path.of(arguments[0]);
    RatioBaseline baseline =
        RatioBaseline.parse(Files.exists(file) ? Files.readAllLines(file) : List.of());
    List<Figures> forks = new ArrayList<>(measured());
    if (arguments.length == 2) {
      String text = baseline.renewed(RatioGate.real(Figures.ofForks(forks)));
      Files.writeString(file, text);
      System.out.print(text);
      return;
    }
    List<String> faults = RatioGate.faults(baseline, Figures.ofForks(forks));
    if (!faults.isEmpty()) {
      faults.forEach(fault -> System.out.println("measured again because of " + fault));
      forks.addAll(measured());
      faults = RatioGate.faults(baseline, Figures.ofForks(forks));
    }
    print(baseline, Figures.ofForks(forks));
    faults.forEach(fault -> System.err.println("REGRESSION " + fault));
    if (!faults.isEmpty()) {
      System.exit(1);
    }
  }

  private static List<Figures> measured() throws IOException, InterruptedException {
    List<Figures> forks = new ArrayList<>();
    for (int i = 0; i < FORKS; i++) {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  // The same barriers on every machine, whatever the JVM would choose there.
                  "-XX:+UseG1GC",
                  "-Xms512m",
                  "-Xmx512m",
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Fork.class.getName())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      List<String> lines = process.inputReader(StandardCharsets.UTF_8).lines().toList();
      if (process.waitFor() != 0) {
        throw new IOException("a JVM that measures has failed");
      }
      forks.add(Figures.parse(lines));
      System.out.println("JVM " + (i + 1) + ": " + shortly(forks.getLast()));
    }
    return forks;
  }

  private static String shortly(Figures figures) {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(figures.values())
        .forEach(
            (name, value) ->
                text.append(name).append(' ').append(number(name, value)).append("; "));
    return text.toString();
  }

  private static void print(RatioBaseline baseline, Figures now) {
    System.out.printf("%n%-28s %10s %10s%n", "", "baseline", "now");
    new TreeMap<>(now.values())
        .forEach(
            (name, value) -> {
              RatioBaseline.Entry entry = baseline.entries().get(name);
              System.out.printf(
                  "%-28s %10s %10s%n",
                  name, entry == null ? "-" : number(name, entry.value()), number(name, value));
            });
    baseline
        .lax(now)
        .forEach(
            name ->
                System.out.println(
                    name + " is much better than the baseline: `./sluice bench ratios save`"));
  }

  private static String number(String name, double value) {
    return String.format(Locale.ROOT, Figures.isOfBytes(name) ? "%.0f" : "%.3f", value);
  }
}
