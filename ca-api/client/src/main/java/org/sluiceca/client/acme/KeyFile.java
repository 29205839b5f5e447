package org.sluiceca.client.acme;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.sluiceca.client.key.PrivateFile;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import org.sluiceca.client.output.Json;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A new file of mode 0600 that takes directory, kid and key of a binding, as one JSON document. It
 * is made before anything is sent, and deleted if no binding came. Not thread-safe.
 */
final class KeyFile implements AutoCloseable {
  private final Console console;
  private final Path file;
  private boolean written;

  /** Makes the file. Fails if it cannot be made, or there is one already. */
  KeyFile(Console console, Path file) {
    this.console = console;
    this.file = file;
    check(file);
    PrivateFile.create(file, new byte[0]);
  }

  /** Fails if the file is there already. */
  static void check(Path file) {
    if (file.toString().equals("-")) {
      throw Failure.usage("--out needs a file: without it the key is on standard output");
    }
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw Failure.of(file + " is there already: a key never replaces a file");
    }
  }

  void write(Binding binding) {
    String document =
        Json.pretty(
            JsonNodeFactory.instance
                .objectNode()
                .put("directory", binding.directory())
                .put("kid", binding.kid())
                .put("hmacKey", binding.hmacKey()));
    PrivateFile.write(file, document.getBytes(StandardCharsets.US_ASCII));
    written = true;
  }

  /** Whether the key is in it. */
  boolean isWritten() {
    return written;
  }

  @Override
  public void close() {
    if (written) {
      return;
    }
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      console.note("%s is empty and cannot be deleted", file);
    }
  }
}
