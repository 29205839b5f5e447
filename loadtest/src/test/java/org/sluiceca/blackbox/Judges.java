package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

/** Foreign programs that judge a certificate and its chain. */
final class Judges {

  private Judges() {}

  /**
   * openssl and GnuTLS both build the chain to the root and accept it.
   *
   * @param certificate PEM, the issuing CA's after it
   */
  static void verifyChain(Trial trial, Path certificate) {
    Path root = trial.data().resolve("root.pem");
    Path chain = trial.data().resolve("chain.pem");
    Program.Ended openssl =
        Program.of(
                "openssl",
                "verify",
                "-x509_strict",
                "-CAfile",
                root,
                "-untrusted",
                chain,
                certificate)
            .run()
            .ok();
    assertThat(openssl.text()).contains(": OK");
    Program.Ended certtool =
        Program.of("certtool", "--verify", "--load-ca-certificate", root, "--infile", certificate)
            .run()
            .ok();
    assertThat(certtool.text() + certtool.errors())
        .contains("Chain verification output: Verified. The certificate is trusted.");
  }

  /** The public key in a certificate, as openssl reads it. */
  static String publicKey(Path certificate) {
    return Program.of("openssl", "x509", "-in", certificate, "-noout", "-pubkey").run().ok().text();
  }
}
