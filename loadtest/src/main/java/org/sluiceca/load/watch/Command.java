package org.sluiceca.load.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A program that is run to its end. */
final class Command {

  private Command() {}

  /**
   * Runs it and returns its standard output; blocks for {@code limit} at most.
   *
   * @throws WatchException if it cannot start, fails, or takes longer; it is ended then
   */
  static String run(List<String> words, Map<String, String> environment, Duration limit) {
    try {
      // Files, not pipes: a node that the launcher starts lives longer and may keep a pipe open.
      Path out = Files.createTempFile("load", ".out");
      Path err = Files.createTempFile("load", ".err");
      try {
        ProcessBuilder builder =
            new ProcessBuilder(words)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        // Whoever interrupts this JVM means its children too: the launcher then stops its nodes.
        Thread end = new Thread(process::destroy);
        Runtime.getRuntime().addShutdownHook(end);
        boolean isOver = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        forget(end);
        if (!isOver) {
          process.destroy();
          throw new WatchException(words + " still ran after " + limit);
        }
        if (process.exitValue() != 0) {
          throw new WatchException(
              "%s ended with %d: %s"
                  .formatted(words, process.exitValue(), Files.readString(err).strip()));
        }
        return Files.readString(out);
      } finally {
        Files.delete(out);
        Files.delete(err);
      }
    } catch (IOException e) {
      throw new WatchException("cannot run " + words, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WatchException("interrupted in " + words, e);
    }
  }

  private static void forget(Thread hook) {
    try {
      boolean ignored = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending, and the hook at its work.
      Thread.onSpinWait();
    }
  }
}
