package org.sluiceca.client.timer;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.connect.Connection;
import org.sluiceca.client.output.Failure;

/** The command line that a timer runs: nothing in it depends on folder or user. */
public final class Program {
  /** A package's own command, where there is one. */
  private static final String LAUNCHER = "SLUICE_PROGRAM";

  private final List<String> words = new ArrayList<>();

  /** Begins with how this process was started, and the name of a command. */
  public Program(String command) {
    words.addAll(start(System.getenv()));
    words.add(command);
  }

  /** Adds an option that has a value; null adds nothing. */
  public Program option(String name, @Nullable String value) {
    if (value != null) {
      words.add(name);
      words.add(value);
    }
    return this;
  }

  /** Adds an option that has no value, if {@code given}. */
  public Program flag(String name, boolean given) {
    if (given) {
      words.add(name);
    }
    return this;
  }

  /** Adds where the service is. */
  public Program connection(Connection connection) {
    option("--url", connection.urls().stream().map(URI::toString).collect(Collectors.joining(",")));
    return option(
        "--ca-file",
        connection.caFile().map(file -> file.toAbsolutePath().toString()).orElse(null));
  }

  /** Program and arguments. */
  public List<String> words() {
    return List.copyOf(words);
  }

  private static List<String> start(Map<String, String> environment) {
    String launcher = environment.getOrDefault(LAUNCHER, "");
    if (!launcher.isEmpty()) {
      if (!Path.of(launcher).isAbsolute()) {
        throw Failure.usage(LAUNCHER + " must be an absolute path, not '" + launcher + "'");
      }
      return List.of(launcher);
    }
    boolean windows =
        System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows");
    Path java = Path.of(System.getProperty("java.home"), "bin", windows ? "java.exe" : "java");
    return List.of(java.toString(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-jar", jar());
  }

  private static String jar() {
    try {
      return Path.of(Program.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .toString();
    } catch (URISyntaxException e) {
      throw Failure.of("the place of sluice.jar has no usable name");
    }
  }
}
