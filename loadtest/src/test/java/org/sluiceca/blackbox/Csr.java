package org.sluiceca.blackbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A certification request as a foreign tool made it.
 *
 * @param pem the request
 * @param key its private key, PKCS#8 in PEM, or the tool's own store
 * @param name the DNS name in it
 */
record Csr(Path pem, Path key, String name) {

  private static final String STORE_PASSWORD = "changeit";

  /** The key types that the demo profiles take, as openssl names them. */
  enum KeyType {
    RSA_2048("rsa:2048"),
    RSA_3072("rsa:3072"),
    RSA_4096("rsa:4096"),
    EC_P256("ec -pkeyopt ec_paramgen_curve:P-256"),
    EC_P384("ec -pkeyopt ec_paramgen_curve:P-384"),
    EC_P521("ec -pkeyopt ec_paramgen_curve:P-521"),
    ED25519("ed25519"),
    ED448("ed448");

    /** The words of {@code openssl req -newkey}, separated by blanks. */
    private final String newKey;

    KeyType(String newKey) {
      this.newKey = newKey;
    }
  }

  /** By openssl, with this common name, which is also the one DNS name. */
  static Csr openssl(Path folder, KeyType type, String name) {
    return openssl(folder, type, name, "-addext", "subjectAltName=DNS:" + name);
  }

  /** By openssl, with these further options of {@code openssl req}. */
  static Csr openssl(Path folder, KeyType type, String name, String... options) {
    return openssl(folder, List.of(type.newKey.split(" ")), name, options);
  }

  /** By openssl, with any {@code -newkey}. */
  static Csr openssl(Path folder, List<String> newKey, String name, String... options) {
    Csr csr = in(folder, ".key");
    List<Object> words = new ArrayList<>(List.of("openssl", "req", "-new", "-nodes", "-newkey"));
    words.addAll(newKey);
    words.addAll(List.of("-keyout", csr.key, "-out", csr.pem, "-subj", "/CN=" + name));
    words.addAll(List.of(options));
    Program.of(words.toArray()).run().ok();
    return new Csr(csr.pem, csr.key, name);
  }

  /** By GnuTLS, with a template that names {@code name} as dns_name. */
  static Csr certtool(Path folder, List<String> newKey, String name) {
    Csr csr = in(folder, ".key");
    Path template = write(folder, "cn = \"%s\"\ndns_name = \"%s\"\n".formatted(name, name));
    List<Object> words = new ArrayList<>(List.of("certtool", "--generate-privkey"));
    words.addAll(newKey);
    words.addAll(List.of("--outfile", csr.key));
    Program.of(words.toArray()).run().ok();
    Program.of(
            "certtool",
            "--generate-request",
            "--load-privkey",
            csr.key,
            "--template",
            template,
            "--outfile",
            csr.pem)
        .run()
        .ok();
    return new Csr(csr.pem, csr.key, name);
  }

  /** By the JDK's keytool, with further options such as {@code -ext}. */
  static Csr keytool(Path folder, List<String> newKey, String name, String... options) {
    Csr csr = in(folder, ".p12");
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    List<Object> generate = new ArrayList<>(List.of(keytool, "-genkeypair"));
    generate.addAll(newKey);
    generate.addAll(store(csr.key));
    generate.addAll(List.of("-dname", "CN=" + name));
    Program.of(generate.toArray()).run().ok();
    List<Object> request = new ArrayList<>(List.of(keytool, "-certreq", "-file", csr.pem));
    request.addAll(store(csr.key));
    request.addAll(List.of(options));
    Program.of(request.toArray()).run().ok();
    return new Csr(csr.pem, csr.key, name);
  }

  private static List<Object> store(Path key) {
    return List.of("-alias", "a", "-keystore", key, "-storepass", STORE_PASSWORD);
  }

  byte[] pemBytes() {
    return read(pem);
  }

  String pemText() {
    return new String(pemBytes(), java.nio.charset.StandardCharsets.US_ASCII);
  }

  /** The request in DER, as openssl reads it. */
  byte[] der() {
    return Program.of("openssl", "req", "-in", pem, "-outform", "DER").run().ok().bytes();
  }

  /** The public key in it, as openssl reads it. */
  String publicKey() {
    return Program.of("openssl", "req", "-in", pem, "-noout", "-pubkey").run().ok().text();
  }

  /** A PKCS#12 file without a password: the key, and the certificate that was issued for it. */
  Path pkcs12(Path folder, String chain) {
    Path store = write(folder, "");
    List<Object> words =
        new ArrayList<>(List.of("openssl", "pkcs12", "-export", "-passout", "pass:"));
    words.addAll(List.of("-inkey", key, "-in", write(folder, chain), "-out", store));
    Program.of(words.toArray()).run().ok();
    return store;
  }

  private static Csr in(Path folder, String keySuffix) {
    try {
      // The tools refuse or append to what is there, so only the name is taken.
      Path base = Files.createTempFile(folder, "csr", "");
      return new Csr(
          base.resolveSibling(base.getFileName() + ".pem"),
          base.resolveSibling(base.getFileName() + keySuffix),
          "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Path write(Path folder, String text) {
    try {
      return Files.writeString(Files.createTempFile(folder, "file", ""), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
