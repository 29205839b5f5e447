package org.sluiceca.api.revocation.crl;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.crl.PlannedCrl;
import org.sluiceca.core.x509.CrlDer;

/**
 * The newest CRL and delta CRL of each scope, as files: in a folder of the node's own under their
 * numbers, so that who reads one is never given half of another, and if wanted in a folder for
 * others under the names of their URIs. A lower number never replaces a higher one. One thread
 * writes, any read.
 */
public final class CrlFolder {

  private final Path own;
  private final @Nullable Path directory;
  private final Map<CrlName, PublishedCrl> newest = new ConcurrentHashMap<>();

  /** Of each the file before the newest. Owned by the writing thread. */
  private final Map<CrlName, Path> superseded = new HashMap<>();

  /**
   * Empties the node's own folder, which is made if need be.
   *
   * @param own a folder for this alone
   * @param directory where CRLs are also written; null for nowhere
   * @throws IOException if the folders cannot be made or written
   */
  public CrlFolder(Path own, @Nullable Path directory) throws IOException {
    this.own = own;
    this.directory = directory;
    Files.createDirectories(own);
    if (directory != null) {
      Files.createDirectories(directory);
    }
    try (DirectoryStream<Path> old = Files.newDirectoryStream(own, "*" + CrlName.SUFFIX)) {
      for (Path file : old) {
        Files.delete(file);
      }
    }
  }

  /** Returns the newest of a name. */
  Optional<PublishedCrl> find(CrlName name) {
    return Optional.ofNullable(newest.get(name));
  }

  /** Returns the number of the newest of a name; 0 for none. */
  long number(CrlName name) {
    return find(name).map(PublishedCrl::number).orElse(0L);
  }

  /**
   * Publishes a CRL unless a newer one is, and a delta only next to a complete CRL that it can be
   * put to. Only one thread may do so.
   */
  void publish(PlannedCrl crl, CrlDer encoded) throws IOException {
    CrlName name = CrlName.of(crl);
    Optional<PublishedCrl> last = find(name);
    boolean isOld = last.isPresent() && last.get().number() >= crl.number();
    if (isOld || crl.base().orElse(0) > number(CrlName.complete(crl.scope()))) {
      return;
    }
    byte[] octets = encoded.encoded();
    Path file =
        own.resolve(
            String.format(
                Locale.ROOT,
                "%s.%d.%d%s",
                crl.scope().issuer(),
                crl.scope().shard(),
                crl.number(),
                CrlName.SUFFIX));
    Files.write(file, octets);
    if (directory != null) {
      // Before it counts as published: what fails here is tried again.
      copy(name.file(directory), octets, directory);
    }
    newest.put(name, PublishedCrl.of(crl, file, octets.length));
    if (last.isPresent()) {
      // Not the last one: who has just looked it up has yet to open it.
      Path old = superseded.put(name, last.get().file());
      if (old != null) {
        Files.deleteIfExists(old);
      }
    }
  }

  /** Under the name of its URI, below the folder; by a rename, so that no half of it is seen. */
  private static void copy(Path target, byte[] octets, Path directory) throws IOException {
    Path folder = target.getParent() == null ? directory : target.getParent();
    Files.createDirectories(folder);
    Path whole = Files.createTempFile(folder, ".crl", ".part");
    try {
      Files.write(whole, octets);
      whole.toFile().setReadable(true, false);
      Files.move(
          whole, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(whole);
    }
  }
}
