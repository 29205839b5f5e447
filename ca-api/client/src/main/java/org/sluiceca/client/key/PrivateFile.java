package org.sluiceca.client.key;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.sluiceca.client.output.Failure;

/**
 * Writes files whole or not at all: into a new file next to the old one, which is synced and then
 * takes its name. A reader sees the old content or the new one, also after a loss of power.
 */
public final class PrivateFile {
  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> ALL_READ =
      PosixFilePermissions.fromString("rw-r--r--");

  private PrivateFile() {}

  /** Writes what its owner alone may read; on Windows the folder's rights decide. */
  public static void write(Path file, byte[] content) {
    write(file, content, OWNER);
  }

  /** Writes what everybody may read, a certificate. */
  public static void writePublic(Path file, byte[] content) {
    write(file, content, ALL_READ);
  }

  private static void write(Path file, byte[] content, Set<PosixFilePermission> permissions) {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.deleteIfExists(fresh);
      create(fresh);
      try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
        ByteBuffer left = ByteBuffer.wrap(content);
        while (left.hasRemaining()) {
          channel.write(left);
        }
        channel.force(true);
      }
      if (isPosix()) {
        Files.setPosixFilePermissions(fresh, permissions);
      }
      move(fresh, file);
    } catch (IOException e) {
      throw Failure.of("cannot write " + file + ": " + e.getClass().getSimpleName());
    }
  }

  /** Private from the first octet on. */
  private static void create(Path file) throws IOException {
    FileAttribute<?>[] attributes =
        isPosix()
            ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER)}
            : new FileAttribute<?>[0];
    Files.createFile(file, attributes);
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static boolean isPosix() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  }
}
