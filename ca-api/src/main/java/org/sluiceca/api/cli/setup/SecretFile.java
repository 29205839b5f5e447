package org.sluiceca.api.cli.setup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.sluiceca.api.cli.ceremony.files.CeremonyFiles;

/**
 * A secret that is given in one file and kept in another.
 *
 * @param given where it was named, or typed
 * @param kept where a node's service manager reads it
 */
record SecretFile(Path given, Path kept) {

  /** Returns the first line; empty if the file is not there, or has none. */
  static Optional<String> line(Path file) {
    try {
      return Files.isReadable(file)
          ? Files.readAllLines(file).stream().findFirst().filter(line -> !line.isEmpty())
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Returns whether another secret is there already. */
  boolean differs() {
    Optional<String> there = line(kept);
    return there.isPresent() && !there.equals(line(given));
  }

  /**
   * Writes it, unless it is there.
   *
   * @return whether it was written
   * @throws IOException if it cannot be written
   */
  boolean write() throws IOException {
    Optional<String> secret = line(given);
    if (secret.isEmpty()) {
      throw new IOException("there is no secret in " + given + " any more");
    }
    if (line(kept).equals(secret)) {
      return false;
    }
    CeremonyFiles.writeSecret(kept, secret.get());
    return true;
  }
}
