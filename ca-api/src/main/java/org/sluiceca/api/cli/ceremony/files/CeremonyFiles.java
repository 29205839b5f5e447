package org.sluiceca.api.cli.ceremony.files;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.Pem;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.CsrDer;

/**
 * Reads and writes what passes between the steps. Writing replaces a file at once or not at all.
 */
public final class CeremonyFiles {

  private CeremonyFiles() {}

  /** Writes certificates as PEM, in their order. */
  public static void writeCertificates(Path file, List<CertificateDer> certificates)
      throws IOException {
    write(
        file,
        certificates.stream()
            .map(c -> Pem.write(Pem.CERTIFICATE, c.encoded()))
            .collect(Collectors.joining()),
        "rw-r--r--");
  }

  /** Reads one or more certificates from PEM. */
  public static List<CertificateDer> readCertificates(Path file) throws IOException, DerException {
    List<CertificateDer> certificates =
        Pem.readAll(Pem.CERTIFICATE, Files.readString(file)).stream()
            .map(CertificateDer::of)
            .toList();
    if (certificates.isEmpty()) {
      throw new IOException("no certificate in " + file);
    }
    return certificates;
  }

  /** Writes a request as PEM. */
  public static void writeCsr(Path file, CsrDer csr) throws IOException {
    write(file, Pem.write(Pem.CERTIFICATE_REQUEST, csr.encoded()), "rw-r--r--");
  }

  /** Reads a request, PEM or DER. */
  public static CsrDer readCsr(Path file) throws IOException, DerException {
    return Pem.request(Files.readAllBytes(file));
  }

  /** Writes a subjectPublicKeyInfo as PEM. */
  public static void writePublicKey(Path file, byte[] subjectPublicKeyInfo) throws IOException {
    write(file, Pem.write(Pem.PUBLIC_KEY, subjectPublicKeyInfo), "rw-r--r--");
  }

  /** Writes a CRL as DER, for everyone: it is published. */
  public static void writeCrl(Path file, byte[] der) throws IOException {
    write(file, der, "rw-r--r--");
  }

  /** Writes a secret that only this user may read. */
  public static void writeSecret(Path file, String secret) throws IOException {
    write(file, secret + "\n", "rw-------");
  }

  /** Writes settings that hold no secret, for this user and its group. */
  public static void writeSettings(Path file, String text) throws IOException {
    write(file, text, "rw-r-----");
  }

  private static void write(Path file, String text, String mode) throws IOException {
    write(file, text.getBytes(StandardCharsets.UTF_8), mode);
  }

  private static void write(Path file, byte[] octets, String mode) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    // Opened once: in a folder of another user the name may be a link a moment later.
    try (FileChannel channel =
            FileChannel.open(
                fresh,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode)));
        OutputStream out = Channels.newOutputStream(channel)) {
      // The umask may have taken rights away that others need; never the other way round.
      Files.setAttribute(
          fresh,
          "posix:permissions",
          PosixFilePermissions.fromString(mode),
          LinkOption.NOFOLLOW_LINKS);
      out.write(octets);
      // Else a power cut may leave the new name over an empty file.
      channel.force(true);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      // And the new name itself may be lost without this.
      try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }
}
