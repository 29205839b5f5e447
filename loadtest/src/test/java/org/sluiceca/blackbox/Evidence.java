package org.sluiceca.blackbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/** What a run measured, kept in files next to the test reports. */
final class Evidence {

  private static final Set<Path> BEGUN = new HashSet<>();

  private Evidence() {}

  /** Adds a line to {@code target/blackbox.txt}. */
  static void note(String line) {
    append("blackbox.txt", line);
  }

  /** Adds a line to a file of the build folder, which each run begins empty. */
  static synchronized void append(String file, String line) {
    try {
      Files.createDirectories(Checkout.target());
      Path path = Checkout.target().resolve(file);
      if (BEGUN.add(path)) {
        Files.deleteIfExists(path);
      }
      Files.writeString(path, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String millis(Duration duration) {
    return "%.1f ms".formatted(duration.toNanos() / 1e6);
  }
}
