package org.sluiceca.client.key;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.output.Failure;

/**
 * Writes files that survive a loss of power: content and folder are synced. A file is replaced
 * whole, by one that takes its name; a new private key never replaces anything.
 */
public final class PrivateFile {
  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> ALL_READ =
      PosixFilePermissions.fromString("rw-r--r--");

  private PrivateFile() {}

  /** A new file that its owner alone may read. Fails if there is a file of that name. */
  public static void create(Path file, byte[] content) {
    try {
      fill(file, content);
      syncFolder(file);
    } catch (FileAlreadyExistsException e) {
      throw Failure.of(file + " is there already: a key is never overwritten");
    } catch (IOException e) {
      throw failure(file, e);
    }
  }

  /** Replaces what its owner alone may read; on Windows the folder's rights decide. */
  public static void write(Path file, byte[] content) {
    write(file, content, OWNER);
  }

  /** Replaces what everybody may read, a certificate. */
  public static void writePublic(Path file, byte[] content) {
    write(file, content, ALL_READ);
  }

  /**
   * Replaces what holds a private key, as whoever reads it expects: through a symbolic link, with
   * the owner, the group and the mode that the file has. A new file is its owner's alone.
   */
  public static void replace(Path file, byte[] content) {
    replace(file, content, OWNER);
  }

  /** The same for a certificate; a new file may be read by everybody. */
  public static void replacePublic(Path file, byte[] content) {
    replace(file, content, ALL_READ);
  }

  private static void replace(Path file, byte[] content, Set<PosixFilePermission> otherwise) {
    try {
      Path real = Files.exists(file) ? file.toRealPath() : file;
      if (!isPosix() || !Files.exists(real)) {
        write(real, content, otherwise);
        return;
      }
      PosixFileAttributes old = Files.readAttributes(real, PosixFileAttributes.class);
      write(real, content, old.permissions(), old);
    } catch (IOException e) {
      throw failure(file, e);
    }
  }

  private static void write(Path file, byte[] content, Set<PosixFilePermission> permissions) {
    write(file, content, permissions, null);
  }

  private static void write(
      Path file,
      byte[] content,
      Set<PosixFilePermission> permissions,
      @Nullable PosixFileAttributes old) {
    Path fresh = file.resolveSibling("." + file.getFileName() + "." + UUID.randomUUID());
    try {
      fill(fresh, content);
      if (isPosix()) {
        keepOwner(fresh, old);
        Files.setPosixFilePermissions(fresh, permissions);
      }
      move(fresh, file);
      syncFolder(file);
    } catch (IOException e) {
      forget(fresh);
      throw failure(file, e);
    }
  }

  /** The group before the mode: what a group may read is not shown to another one meanwhile. */
  private static void keepOwner(Path file, @Nullable PosixFileAttributes old) throws IOException {
    if (old == null) {
      return;
    }
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    PosixFileAttributes own = view.readAttributes();
    if (!own.group().equals(old.group())) {
      view.setGroup(old.group());
    }
    if (!own.owner().equals(old.owner())) {
      view.setOwner(old.owner());
    }
  }

  /** Private from the first octet on; nothing is left of a file that cannot be filled. */
  private static void fill(Path file, byte[] content) throws IOException {
    FileAttribute<?>[] attributes =
        isPosix()
            ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER)}
            : new FileAttribute<?>[0];
    try (FileChannel channel =
        FileChannel.open(
            file, Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW), attributes)) {
      ByteBuffer left = ByteBuffer.wrap(content);
      while (left.hasRemaining()) {
        channel.write(left);
      }
      channel.force(true);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (IOException e) {
      forget(file);
      throw e;
    }
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Windows cannot open a folder, and keeps names by itself. */
  private static void syncFolder(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (isPosix() && folder != null) {
      try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  private static void forget(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // The first failure is the one to report.
      return;
    }
  }

  private static Failure failure(Path file, IOException e) {
    return Failure.of("cannot write " + file + ": " + e.getClass().getSimpleName());
  }

  private static boolean isPosix() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  }
}
