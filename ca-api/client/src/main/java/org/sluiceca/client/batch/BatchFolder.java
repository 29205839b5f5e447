package org.sluiceca.client.batch;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;
import org.sluiceca.client.batch.input.BatchRequest;
import org.sluiceca.client.key.PrivateFile;
import org.sluiceca.client.output.Failure;

/**
 * The folder of a batch's certificates: one file of each, the batch's name, and the list of what
 * failed. One process works in it at a time. Not thread-safe.
 */
final class BatchFolder implements AutoCloseable {
  static final String FAILED = "failed.ndjson";
  private static final String LOCK = "batch.lock";
  private static final int FILE_MAX = 256 << 10;

  /** What PrivateFile leaves of a file that was being written at a kill. */
  private static final Pattern UNFINISHED =
      Pattern.compile("[.].+[.](pem|json)[.][0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private final Path folder;
  private final FileChannel lock;

  private BatchFolder(Path folder, FileChannel lock) {
    this.folder = folder;
    this.lock = lock;
  }

  /** Makes the folder where it is missing, and takes it; fails if another process has it. */
  static BatchFolder open(Path folder) {
    try {
      if (!Files.isDirectory(folder)) {
        Files.createDirectory(folder);
      }
      FileChannel channel =
          FileChannel.open(
              folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!isTaken(channel)) {
        channel.close();
        throw Failure.of("another sluice batch works in " + folder + ": let it end first");
      }
      BatchFolder taken = new BatchFolder(folder, channel);
      taken.removeUnfinished();
      return taken;
    } catch (IOException | DirectoryIteratorException e) {
      throw Failure.of("--out " + folder + " cannot be written");
    }
  }

  private static boolean isTaken(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  private void removeUnfinished() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, ".*")) {
      for (Path file : files) {
        if (UNFINISHED.matcher(file.getFileName().toString()).matches()) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  Path path() {
    return folder;
  }

  /** Where the certificate of a request goes. */
  Path file(String id) {
    return folder.resolve(id + ".pem");
  }

  /** The certificate for the request's key that is here and has not expired. */
  Optional<Issued> certificate(BatchRequest request, Instant now) {
    Path file = file(request.id());
    try {
      return Files.isRegularFile(file) && Files.size(file) <= FILE_MAX
          ? Issued.of(Files.readString(file, StandardCharsets.ISO_8859_1))
              .filter(issued -> issued.keyDigest().equals(request.keyDigest()))
              .filter(issued -> issued.notAfter().isAfter(now))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Whether a request's certificate may take this place: nothing but certificates is replaced. */
  boolean isFree(String id) {
    Path file = file(id);
    try {
      if (!Files.exists(file)) {
        return true;
      }
      if (!Files.isRegularFile(file) || Files.size(file) > FILE_MAX) {
        return false;
      }
      String text = Files.readString(file, StandardCharsets.ISO_8859_1);
      return !text.contains("PRIVATE KEY") && Issued.of(text).isPresent();
    } catch (IOException e) {
      return false;
    }
  }

  /** Writes a certificate, on disk and whole when this returns. */
  void write(String id, Issued issued) {
    if (!isFree(id)) {
      throw Failure.of(file(id) + " is no certificate alone, and is not overwritten");
    }
    PrivateFile.writePublic(file(id), issued.pem().getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      // The end of the process gives it back.
      return;
    }
  }
}
