package org.sluiceca.core.bench.machine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Keys with certificates of one P-256 issuer, made by the JDK's keytool in a folder. */
final class Identities {

  private static final String PASSWORD = "changeit";
  private static final String ISSUER = "issuer";
  private static final int SECONDS_MAX = 60;

  private static final Map<String, List<String>> KEYS =
      Map.of(
          "ec-p256", List.of("-keyalg", "EC", "-groupname", "secp256r1"),
          "ec-p384", List.of("-keyalg", "EC", "-groupname", "secp384r1"),
          "rsa-2048", List.of("-keyalg", "RSA", "-keysize", "2048"),
          "rsa-3072", List.of("-keyalg", "RSA", "-keysize", "3072"),
          "rsa-4096", List.of("-keyalg", "RSA", "-keysize", "4096"),
          "ed25519", List.of("-keyalg", "Ed25519"));

  private final Path file;

  /** Makes the issuer; {@code folder} keeps the keys. */
  Identities(Path folder) throws IOException {
    this.file = folder.resolve("identities.p12");
    keytool(ISSUER, "ec-p256", List.of("-ext", "bc:critical"));
  }

  /**
   * Returns a new key of this kind with its certificate, alone.
   *
   * @throws IOException if keytool fails
   */
  KeyStore make(String name, String kind) throws IOException, GeneralSecurityException {
    keytool(
        name,
        kind,
        List.of("-signer", ISSUER, "-ext", "san=dns:localhost", "-ext", "ku=digitalSignature"));
    KeyStore all = all();
    KeyStore one = empty();
    one.setKeyEntry(
        name,
        all.getKey(name, PASSWORD.toCharArray()),
        PASSWORD.toCharArray(),
        all.getCertificateChain(name));
    return one;
  }

  /** Returns the issuer's certificate as what is trusted. */
  KeyStore trusted() throws IOException, GeneralSecurityException {
    KeyStore trusted = empty();
    Certificate issuer = all().getCertificate(ISSUER);
    trusted.setCertificateEntry(ISSUER, issuer);
    return trusted;
  }

  static char[] password() {
    return PASSWORD.toCharArray();
  }

  private KeyStore all() throws IOException, GeneralSecurityException {
    KeyStore all = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      all.load(in, PASSWORD.toCharArray());
    }
    return all;
  }

  private static KeyStore empty() throws IOException, GeneralSecurityException {
    KeyStore empty = KeyStore.getInstance("PKCS12");
    empty.load(null, null);
    return empty;
  }

  private void keytool(String name, String kind, List<String> more) throws IOException {
    List<String> key = KEYS.get(kind);
    if (key == null) {
      throw new IllegalArgumentException("no kind of key " + kind);
    }
    List<String> words =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + "/bin/keytool", "-genkeypair", "-alias", name));
    words.addAll(List.of("-keystore", file.toString(), "-storetype", "PKCS12"));
    words.addAll(List.of("-storepass", PASSWORD, "-dname", "CN=" + name, "-validity", "2"));
    words.addAll(key);
    words.addAll(more);
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS) || process.exitValue() != 0) {
        process.destroy();
        throw new IOException("keytool: " + said);
      }
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
