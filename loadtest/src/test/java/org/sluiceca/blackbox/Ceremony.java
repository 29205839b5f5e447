package org.sluiceca.blackbox;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Steps of a key ceremony alongside a trial, in its tokens and its database.
 *
 * @param signing the token in which its nodes sign; null if the trial has made it itself
 */
record Ceremony(Trial trial, @Nullable SoftToken signing) {

  private static final String ISSUING = "issuing";

  /** A token as the ceremony opens it. */
  private record Opened(String label, Path pinFile, Path configuration) {}

  /** Alongside a trial that has made its tokens itself. */
  Ceremony(Trial trial) {
    this(trial, null);
  }

  /** Makes the key of an issuer where the nodes sign, and returns its CSR. */
  Path issuingKey(String name) {
    Path csr = trial.folder().resolve(name + ".csr");
    step(
        ISSUING,
        "issuing-key",
        "--name",
        name,
        "--subject",
        "CN=Sluice Test " + name,
        "--csr-out",
        csr);
    return csr;
  }

  /** Has the root certify a CSR; returns the chain: that certificate, and the root's. */
  String certified(Path csr) {
    Path certificate = Csr.write(trial.folder(), "");
    step(
        "root",
        "root",
        "--subject",
        "CN=unused",
        "--public-url",
        TrialExtension.PUBLIC_URL,
        "--csr",
        csr,
        "--certificate-out",
        certificate,
        "--root-out",
        trial.folder().resolve("root-again.pem"));
    return text(certificate) + text(trial.data().resolve("root.pem"));
  }

  /** Makes an issuer's OCSP responder. */
  void responder(String issuer) {
    step(
        ISSUING,
        "ocsp-responder",
        "--issuer",
        issuer,
        "--subject",
        "CN=Sluice Test Responder " + issuer,
        "--public-url",
        TrialExtension.PUBLIC_URL);
  }

  /**
   * Tries to install an issuer by the certificate that a root of any kind has signed.
   *
   * @param root the certificates above it, PEM, trust anchor last
   * @param chainOut where the whole chain is written
   */
  Program.Ended install(String issuer, Path certificate, Path root, Path chainOut) {
    return run(
        ISSUING,
        "install",
        "--name",
        issuer,
        "--certificate",
        certificate,
        "--root",
        root,
        "--chain-out",
        chainOut);
  }

  private Opened opened(String token) {
    return signing != null && token.equals(ISSUING)
        ? new Opened(SoftToken.LABEL, signing.pinFile(), signing.configuration())
        : new Opened(
            "sluice-" + token,
            trial.data().resolve("secrets/" + token + ".pin"),
            trial.data().resolve("softhsm/" + token + "/softhsm2.conf"));
  }

  private void step(String name, String step, Object... more) {
    run(name, step, more).ok();
  }

  private Program.Ended run(String name, String step, Object... more) {
    Opened token = opened(name);
    List<Object> words =
        new ArrayList<>(
            List.of(
                Checkout.launcher(),
                "ceremony",
                step,
                "--module",
                Checkout.softHsm(),
                "--token-label",
                token.label(),
                "--pin-file",
                token.pinFile(),
                "--database-url",
                "jdbc:postgresql://127.0.0.1:" + trial.read("postgres.port").strip() + "/sluice",
                "--database-password-file",
                trial.data().resolve("secrets/database.password")));
    words.addAll(List.of(more));
    return Program.of(words.toArray())
        .with(Map.of("SOFTHSM2_CONF", token.configuration().toString()))
        .run();
  }

  private static String text(Path file) {
    return new String(Csr.read(file), java.nio.charset.StandardCharsets.US_ASCII);
  }
}
