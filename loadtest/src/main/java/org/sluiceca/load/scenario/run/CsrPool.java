package org.sluiceca.load.scenario.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import org.sluiceca.load.CsrCorpus;
import org.sluiceca.load.plan.Client;

/**
 * Certification requests on disk: made once, since 10,000 of P-256, each with a key of its own,
 * take some seconds of a processor, and so do 50 keys of RSA, which 2,000 requests share. The keys
 * are not kept.
 */
final class CsrPool {

  /** A herd of more clients sends some of them again. */
  private static final int RSA_MAX = 2_000;

  private CsrPool() {}

  /**
   * Returns a file of requests, and makes it if it is not there.
   *
   * @param kind requests of another kind have the same names and other keys
   * @param key {@code ec-p256} or {@code rsa-2048}
   * @param wanted how many; of RSA there are fewer
   */
  static Path file(Path folder, String kind, String key, int wanted)
      throws IOException, GeneralSecurityException {
    boolean isRsa = key.equals(Client.RSA);
    int count = isRsa ? Math.min(wanted, RSA_MAX) : wanted;
    String name = kind + "-" + key + "-" + count + ".csr";
    Path file = Files.createDirectories(folder).resolve(name);
    if (!Files.exists(file)) {
      // Another run may make it at the same time: each writes its own, and the later one stays.
      Path fresh = Files.createTempFile(folder, kind, ".new");
      Files.write(fresh, CsrCorpus.make(count, isRsa));
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }
    return file;
  }
}
