package org.sluiceca.api.cli.ceremony.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CeremonyFilesTest {

  /** Before it was opened once, some hundred writes were enough to follow one. */
  private static final int WRITES = 3000;

  @TempDir private Path folder;

  @Test
  void writeCrl_linkWithItsName_isReplaced() throws IOException {
    Path other = Files.writeString(folder.resolve("other"), "other");
    Path file = Files.createSymbolicLink(folder.resolve("file"), other);

    CeremonyFiles.writeCrl(file, new byte[] {1, 2});

    assertThat(file).isRegularFile().hasBinaryContent(new byte[] {1, 2});
    assertThat(other).hasContent("other");
  }

  /** Root writes into a folder of another user, who makes the new file a link to one of root's. */
  @Test
  void writeSecret_linkPutInItsPlaceMeanwhile_isNotFollowed() throws Exception {
    Path other = Files.writeString(folder.resolve("other"), "other");
    Path file = folder.resolve("file");
    AtomicBoolean isDone = new AtomicBoolean();
    Thread attacker = new Thread(() -> putLinks(other, folder.resolve("file.new"), isDone));
    attacker.start();
    try {
      for (int i = 0; i < WRITES; i++) {
        write(file);
      }
    } finally {
      isDone.set(true);
      attacker.join();
    }

    assertThat(other).hasContent("other");
  }

  private static void write(Path file) throws IOException {
    try {
      CeremonyFiles.writeSecret(file, "secret");
    } catch (FileSystemException e) {
      // The link was there first, or instead of the file.
      assertThat(e.getFile()).startsWith(file.toString());
    }
  }

  private static void putLinks(Path to, Path place, AtomicBoolean isDone) {
    Path link = place.resolveSibling("link");
    try {
      while (!isDone.get()) {
        makeLink(link, to);
        if (Files.exists(place)) {
          Files.move(
              link, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void makeLink(Path link, Path to) throws IOException {
    try {
      Files.createSymbolicLink(link, to);
    } catch (FileAlreadyExistsException _) {
      // Not used yet.
    }
  }
}
