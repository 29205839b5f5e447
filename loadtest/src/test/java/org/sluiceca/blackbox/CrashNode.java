package org.sluiceca.blackbox;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A node, with or without a proxy before its database, that the test starts again by itself, with
 * the command and the environment that the launcher gave it.
 */
final class CrashNode implements AutoCloseable {

  /**
   * No promise, only an end: a start of two nodes at once takes 10 s on two idle processors, 33 s
   * was seen on one that others use too.
   */
  static final Duration START_MAX = Duration.ofMinutes(4);

  private static final Duration END_MAX = Duration.ofSeconds(60);
  private final Trial trial;
  private final int number;
  private final List<String> command;
  private final Map<String, String> environment;
  private final @Nullable DatabaseProxy proxy;
  private final Api management;

  private CrashNode(Trial trial, int number, @Nullable DatabaseProxy proxy) {
    this.trial = trial;
    this.number = number;
    this.command = words(process("cmdline"));
    this.environment =
        words(process("environ")).stream()
            .filter(e -> e.contains("="))
            .collect(
                Collectors.toUnmodifiableMap(
                    e -> e.substring(0, e.indexOf('=')), e -> e.substring(e.indexOf('=') + 1)));
    this.proxy = proxy;
    this.management = Api.plain(trial.management(number));
  }

  /** A running node whose database is behind {@code proxy}. */
  static CrashNode of(Trial trial, int number, DatabaseProxy proxy) {
    return new CrashNode(trial, number, proxy);
  }

  /** A running node that reaches its database without a proxy. */
  static CrashNode of(Trial trial, int number) {
    return new CrashNode(trial, number, null);
  }

  DatabaseProxy proxy() {
    return Objects.requireNonNull(proxy, "a node without a proxy");
  }

  boolean isAlive() {
    return handle().map(ProcessHandle::isAlive).orElse(false);
  }

  /** SIGKILL, at once. */
  void kill() {
    handle().ifPresent(ProcessHandle::destroyForcibly);
  }

  void awaitEnd() {
    Poll.until("node " + number + " ends", END_MAX, () -> !isAlive());
  }

  /** SIGSTOP: the node sleeps in the midst of whatever it does, and knows nothing of it. */
  void freeze() {
    signal("STOP");
  }

  /** SIGCONT: it goes on where it was. */
  void thaw() {
    signal("CONT");
  }

  void start() {
    ProcessBuilder builder =
        new ProcessBuilder(Stream.concat(Stream.of("setsid"), command.stream()).toList())
            .directory(new File(environment.getOrDefault("SLUICE_STATE_DIR", ".")))
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(
                    trial.data().resolve("node-" + number + ".log").toFile()));
    builder.environment().clear();
    builder.environment().putAll(environment);
    try {
      Process process = builder.start();
      Files.writeString(pidFile(), process.pid() + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Waits for readiness or for its end; of a node that does neither, what its threads do is
   * printed.
   */
  void awaitReady() {
    try {
      Poll.until("node " + number + " is ready or dead", START_MAX, () -> !isAlive() || isReady());
    } catch (AssertionError e) {
      e.addSuppressed(new AssertionError(threads()));
      throw e;
    }
    if (!isAlive()) {
      throw new AssertionError("node " + number + " ended while starting");
    }
  }

  boolean isReady() {
    try {
      return management.get("/actuator/health/readiness").status() == 200;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    kill();
    awaitEnd();
    if (proxy != null) {
      proxy.close();
    }
  }

  private void signal(String name) {
    Program.of("kill", "-" + name, pid()).run().ok();
  }

  private String threads() {
    Path jcmd = Path.of(command.getFirst()).resolveSibling("jcmd");
    return Program.of(jcmd, pid(), "Thread.print").run().toString();
  }

  private java.util.Optional<ProcessHandle> handle() {
    return ProcessHandle.of(pid());
  }

  private long pid() {
    return Long.parseLong(trial.read("node-" + number + ".pid").strip());
  }

  private Path pidFile() {
    return trial.data().resolve("node-" + number + ".pid");
  }

  private byte[] process(String file) {
    try {
      return Files.readAllBytes(Path.of("/proc", String.valueOf(pid()), file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> words(byte[] zeroTerminated) {
    return List.of(new String(zeroTerminated, StandardCharsets.UTF_8).split("\0"));
  }
}
