package org.sluiceca.load.scenario.run;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.sluiceca.load.call.Wait;
import org.sluiceca.load.cli.TrialException;

/** Gatling in a JVM of its own. Closing it ends the process. Used by one thread. */
final class GatlingProcess implements AutoCloseable {

  private static final String SIMULATION = "org.sluiceca.load.gatling.ScenarioSimulation";

  private static final Duration REPORT_WITHIN = Duration.ofMinutes(10);

  /** A JVM that is asked to end does so in a second, unless it is stopped or out of memory. */
  private static final int END_SECONDS = 10;

  /**
   * C1 alone: what C2 costs the two processors that the nodes also need is more than it saves a
   * generator of some hundred requests a second. The open packages and flags are Gatling's wish.
   */
  private static final List<String> JVM =
      List.of(
          "-Xmx768m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Djava.net.preferIPv4Stack=true",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");

  private final Parts parts;
  private final Process process;
  private final Path log;
  private final Thread end;

  /**
   * What Gatling consists of.
   *
   * @param classes class path of Gatling, the simulation and what it shares with us
   * @param reports where its reports go
   */
  record Parts(String classes, Path reports) {}

  /**
   * Starts it on the terms in {@code folder}.
   *
   * @param settings more of {@code -D}
   */
  static GatlingProcess start(Parts parts, Path folder, List<String> settings) {
    List<String> options = new ArrayList<>(settings);
    options.add("-Dsluice.scenario=" + folder);
    List<String> words =
        List.of("-s", SIMULATION, "-rf", parts.reports().toString(), "--no-reports");
    return new GatlingProcess(parts, folder.resolve("gatling.log"), options, words);
  }

  private GatlingProcess(Parts parts, Path log, List<String> options, List<String> words) {
    this.parts = parts;
    this.log = log;
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM);
    command.addAll(options);
    command.addAll(List.of("-cp", parts.classes(), "io.gatling.app.Gatling"));
    command.addAll(words);
    try {
      process =
          new ProcessBuilder(command)
              .redirectInput(new File("/dev/null"))
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
    } catch (IOException e) {
      throw new TrialException("cannot start Gatling", e);
    }
    // An interrupt of this JVM is meant for its children too.
    end = new Thread(process::destroy);
    Runtime.getRuntime().addShutdownHook(end);
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /**
   * Waits for its end.
   *
   * @throws TrialException if it fails or takes longer
   */
  void await(Duration longest) {
    try {
      if (!process.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new TrialException("Gatling still ran after " + longest + lastWords());
      }
    } catch (InterruptedException e) {
      throw Wait.interrupted(e);
    }
    if (process.exitValue() != 0) {
      throw new TrialException("Gatling ended with " + process.exitValue() + lastWords());
    }
  }

  /**
   * Makes the report of the run that has ended.
   *
   * @throws TrialException if there is none to make, or Gatling cannot
   */
  void report() throws IOException {
    String run;
    try (Stream<Path> folders = Files.list(parts.reports())) {
      run =
          folders
              .filter(Files::isDirectory)
              .max(Comparator.naturalOrder())
              .map(folder -> folder.getFileName() + "")
              .orElseThrow(() -> new TrialException("Gatling left nothing to report"));
    }
    List<String> words = List.of("--reports-only", run, "-rf", parts.reports().toString());
    Path reportLog = log.resolveSibling("report.log");
    try (GatlingProcess maker = new GatlingProcess(parts, reportLog, List.of(), words)) {
      maker.await(REPORT_WITHIN);
    }
  }

  private String lastWords() {
    try {
      List<String> lines =
          Files.readAllLines(log).stream().filter(line -> !line.isBlank()).toList();
      return ": " + String.join(" | ", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
    } catch (IOException e) {
      return "";
    }
  }

  @Override
  public void close() {
    try {
      boolean ignored = Runtime.getRuntime().removeShutdownHook(end);
    } catch (IllegalStateException e) {
      // The JVM is ending, and the hook at its work.
      Thread.onSpinWait();
    }
    process.destroy();
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      kill();
    }
  }

  /** It would go on sending to nodes that are being stopped. */
  private void kill() {
    boolean ignored = process.destroyForcibly().isAlive();
  }
}
