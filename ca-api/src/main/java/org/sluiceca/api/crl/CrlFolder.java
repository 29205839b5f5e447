package org.sluiceca.api.crl;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.crl.PlannedCrl;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.x509.CrlDer;

/**
 * The newest CRL of each scope, as files: in a folder of the node's own under their numbers, so
 * that who reads one is never given half of another, and if wanted in a folder for others under the
 * names of their URIs. A lower number never replaces a higher one. One thread writes, any read.
 */
public final class CrlFolder {

  private static final String SUFFIX = ".crl";

  private final Path own;
  private final @Nullable Path directory;
  private final Map<CrlScope, PublishedCrl> newest = new ConcurrentHashMap<>();

  /** Of each scope the file before the newest. Owned by the writing thread. */
  private final Map<CrlScope, Path> superseded = new HashMap<>();

  /**
   * Empties the node's own folder, which is made if need be.
   *
   * @param own a folder for this alone
   * @param directory where CRLs are put beside; null for nowhere
   * @throws IOException if the folders cannot be made or written
   */
  public CrlFolder(Path own, @Nullable Path directory) throws IOException {
    this.own = own;
    this.directory = directory;
    Files.createDirectories(own);
    if (directory != null) {
      Files.createDirectories(directory);
    }
    try (DirectoryStream<Path> old = Files.newDirectoryStream(own, "*" + SUFFIX)) {
      for (Path file : old) {
        Files.delete(file);
      }
    }
  }

  /** Returns the newest CRL of a scope. */
  Optional<PublishedCrl> find(CrlScope scope) {
    return Optional.ofNullable(newest.get(scope));
  }

  /** Returns the number of the newest CRL of a scope; 0 for none. */
  long number(CrlScope scope) {
    return find(scope).map(PublishedCrl::number).orElse(0L);
  }

  /** Publishes a CRL unless a newer one is. Only one thread may do so. */
  void publish(PlannedCrl crl, CrlDer encoded) throws IOException {
    Optional<PublishedCrl> last = find(crl.scope());
    if (last.isPresent() && last.get().number() >= crl.number()) {
      return;
    }
    byte[] octets = encoded.encoded();
    Path file =
        own.resolve(
            "%s.%d.%d%s"
                .formatted(crl.scope().issuer(), crl.scope().shard(), crl.number(), SUFFIX));
    Files.write(file, octets);
    if (directory != null) {
      // Before it counts as published: what fails here is tried again.
      copy(crl.scope(), octets, directory);
    }
    newest.put(crl.scope(), PublishedCrl.of(crl, file, octets.length));
    if (last.isPresent()) {
      // Not the last one: who has just looked it up has yet to open it.
      Path old = superseded.put(crl.scope(), last.get().file());
      if (old != null) {
        Files.deleteIfExists(old);
      }
    }
  }

  /**
   * As {@link CrlScope#path} says, below the folder; by a rename, so that no half of it is seen.
   */
  private static void copy(CrlScope scope, byte[] octets, Path directory) throws IOException {
    Path target =
        scope.shard() == 0
            ? directory.resolve(scope.issuer() + SUFFIX)
            : directory.resolve(scope.issuer().value()).resolve(scope.shard() + SUFFIX);
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
