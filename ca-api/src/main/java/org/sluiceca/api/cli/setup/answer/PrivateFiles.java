package org.sluiceca.api.cli.setup.answer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Secrets that were typed, as files for the ceremony's steps: in memory where the system has a
 * folder for that, for this user alone, and removed when this process ends. For one thread.
 */
public final class PrivateFiles implements AutoCloseable {

  private static final Path MEMORY = Path.of("/dev/shm");

  private @Nullable Path folder;
  private int count;

  /** Has no folder before the first secret. */
  public PrivateFiles() {
    // A signal ends the process as well, and runs this.
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "remove typed secrets"));
  }

  /**
   * Keeps a secret, and wipes it.
   *
   * @throws IOException if it cannot be written
   */
  synchronized Path keep(char[] secret) throws IOException {
    // Three octets for each char of UTF-16 at most.
    ByteBuffer octets = ByteBuffer.allocate(3 * secret.length);
    var _ = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(secret), octets, true);
    octets.flip();
    Arrays.fill(secret, '\0');
    try {
      Path file = folder().resolve("secret-" + count++);
      FileAttribute<?> mode =
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
      Files.createFile(file, mode);
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        while (octets.hasRemaining()) {
          channel.write(octets);
        }
      }
      return file;
    } finally {
      Arrays.fill(octets.array(), (byte) 0);
    }
  }

  /** Returns whether a file is one of these. */
  synchronized boolean holds(Path file) {
    return folder != null && file.startsWith(folder);
  }

  private Path folder() throws IOException {
    Path made = folder;
    if (made == null) {
      FileAttribute<?> mode =
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
      made =
          Files.isWritable(MEMORY)
              ? Files.createTempDirectory(MEMORY, "sluice-setup-", mode)
              : Files.createTempDirectory("sluice-setup-", mode);
      folder = made;
    }
    return made;
  }

  @Override
  public synchronized void close() {
    Path made = folder;
    if (made == null) {
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(made)) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(made);
      folder = null;
    } catch (IOException e) {
      throw new IllegalStateException("typed secrets are left in " + made + ": remove it", e);
    }
  }
}
