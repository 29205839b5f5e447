package org.sluiceca.client.renew;

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
import org.sluiceca.client.key.IdentityFiles;
import org.sluiceca.client.key.IdentityOptions;
import org.sluiceca.client.output.Failure;

/** The command line of a renewal that a timer runs: nothing in it depends on folder or user. */
final class Program {
  /** A package's own command, where there is one. */
  private static final String LAUNCHER = "SLUICE_PROGRAM";

  private final List<String> words;

  private Program(List<String> words) {
    this.words = words;
  }

  /** Begins with how this process was started. */
  static Program of(Connection connection, URI service, IdentityFiles files) {
    Program program = new Program(new ArrayList<>(start(System.getenv())));
    program.words.add("renew");
    for (Map.Entry<String, String> word : IdentityOptions.words(files).entrySet()) {
      program.option(word.getKey(), word.getValue());
    }
    program.option(
        "--url", connection.urls().stream().map(URI::toString).collect(Collectors.joining(",")));
    program.option("--service-url", service.toString());
    connection
        .caFile()
        .ifPresent(file -> program.option("--ca-file", file.toAbsolutePath().toString()));
    return program;
  }

  /** Adds an option that has a value. */
  void option(String name, @Nullable String value) {
    if (value != null) {
      words.add(name);
      words.add(value);
    }
  }

  List<String> words() {
    return List.copyOf(words);
  }

  private static List<String> start(Map<String, String> environment) {
    String launcher = environment.getOrDefault(LAUNCHER, "");
    if (!launcher.isEmpty()) {
      return List.of(launcher);
    }
    boolean windows = System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("win");
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
