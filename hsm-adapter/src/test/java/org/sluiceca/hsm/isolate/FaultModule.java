package org.sluiceca.hsm.isolate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.sluiceca.hsm.testkit.SoftHsm;

/** {@code fault_pkcs11.c} in front of SoftHSM, with the files that make it misbehave. */
record FaultModule(Path folder, Path library) {
  /** Builds it in this folder. */
  static FaultModule build(Path folder) {
    Path library = folder.resolve("fault_pkcs11.so");
    SoftHsm.run(
        "cc",
        "-O1",
        "-Wall",
        "-Werror",
        "-shared",
        "-fPIC",
        "-DFAULT_REAL=\"" + SoftHsm.library() + "\"",
        "-DFAULT_DIR=\"" + folder + "\"",
        "-o",
        library.toString(),
        Path.of("src/test/c/fault_pkcs11.c").toAbsolutePath().toString(),
        "-ldl");
    return new FaultModule(folder, library);
  }

  /** Begins to misbehave so. */
  void misbehave(String how) {
    try {
      Path _ = Files.createFile(folder.resolve(how));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Behaves again; nothing to do where it did. */
  void behave(String how) {
    try {
      boolean _ = Files.deleteIfExists(folder.resolve(how));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How many threads have begun to hang in C_Sign. */
  long hung() {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> String.valueOf(file.getFileName()).startsWith("hung.")).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether nothing has happened yet. */
  boolean isPending(String how) {
    return Files.exists(folder.resolve(how));
  }
}
