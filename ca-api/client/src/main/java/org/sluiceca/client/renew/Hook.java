package org.sluiceca.client.renew;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.sluiceca.client.output.Failure;

/**
 * A command of the user's, run by the system's shell.
 *
 * @param name the option that names it, for errors
 * @param command as the shell reads it
 * @param limit after which it and its children are ended
 */
record Hook(String name, String command, Duration limit) {
  private static final String LOCALE = "LC_ALL";

  /** The caller's {@value #LOCALE}, empty for none; not there if no launcher started this. */
  private static final String CALLER_LOCALE = "SLUICE_CALLER_LC_ALL";

  private static final int LINE_MAX = 200;
  private static final int OUTPUT_READ = 1 << 16;

  /**
   * Runs it and waits. Its output goes to {@code log}, replaced each time.
   *
   * @param facts environment variables for it, besides those of this process
   */
  void run(Map<String, String> facts, Path log) {
    ProcessBuilder builder =
        new ProcessBuilder(shell(command)).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.redirectInput(Redirect.from(nothing()));
    restoreLocale(builder.environment());
    builder.environment().putAll(facts);
    try {
      Process process = builder.start();
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        end(process);
        throw Failure.of(name + " took longer than " + limit.toSeconds() + " s and was ended");
      }
      if (process.exitValue() != 0) {
        throw Failure.of(
            name
                + " ended with exit code "
                + process.exitValue()
                + lastLine(log)
                + " ("
                + log
                + ")");
      }
    } catch (IOException e) {
      throw Failure.of(name + " cannot be run: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.of("interrupted");
    }
  }

  /** The launcher sets a locale for the client alone; the command gets the caller's. */
  static void restoreLocale(Map<String, String> environment) {
    String callers = environment.remove(CALLER_LOCALE);
    if (callers == null) {
      return;
    }
    if (callers.isEmpty()) {
      environment.remove(LOCALE);
    } else {
      environment.put(LOCALE, callers);
    }
  }

  private static void end(Process process) {
    List<ProcessHandle> children = process.descendants().toList();
    process.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
  }

  private static List<String> shell(String command) {
    return isWindows() ? List.of("cmd", "/c", command) : List.of("/bin/sh", "-c", command);
  }

  private static java.io.File nothing() {
    return new java.io.File(isWindows() ? "NUL" : "/dev/null");
  }

  static boolean isWindows() {
    return System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows");
  }

  private static String lastLine(Path log) {
    try (var stream = Files.newInputStream(log)) {
      stream.skipNBytes(Math.max(0, Files.size(log) - OUTPUT_READ));
      String text = new String(stream.readNBytes(OUTPUT_READ), StandardCharsets.UTF_8);
      String last = text.lines().filter(l -> !l.isBlank()).reduce("", (a, b) -> b);
      return last.isEmpty()
          ? ""
          : ": " + (last.length() > LINE_MAX ? last.substring(0, LINE_MAX) : last);
    } catch (IOException e) {
      return "";
    }
  }
}
