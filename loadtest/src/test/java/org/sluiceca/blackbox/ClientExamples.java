package org.sluiceca.blackbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs examples of the client in a trial as its user would, each in a home of its own in which
 * {@link ClientExampleScenes} has put what the example takes for granted. For one thread.
 */
final class ClientExamples {

  /** Longer than any example may take on a slow machine. */
  private static final Duration LIMIT = Duration.ofMinutes(5);

  /** Files and folders that an example says it makes. */
  private static final Pattern MADE = Pattern.compile("(?:--(?:out|key|store)|>) ?([^ >\n]+)");

  /** Where PowerShell's variable of this name leads; bash has it from the environment. */
  private static final String PROFILE = "profile.ps1";

  /** What is run instead of an example that cannot be run as it stands: the same, and more. */
  record Altered(String reason, String more) {}

  private final Trial trial;
  private final ClientExampleScenes scenes;
  private final Map<String, Altered> altered;
  private final Path bin;
  private int runs;

  /** What was asked for and not used is stale. */
  private final Set<String> used = new TreeSet<>();

  /**
   * @param altered by the example: each must exist
   */
  ClientExamples(Trial trial, ClientExampleScenes scenes, Map<String, Altered> altered) {
    this.trial = trial;
    this.scenes = scenes;
    this.altered = Map.copyOf(altered);
    this.bin = folder(trial.folder().resolve("bin"));
    // As docs/CLIENT.md says, with the cache that the launcher uses.
    script(
        HelpPage.PROGRAM,
        "exec '%s' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xlog:disable -XX:AOTCache='%s' -jar '%s' \"$@\""
            .formatted(
                Path.of(System.getProperty("java.home"), "bin/java"),
                jar().resolveSibling("sluice.aot"),
                jar()));
    // Not every machine has manual pages; what makes a page of them is its first line.
    script("man", "[ \"$*\" = '-l -' ] && grep -c '^\\.TH \"SLUICE'");
  }

  /** The client that the launcher starts. */
  Path jar() {
    return Optional.ofNullable(System.getenv("SLUICE_DIST"))
        .map(Path::of)
        .orElseGet(() -> Checkout.launcher().resolveSibling("ca-api/target/dist"))
        .resolve("sluice.jar");
  }

  /** All pages of help, found by walking the commands that each page lists. */
  List<HelpPage> pages() {
    List<HelpPage> pages = new ArrayList<>();
    walk(HelpPage.PROGRAM, pages);
    return pages;
  }

  private void walk(String command, List<HelpPage> pages) {
    HelpPage page =
        HelpPage.of(command, shell(trial.folder(), command + " --help").run().ok().text());
    pages.add(page);
    page.subcommands().forEach(name -> walk(command + " " + name, pages));
  }

  /** How many manual pages there are: one for each command, also for one that no help lists. */
  int manualPages() throws IOException {
    Path folder = folder(trial.folder().resolve("manual"));
    shell(folder, "sluice man --out .").run().ok();
    try (var files = Files.list(folder)) {
      return (int) files.count();
    }
  }

  /** Runs an example; returns what is wrong with it, nothing if it did what it says. */
  List<String> faults(String example) {
    Path home = folder(trial.folder().resolve("example-" + ++runs));
    String line = example;
    Altered instead = altered.get(example);
    if (instead != null) {
      used.add(example);
      line += instead.more();
    }
    try {
      for (Map.Entry<String, String> live : scenes.prepare(example, this, home).entrySet()) {
        if (!line.contains(live.getKey())) {
          return List.of("there is no " + live.getKey() + " to be replaced in: " + example);
        }
        line = line.replace(live.getKey(), live.getValue());
      }
      Program.Ended ended = shell(home, line).within(LIMIT).run();
      return ended.status() == 0 ? broken(example, home, ended) : List.of(ended.toString());
    } finally {
      scenes.end();
    }
  }

  private static List<String> broken(String example, Path home, Program.Ended ended) {
    List<String> faults = new ArrayList<>();
    Matcher made = MADE.matcher(example);
    while (made.find()) {
      Path file = home.resolve(made.group(1).replace("~/", "").replace("$PROFILE", PROFILE));
      if (!Files.exists(file) || file.toFile().length() == 0) {
        faults.add("it has not made " + made.group(1) + ": " + ended);
      }
    }
    if (example.contains(" --json") && !isJson(ended.text())) {
      faults.add("this is no JSON: " + ended);
    }
    return faults;
  }

  private static boolean isJson(String text) {
    try (MappingIterator<JsonNode> values =
        JsonMapper.shared().readerFor(JsonNode.class).readValues(text)) {
      return values.readAll().stream().anyMatch(JsonNode::isObject);
    } catch (JacksonException e) {
      return false;
    }
  }

  /** What was prepared for no example, of those that were run. */
  Set<String> stale() {
    Set<String> stale = new LinkedHashSet<>(altered.keySet());
    stale.removeAll(used);
    stale.addAll(scenes.unused());
    return stale;
  }

  /** A user's shell in a home of his own, which is also where he is; his service is the trial. */
  Program shell(Path home, String lines) {
    Map<String, String> environment = new HashMap<>();
    environment.put("HOME", home.toString());
    environment.put("XDG_CONFIG_HOME", home.resolve(".config").toString());
    environment.put("PROFILE", home.resolve(PROFILE).toString());
    environment.put("PATH", bin + ":" + System.getenv("PATH"));
    if (!lines.startsWith(HelpPage.PROGRAM + " login ")) {
      // A trial comes before the connection that is kept.
      environment.put("SLUICE_DATA", trial.data().toString());
    }
    return Program.of("bash", "-euo", "pipefail", "-c", "cd '" + home + "'\n" + lines)
        .with(environment);
  }

  private void script(String name, String line) {
    try {
      Path file = Files.writeString(bin.resolve(name), "#!/bin/bash\n" + line + "\n");
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path folder(Path folder) {
    try {
      return Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
