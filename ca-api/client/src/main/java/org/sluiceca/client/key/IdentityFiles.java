package org.sluiceca.client.key;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.sluiceca.client.output.Failure;

/**
 * Where a private key and its certificate are kept. Each file is replaced whole, with the owner,
 * the group and the mode that it had; a symbolic link stays one.
 */
public sealed interface IdentityFiles {

  /** Reads key and certificate. Fails, naming the file, where one is missing or malformed. */
  Identity read();

  /** Replaces key and certificate. */
  void write(Identity identity);

  /** The file that has the certificate, absolute: what messages and folders are named after. */
  Path certificateFile();

  /** The file that has the key, absolute. */
  Path keyFile();

  /**
   * Two PEM files, or one that has both, the certificates first.
   *
   * @param certificateFile certificate and chain
   * @param keyFile PKCS#8
   */
  record Pem(Path certificateFile, Path keyFile) implements IdentityFiles {

    /** Makes both absolute. */
    public Pem {
      certificateFile = certificateFile.toAbsolutePath();
      keyFile = keyFile.toAbsolutePath();
    }

    @Override
    public Identity read() {
      return new Identity(PemFiles.privateKey(keyFile), PemFiles.certificates(certificateFile));
    }

    /**
     * The key first: a program that starts between the two has no certificate without its key. The
     * file of a key that stays the same is left alone.
     */
    @Override
    public void write(Identity identity) {
      String key = Csr.pem(identity.key());
      String chain = identity.chainPem();
      if (isOneFile()) {
        PrivateFile.replaceAll(List.of(new PrivateFile.Change(keyFile, ascii(chain + key), true)));
        return;
      }
      List<PrivateFile.Change> changes = new ArrayList<>();
      if (!Files.exists(keyFile) || !Csr.pem(PemFiles.privateKey(keyFile)).equals(key)) {
        changes.add(new PrivateFile.Change(keyFile, ascii(key), true));
      }
      changes.add(new PrivateFile.Change(certificateFile, ascii(chain), false));
      PrivateFile.replaceAll(changes);
    }

    /** Under one name, or under two that lead to one file. */
    private boolean isOneFile() {
      try {
        return certificateFile.equals(keyFile)
            || (Files.exists(certificateFile)
                && Files.exists(keyFile)
                && Files.isSameFile(certificateFile, keyFile));
      } catch (IOException e) {
        throw Failure.of("cannot read " + certificateFile + ": " + e.getMessage());
      }
    }

    private static byte[] ascii(String text) {
      return text.getBytes(StandardCharsets.US_ASCII);
    }
  }

  /**
   * One key store. Other entries that Java reads stay; certificates without a name, as openssl adds
   * them to PKCS#12, do not.
   *
   * @param file the store
   * @param type {@code PKCS12} or {@code JKS}
   * @param passwordFile whose first line is the password of the store and of the key
   */
  record Store(Path file, String type, Path passwordFile) implements IdentityFiles {
    private static final String ALIAS = "sluice";
    private static final int OCTETS_MAX = 4 << 20;

    /** Makes both files absolute. */
    public Store {
      file = file.toAbsolutePath();
      passwordFile = passwordFile.toAbsolutePath();
    }

    @Override
    public Path certificateFile() {
      return file;
    }

    @Override
    public Path keyFile() {
      return file;
    }

    @Override
    public Identity read() {
      char[] password = password();
      try {
        KeyStore store = load(password);
        String alias =
            alias(store).orElseThrow(() -> Failure.of(file + " has no private key in it"));
        List<X509Certificate> chain =
            Arrays.stream(store.getCertificateChain(alias))
                .map(X509Certificate.class::cast)
                .toList();
        return new Identity((PrivateKey) store.getKey(alias, password), chain);
      } catch (GeneralSecurityException e) {
        throw Failure.of(file + ": the key cannot be read with the password in " + passwordFile);
      } finally {
        Arrays.fill(password, ' ');
      }
    }

    @Override
    public void write(Identity identity) {
      char[] password = password();
      try {
        KeyStore store = load(password);
        store.setKeyEntry(
            alias(store).orElse(ALIAS),
            identity.key(),
            password,
            identity.chain().toArray(Certificate[]::new));
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        store.store(octets, password);
        PrivateFile.replaceAll(List.of(new PrivateFile.Change(file, octets.toByteArray(), true)));
      } catch (GeneralSecurityException | IOException e) {
        throw Failure.of("the key store " + file + " cannot be written: " + e.getMessage());
      } finally {
        Arrays.fill(password, ' ');
      }
    }

    /** Fails where there is no password. */
    public void checkPassword() {
      Arrays.fill(password(), ' ');
    }

    /** An empty store where there is no file yet. */
    private KeyStore load(char[] password) throws GeneralSecurityException {
      KeyStore store = KeyStore.getInstance(type);
      try {
        if (!Files.exists(file)) {
          store.load(null, null);
          return store;
        }
        if (Files.size(file) > OCTETS_MAX) {
          throw Failure.of(file + " is too long for a key store");
        }
        try (var stream = Files.newInputStream(file)) {
          store.load(stream, password);
        }
        return store;
      } catch (IOException e) {
        throw Failure.of(
            file
                + " is no key store of type "
                + type
                + ", or "
                + passwordFile
                + " has not its password");
      }
    }

    /** The one entry with a private key. */
    private Optional<String> alias(KeyStore store) throws GeneralSecurityException {
      Optional<String> found = Optional.empty();
      for (String alias : Collections.list(store.aliases())) {
        if (store.entryInstanceOf(alias, KeyStore.PrivateKeyEntry.class)) {
          if (found.isPresent()) {
            throw Failure.of(file + " has several private keys: which one is not known");
          }
          found = Optional.of(alias);
        }
      }
      return found;
    }

    private char[] password() {
      byte[] octets = PemFiles.read(passwordFile).getBytes(StandardCharsets.ISO_8859_1);
      String line = new String(octets, StandardCharsets.UTF_8).lines().findFirst().orElse("");
      if (line.isEmpty()) {
        throw Failure.of(passwordFile + " has no password in its first line");
      }
      return line.toCharArray();
    }
  }
}
