package org.sluiceca.blackbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** What openssl signs with a key that a test holds itself. */
final class Pkcs10 {

  private Pkcs10() {}

  /** Returns the DER of a request for one DNS name. */
  static byte[] of(KeyPair key, String name) throws Exception {
    return signed(key, "-new", "-subj", "/CN=" + name, "-addext", "subjectAltName=DNS:" + name);
  }

  /** Returns the DER of a request without a subject for names as openssl writes them. */
  static byte[] naming(KeyPair key, String names) throws IOException {
    return signed(key, "-new", "-subj", "/", "-addext", "subjectAltName=" + names);
  }

  /**
   * Returns a certificate that the key itself signs, with these extensions as openssl reads them.
   */
  static X509Certificate selfSigned(KeyPair key, String... extensions) throws IOException {
    List<String> words = new ArrayList<>(List.of("-x509", "-days", "1", "-subj", "/CN=proof"));
    for (String extension : extensions) {
      words.addAll(List.of("-addext", extension));
    }
    return Answer.certificate(signed(key, words.toArray(String[]::new)));
  }

  private static byte[] signed(KeyPair key, String... words) throws IOException {
    Path folder = TrialExtension.newFolder();
    try {
      Path pem = folder.resolve("key.pem");
      Files.writeString(
          pem,
          "-----BEGIN PRIVATE KEY-----\n"
              + Base64.getMimeEncoder().encodeToString(key.getPrivate().getEncoded())
              + "\n-----END PRIVATE KEY-----\n");
      Path out = folder.resolve("signed.der");
      List<Object> all = new ArrayList<>(List.of("openssl", "req", "-key", pem));
      all.addAll(List.of(words));
      all.addAll(List.of("-outform", "DER", "-out", out));
      Program.of(all.toArray()).run().ok();
      return Files.readAllBytes(out);
    } finally {
      Trial.delete(folder);
    }
  }
}
