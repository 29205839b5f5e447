package org.sluiceca.load.scenario.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import org.sluiceca.load.CsrCorpus;

/**
 * Certification requests on disk, each with a key of its own: made once, since 10,000 take some
 * seconds of a processor. Nobody has the keys.
 */
final class CsrPool {

  private CsrPool() {}

  /**
   * Returns a file of requests, and makes it if it is not there.
   *
   * @param kind requests of another kind have the same names and other keys
   */
  static Path file(Path folder, String kind, int count)
      throws IOException, GeneralSecurityException {
    Path file = Files.createDirectories(folder).resolve(kind + "-" + count + ".csr");
    if (!Files.exists(file)) {
      // Another run may make it at the same time: each its own, and whoever is later wins.
      Path fresh = Files.createTempFile(folder, kind, ".new");
      Files.write(fresh, CsrCorpus.make(count));
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }
    return file;
  }
}
