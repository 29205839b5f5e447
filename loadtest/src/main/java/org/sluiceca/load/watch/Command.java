package org.sluiceca.load.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.page.Text;

/** A program that is run to its end. */
public final class Command {

  /** As long as the launcher waits for its nodes to end, and some. */
  private static final Duration END_LIMIT = Duration.ofSeconds(45);

  private Command() {}

  /**
   * Runs it and returns its standard output; blocks for {@code limit} at most.
   *
   * @throws TrialException if it cannot start, fails, or takes longer; it is ended then
   */
  public static String run(List<String> words, Map<String, String> environment, Duration limit) {
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
        // An interrupt of this JVM is for its children too: the launcher then stops its nodes.
        Thread end = new Thread(() -> end(process));
        Runtime.getRuntime().addShutdownHook(end);
        boolean isOver = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        forget(end);
        if (!isOver) {
          process.destroy();
          throw new TrialException(words + " still ran after " + limit);
        }
        if (process.exitValue() != 0) {
          throw new TrialException(
              Text.format("%s ended with %d: %s", words, process.exitValue(), said(err, out)));
        }
        return Files.readString(out);
      } finally {
        Files.delete(out);
        Files.delete(err);
      }
    } catch (IOException e) {
      throw new TrialException("cannot run " + words, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TrialException("interrupted in " + words, e);
    }
  }

  /** What it complains of, and where it does not, what it says. */
  private static String said(Path err, Path out) throws IOException {
    String complaint = Files.readString(err).strip();
    return complaint.isEmpty() ? Files.readString(out).strip() : complaint;
  }

  private static void end(Process process) {
    process.destroy();
    try {
      // The process that interrupts us may remove the folders that it works in.
      boolean ignored = process.waitFor(END_LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
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
