package org.sluiceca.blackbox;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Certificates that this CA would never issue, made by GnuTLS with the key of a trial's root, which
 * nodes trust for client certificates: what is wrong with them is wrong with nothing else.
 */
record RootSigner(Trial trial) {

  /**
   * A certificate and its key.
   *
   * @param chain PEM, the issuers after it
   */
  record Certified(Path key, String chain) {

    /** A client of node 0 with this certificate. */
    Api client(Trial trial) {
      Path store = new Csr(key, key, "").pkcs12(trial.folder(), chain);
      return Api.trusting(
          trial.https(0), trial.data().resolve("root.pem"), StubbornKeys.of(store, chain));
    }

    String certificate() {
      String end = "-----END CERTIFICATE-----\n";
      return chain.substring(0, chain.indexOf(end) + end.length());
    }

    /** The same with other issuers after it. */
    Certified sending(String... issuers) {
      return new Certified(key, certificate() + String.join("", issuers));
    }
  }

  /** By the root. {@code template} has the lines of certtool's template. */
  Certified byRoot(String template, String... options) {
    List<Object> words =
        new ArrayList<>(
            List.of(
                "--provider", Checkout.softHsm(),
                "--load-ca-certificate", trial.data().resolve("root.pem"),
                "--load-ca-privkey", rootKey()));
    words.addAll(List.of(options));
    return made(newKey("ecdsa", "--curve", "secp256r1"), template, words);
  }

  /** By the root, for an RSA key of that number of bits. */
  Certified byRoot(int rsaBits, String template) {
    return made(
        newKey("rsa", "--bits", String.valueOf(rsaBits)),
        template,
        List.of(
            "--provider", Checkout.softHsm(),
            "--load-ca-certificate", trial.data().resolve("root.pem"),
            "--load-ca-privkey", rootKey()));
  }

  /** By another certificate, which is sent along. */
  Certified by(Certified issuer, String template) {
    Certified made =
        made(
            newKey("ecdsa", "--curve", "secp256r1"),
            template,
            List.of(
                "--load-ca-certificate", Csr.write(trial.folder(), issuer.certificate()),
                "--load-ca-privkey", issuer.key()));
    return made.sending(issuer.chain());
  }

  /** By itself. */
  Certified selfSigned(String template) {
    Path key = newKey("ecdsa", "--curve", "secp256r1");
    Path out = Csr.write(trial.folder(), "");
    certtool("--generate-self-signed", "--load-privkey", key, "--outfile", out, template);
    return new Certified(key, text(out));
  }

  private Certified made(Path key, String template, List<Object> signer) {
    Path out = Csr.write(trial.folder(), "");
    List<Object> words =
        new ArrayList<>(List.of("--generate-certificate", "--load-privkey", key, "--outfile", out));
    words.addAll(signer);
    words.add(template);
    certtool(words.toArray());
    return new Certified(key, text(out));
  }

  /** Runs certtool; the last word is the template's text. */
  private void certtool(Object... words) {
    List<Object> all = new ArrayList<>(List.of("certtool"));
    all.addAll(List.of(words).subList(0, words.length - 1));
    all.addAll(List.of("--template", Csr.write(trial.folder(), words[words.length - 1] + "\n")));
    Program.of(all.toArray()).with(token()).run().ok();
  }

  private Path newKey(String... words) {
    Path key = Csr.write(trial.folder(), "");
    List<Object> all = new ArrayList<>(List.of("certtool", "--generate-privkey", "--outfile", key));
    all.add("--key-type");
    all.addAll(List.of(words));
    Program.of(all.toArray()).run().ok();
    return key;
  }

  private String rootKey() {
    return Program.of(
            "p11tool",
            "--provider",
            Checkout.softHsm(),
            "--login",
            "--list-privkeys",
            "--only-urls",
            "pkcs11:token=sluice-root")
        .with(token())
        .run()
        .ok()
        .text()
        .lines()
        .findFirst()
        .orElseThrow();
  }

  private Map<String, String> token() {
    return Map.of(
        "SOFTHSM2_CONF", trial.data().resolve("softhsm/root/softhsm2.conf").toString(),
        "GNUTLS_PIN", trial.read("secrets/root.pin").strip());
  }

  private static String text(Path file) {
    return new String(Csr.read(file), java.nio.charset.StandardCharsets.US_ASCII);
  }
}
