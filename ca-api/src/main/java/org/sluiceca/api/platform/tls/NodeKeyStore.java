package org.sluiceca.api.platform.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.sluiceca.core.x509.CertificateDer;

/**
 * The file {@code tls.p12}: the node's TLS key and chain. Protected by its mode (0600), not by its
 * password, which would have to lie next to it.
 */
final class NodeKeyStore {

  /** The alias of the only entry. */
  static final String ALIAS = "node";

  /** PKCS#12 wants one; see the class comment. */
  static final String PASSWORD = "unprotected";

  private final Path file;

  NodeKeyStore(Path stateDir) {
    this.file = stateDir.resolve("tls.p12");
  }

  /** Reads the file, if it is there and holds what {@link #write} writes. */
  Optional<KeyStore> read() throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, PASSWORD.toCharArray());
      return store.isKeyEntry(ALIAS) ? Optional.of(store) : Optional.empty();
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot read " + file, e);
    }
  }

  /** Writes key and chain, atomically, readable by this user only. */
  KeyStore write(PrivateKey key, List<CertificateDer> chain)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(
        ALIAS, key, PASSWORD.toCharArray(), certificates(chain).toArray(new Certificate[0]));
    Files.createDirectories(file.getParent());
    Path fresh = file.resolveSibling("tls.p12.new");
    Files.deleteIfExists(fresh);
    Files.createFile(
        fresh, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE);
        OutputStream out = Channels.newOutputStream(channel)) {
      store.store(out, PASSWORD.toCharArray());
      // Else a power cut may leave the new name over an empty file.
      channel.force(true);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    return store;
  }

  /** A key store of nothing but trusted certificates. */
  static KeyStore trusting(List<CertificateDer> anchors)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    int number = 0;
    for (Certificate anchor : certificates(anchors)) {
      store.setCertificateEntry("anchor-" + number++, anchor);
    }
    return store;
  }

  /** Returns whether less than a third of the certificate's life is left, or it names others. */
  static boolean wantsRenewal(KeyStore store, Set<String> names, Instant now)
      throws GeneralSecurityException {
    if (!(store.getCertificate(ALIAS) instanceof X509Certificate certificate)) {
      return true;
    }
    Instant notBefore = certificate.getNotBefore().toInstant();
    Instant notAfter = certificate.getNotAfter().toInstant();
    Duration third = Duration.between(notBefore, notAfter).dividedBy(3);
    return now.isAfter(notAfter.minus(third)) || !NodeNames.of(certificate).containsAll(names);
  }

  /** Returns whether the entry's chain ends under {@code issuer}, byte for byte. */
  static boolean isIssuedBy(KeyStore store, CertificateDer issuer) throws GeneralSecurityException {
    Certificate[] chain = store.getCertificateChain(ALIAS);
    return chain != null
        && chain.length > 1
        && CertificateDer.of(chain[1].getEncoded()).equals(issuer);
  }

  private static List<Certificate> certificates(List<CertificateDer> ders)
      throws GeneralSecurityException {
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    List<Certificate> certificates = new ArrayList<>();
    for (CertificateDer der : ders) {
      certificates.add(factory.generateCertificate(new ByteArrayInputStream(der.encoded())));
    }
    return certificates;
  }
}
