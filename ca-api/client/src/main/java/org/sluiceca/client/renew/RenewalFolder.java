package org.sluiceca.client.renew;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.sluiceca.client.key.Csr;
import org.sluiceca.client.key.PemFiles;
import org.sluiceca.client.key.PrivateFile;
import org.sluiceca.client.output.Failure;

/**
 * What a renewal has reached, in {@code .NAME.renewal} next to the certificate, so that it goes on
 * after a crash at any instant: the new key, if there is one, before it is sent, the new
 * certificate before the old one is replaced. One process has it at a time.
 */
final class RenewalFolder implements AutoCloseable {
  private static final String REQUEST = "request.pem";
  private static final int TEXT_MAX = 1 << 16;

  private final Path folder;
  private final FileChannel channel;

  /**
   * Takes the folder of this certificate; fails while another process has it, or where it is not
   * this user's alone.
   */
  RenewalFolder(Path certificate) {
    this.folder = certificate.resolveSibling("." + certificate.getFileName() + ".renewal");
    try {
      if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
        Files.createDirectory(folder, mode("rwx------"));
      }
      requireOwn();
      this.channel =
          FileChannel.open(
              folder.resolve("lock"),
              Set.of(
                  StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
              mode("rw-------"));
    } catch (IOException e) {
      throw Failure.of("cannot make or open the folder " + folder + ": " + e.getMessage());
    }
    lock();
  }

  /** Another user who may write in the same place could have put a folder there, or a link. */
  private void requireOwn() throws IOException {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      throw Failure.of(folder + " is no folder: remove it");
    }
    if (!isPosix()) {
      return;
    }
    PosixFileAttributes is =
        Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    Path mine = Files.createTempFile(folder, "owner", "");
    boolean own = Files.getOwner(mine, LinkOption.NOFOLLOW_LINKS).equals(is.owner());
    Files.delete(mine);
    if (!own || !PosixFilePermissions.toString(is.permissions()).endsWith("------")) {
      throw Failure.of(folder + " is not this user's alone: look at it, and remove it");
    }
  }

  private void lock() {
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return;
      }
      channel.close();
    } catch (IOException | OverlappingFileLockException e) {
      throw Failure.of("cannot lock " + folder + ": " + e);
    }
    throw Failure.of("another process renews this certificate now (" + folder + ")");
  }

  Path log() {
    return folder.resolve("hook.log");
  }

  /**
   * Keeps a request for the renewal of {@code serial}, durable, in the place of any other.
   *
   * @param fresh the new key; empty for one that is kept, of which there is no copy here
   */
  void keep(String serial, Optional<PrivateKey> fresh, byte[] csr) {
    discard();
    fresh.ifPresent(key -> PrivateFile.write(key(), ascii(Csr.pem(key))));
    PrivateFile.write(folder.resolve(REQUEST), ascii(serial + "\n" + Csr.pem(csr)));
  }

  /**
   * The request, DER, that has no certificate yet.
   *
   * @param isFresh whether it is for a new key, which must be here, or for the one that is kept
   */
  Optional<byte[]> request(String serial, boolean isFresh) {
    return text(REQUEST)
        .filter(text -> text.startsWith(serial + "\n") && Files.exists(key()) == isFresh)
        .map(text -> PemFiles.request(text, folder.resolve(REQUEST).toString()));
  }

  /** The new key; empty where the old one is kept. */
  Optional<PrivateKey> freshKey() {
    return Optional.of(key()).filter(Files::exists).map(PemFiles::privateKey);
  }

  private Path key() {
    return folder.resolve("key.pem");
  }

  /** Keeps what was signed, to ask the same again. */
  void keepProof(String subject, String header) {
    PrivateFile.write(folder.resolve("proof"), ascii(subject + "\n" + header + "\n"));
  }

  /** What was signed last for this subject. */
  Optional<String> proof(String subject) {
    return text("proof")
        .map(text -> text.lines().toList())
        .filter(lines -> lines.size() == 2 && lines.getFirst().equals(subject))
        .map(lines -> lines.get(1));
  }

  /** Keeps the certificate: from here on it is going to replace the old one. */
  void keepCertificate(String chain) {
    PrivateFile.write(certificate(), ascii(chain));
  }

  /**
   * What is going to replace the old pair.
   *
   * @param replaces the serial number of the certificate that was renewed
   * @param chain the new certificate, and those above it
   * @param freshKey its key; empty where the old one is kept
   */
  record Complete(String replaces, List<X509Certificate> chain, Optional<PrivateKey> freshKey) {}

  /** What was kept; empty if no certificate was. */
  Optional<Complete> complete() {
    return text(REQUEST)
        .filter(request -> Files.exists(certificate()))
        .map(
            request ->
                new Complete(
                    request.lines().findFirst().orElse(""),
                    PemFiles.certificates(certificate()),
                    freshKey()));
  }

  /** Forgets key, request and certificate. */
  void discard() {
    for (String name : new String[] {"proof", "certificate.pem", REQUEST, "key.pem"}) {
      delete(name);
    }
  }

  /** Has the hook run after the files were replaced, however often it takes. */
  void owesHook(boolean owed) {
    if (owed) {
      PrivateFile.write(folder.resolve("hook-is-due"), new byte[0]);
    } else {
      delete("hook-is-due");
    }
  }

  boolean owesHook() {
    return Files.exists(folder.resolve("hook-is-due"));
  }

  private Path certificate() {
    return folder.resolve("certificate.pem");
  }

  private Optional<String> text(String name) {
    Path file = folder.resolve(name);
    try {
      return Files.exists(file) && Files.size(file) <= TEXT_MAX
          ? Optional.of(Files.readString(file, StandardCharsets.US_ASCII))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private void delete(String name) {
    try {
      Files.deleteIfExists(folder.resolve(name));
    } catch (IOException e) {
      throw Failure.of("cannot delete " + folder.resolve(name));
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private FileAttribute<?>[] mode(String mode) {
    return isPosix()
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))
        }
        : new FileAttribute<?>[0];
  }

  private boolean isPosix() {
    return folder.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /** Lets another process have it. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw Failure.of("cannot close " + folder + ": " + e.getMessage());
    }
  }
}
