package org.sluiceca.blackbox;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.Base64;

/** A request for a key that a test holds itself; openssl writes it. */
final class Pkcs10 {

  private Pkcs10() {}

  /** Returns the DER of a request for one DNS name. */
  static byte[] of(KeyPair key, String name) throws Exception {
    Path folder = TrialExtension.newFolder();
    try {
      Path pem = folder.resolve("key.pem");
      Files.writeString(
          pem,
          "-----BEGIN PRIVATE KEY-----\n"
              + Base64.getMimeEncoder().encodeToString(key.getPrivate().getEncoded())
              + "\n-----END PRIVATE KEY-----\n");
      Path out = folder.resolve("request.der");
      Program.of(
              "openssl",
              "req",
              "-new",
              "-key",
              pem,
              "-subj",
              "/CN=" + name,
              "-addext",
              "subjectAltName=DNS:" + name,
              "-outform",
              "DER",
              "-out",
              out)
          .run()
          .ok();
      return Files.readAllBytes(out);
    } finally {
      Trial.delete(folder);
    }
  }
}
