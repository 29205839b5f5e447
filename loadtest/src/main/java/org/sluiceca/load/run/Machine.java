package org.sluiceca.load.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** What a figure is worth nothing without: what it was measured on. */
public final class Machine {

  private Machine() {}

  /** Returns processors, their model, JDK and kernel. */
  public static Map<String, String> describe() {
    return describe(Map.of());
  }

  /** Adds what only the caller knows to what the machine reports. */
  public static Map<String, String> describe(Map<String, String> more) {
    Map<String, String> all =
        new TreeMap<>(
            Map.of(
                "processors",
                Integer.toString(Runtime.getRuntime().availableProcessors()),
                "model",
                model(),
                "JDK",
                Runtime.version().toString(),
                "kernel",
                System.getProperty("os.version", "?")));
    all.putAll(more);
    return all;
  }

  private static String model() {
    try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .findFirst()
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .orElse("?");
    } catch (IOException e) {
      return "?";
    }
  }
}
