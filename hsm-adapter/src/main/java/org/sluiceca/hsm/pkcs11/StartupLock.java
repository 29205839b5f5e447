package org.sluiceca.hsm.pkcs11;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.PinFile;

/**
 * Lets one process of this machine at a time initialise a module and log in to a token: of eight
 * that log in to one SoftHSM at once, a quarter fail. A lock on a file, so it dies with its holder.
 */
public final class StartupLock {
  /** Eight nodes of 0.5 s each start within it; a holder that takes longer is hung. */
  private static final Duration WAIT_MAX = Duration.ofSeconds(30);

  private static final long POLL_NANOS = 20_000_000;

  private StartupLock() {}

  /**
   * Runs the body as the only one; waits at most 30 s for its turn.
   *
   * @throws HsmException.Busy when another process still holds the lock, or it cannot be had
   */
  public static <T> T holding(String module, String label, PinFile pin, Supplier<T> body) {
    Path file = file(module, label, pin);
    try (FileChannel channel = open(file)) {
      long deadline = System.nanoTime() + WAIT_MAX.toNanos();
      while (tryLock(channel) == null) {
        if (System.nanoTime() - deadline > 0) {
          throw new HsmException.Busy(
              "another process has held the login lock "
                  + file
                  + " for "
                  + WAIT_MAX.toSeconds()
                  + " s");
        }
        LockSupport.parkNanos(POLL_NANOS);
      }
      // Closing the channel unlocks. The file stays: deleting it would race with the next holder.
      return body.get();
    } catch (IOException e) {
      throw new HsmException.Busy("cannot lock " + file + ": " + e.getMessage());
    }
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(
        file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // Another thread of this process holds it.
      return null;
    }
  }

  /**
   * Returns the lock file: next to the PIN, which the nodes of one machine share, otherwise in the
   * temporary folder.
   */
  private static Path file(String module, String label, PinFile pin) {
    UUID key = UUID.nameUUIDFromBytes((module + '\0' + label).getBytes(StandardCharsets.UTF_8));
    Path folder = pin.path().toAbsolutePath().getParent();
    if (folder == null || !Files.isWritable(folder)) {
      folder = Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
    }
    return folder.resolve(".sluice-login-" + key + ".lock");
  }
}
