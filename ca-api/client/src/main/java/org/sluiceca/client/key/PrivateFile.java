package org.sluiceca.client.key;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
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
   * Replaces a secret in one step, through a symbolic link; the file keeps its owner, group and
   * mode, and a new one is its owner's alone. If it fails the old content stays. The caller has
   * locked the file.
   */
  public static void replace(Path file, byte[] secret) {
    replaceAll(List.of(new Change(file, secret, true)));
  }

  /**
   * A file and what is to be in it.
   *
   * @param secret whether a new file is its owner's alone
   */
  @SuppressWarnings("ArrayRecordComponent") // Read by this package alone, which changes none.
  record Change(Path file, byte[] content, boolean secret) {}

  /**
   * Replaces files as their readers expect: through a symbolic link, with the owner, the group and
   * the mode that each has. All of them, or none: what can fail is done before the first one is
   * replaced, and that is put back if a later one cannot be.
   */
  static void replaceAll(List<Change> changes) {
    List<Replacement> prepared = new ArrayList<>();
    try {
      for (Change change : changes) {
        forgetFragments(real(change.file()));
        prepared.add(prepare(change));
      }
      commit(prepared);
    } catch (IOException e) {
      throw failure(changes.get(Math.min(prepared.size(), changes.size() - 1)).file(), e);
    } finally {
      prepared.forEach(p -> forget(p.fresh()));
    }
  }

  /** A complete file in the folder of the one that it will replace. */
  @SuppressWarnings("ArrayRecordComponent") // Read by this class alone, which changes none.
  private record Replacement(Path fresh, Path target, byte @Nullable [] old) {}

  private static Replacement prepare(Change change) throws IOException {
    Path target = real(change.file());
    Path fresh = fragment(target);
    boolean there = Files.exists(target);
    byte @Nullable [] old = there ? Files.readAllBytes(target) : null;
    fill(fresh, change.content());
    try {
      if (isPosix(fresh)) {
        if (there) {
          like(fresh, Files.readAttributes(target, PosixFileAttributes.class));
        } else {
          view(fresh).setPermissions(change.secret() ? OWNER : ALL_READ);
        }
      }
      return new Replacement(fresh, target, old);
    } catch (IOException e) {
      forget(fresh);
      throw e;
    }
  }

  private static void commit(List<Replacement> all) throws IOException {
    List<Replacement> done = new ArrayList<>();
    try {
      for (Replacement one : all) {
        move(one.fresh(), one.target());
        done.add(one);
        syncFolder(one.target());
      }
    } catch (IOException e) {
      for (Replacement one : done) {
        byte[] old = one.old();
        if (old != null && !one.equals(all.getLast())) {
          Path back = fragment(one.target());
          fill(back, old);
          if (isPosix(back)) {
            like(back, Files.readAttributes(one.target(), PosixFileAttributes.class));
          }
          move(back, one.target());
        }
      }
      throw e;
    }
  }

  private static Path real(Path file) throws IOException {
    return Files.exists(file) ? file.toRealPath() : file;
  }

  private static Path fragment(Path file) {
    return file.resolveSibling("." + file.getFileName() + "." + UUID.randomUUID());
  }

  /** What a process that was killed has left half written; the file must be locked. */
  private static void forgetFragments(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      return;
    }
    Pattern name = Pattern.compile(Pattern.quote("." + file.getFileName() + ".") + "[0-9a-f-]{36}");
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        if (name.matcher(String.valueOf(entry.getFileName())).matches()) {
          Files.deleteIfExists(entry);
        }
      }
    }
  }

  /** The group before the mode: what a group may read is not shown to another one meanwhile. */
  private static void like(Path file, PosixFileAttributes old) throws IOException {
    PosixFileAttributeView view = view(file);
    PosixFileAttributes own = view.readAttributes();
    if (!own.group().equals(old.group())) {
      view.setGroup(old.group());
    }
    if (!own.owner().equals(old.owner())) {
      view.setOwner(old.owner());
    }
    view.setPermissions(old.permissions());
  }

  /** Not through a link that another user may have put in the file's place. */
  private static PosixFileAttributeView view(Path file) {
    return Files.getFileAttributeView(
        file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
  }

  private static void write(Path file, byte[] content, Set<PosixFilePermission> permissions) {
    Path fresh = fragment(file);
    try {
      fill(fresh, content);
      if (isPosix(fresh)) {
        view(fresh).setPermissions(permissions);
      }
      move(fresh, file);
      syncFolder(file);
    } catch (IOException e) {
      forget(fresh);
      throw failure(file, e);
    }
  }

  /** Private from the first octet on; nothing is left of a file that cannot be filled. */
  private static void fill(Path file, byte[] content) throws IOException {
    FileAttribute<?>[] attributes =
        isPosix(file)
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
    if (isPosix(file) && folder != null) {
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

  /** Whether files there have an owner, a group and a mode; on Windows they have not. */
  private static boolean isPosix(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
