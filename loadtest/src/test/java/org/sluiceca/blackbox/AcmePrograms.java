package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.security.cert.CertificateParsingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * certbot and lego, unmodified, with a folder of their own and a binding of an external account.
 *
 * @param directory the URL that they are given
 * @param root the certificate that they trust
 */
record AcmePrograms(String directory, String kid, String hmacKey, Path root, Path folder) {

  /** For the binding in {@code acme-eab.json}. */
  static AcmePrograms of(JsonNode eab, Path root, Path folder) {
    return new AcmePrograms(
        eab.path("directory").asString(),
        eab.path("kid").asString(),
        eab.path("hmacKey").asString(),
        root,
        folder);
  }

  /** Account, certificate, renewal, revocation and the account's end. */
  void lifeOfCertbot(Path certbot, String... names) throws Exception {
    List<String> words =
        new ArrayList<>(
            List.of(
                "certonly",
                "--standalone",
                "--cert-name",
                "web",
                "--key-type",
                "ecdsa",
                "--agree-tos",
                "--register-unsafely-without-email",
                "--eab-kid",
                kid,
                "--eab-hmac-key",
                hmacKey));
    for (String name : names) {
      words.addAll(List.of("-d", name));
    }
    assertThat(certbot(certbot, words).text()).contains("Successfully received certificate");
    Path pem = folder.resolve("config/live/web/cert.pem");
    byte[] first = assertNamed(pem, names);
    certbot(certbot, List.of("renew", "--force-renewal", "--no-random-sleep-on-renew"));
    assertThat(assertNamed(pem, names)).isNotEqualTo(first);
    certbot(
        certbot,
        List.of(
            "revoke",
            "--cert-path",
            pem.toString(),
            "--reason",
            "superseded",
            "--no-delete-after-revoke"));
    certbot(certbot, List.of("unregister"));
  }

  private Program.Ended certbot(Path certbot, List<String> words) {
    List<Object> all = new ArrayList<>(List.of(certbot));
    all.addAll(words);
    all.addAll(List.of("--non-interactive", "--server", directory));
    all.addAll(List.of("--config-dir", folder.resolve("config")));
    all.addAll(List.of("--work-dir", folder.resolve("work")));
    all.addAll(List.of("--logs-dir", folder.resolve("logs")));
    return Program.of(all.toArray()).with(Map.of("REQUESTS_CA_BUNDLE", root.toString())).run().ok();
  }

  /** Account, certificate, renewal and revocation. */
  void lifeOfLego(Path lego, String... names) throws Exception {
    Path pem = legoRun(lego, names);
    byte[] first = Csr.read(pem);
    lego(lego, names, List.of("renew", "--days", "3650", "--no-random-sleep"));
    assertThat(assertNamed(pem, names)).isNotEqualTo(first);
    lego(lego, names, List.of("revoke", "--keep"));
  }

  /** Account, if there is none yet, and certificate, which it returns. */
  Path legoRun(Path lego, String... names) throws CertificateParsingException {
    lego(lego, names, List.of("run"));
    Path pem = folder.resolve("certificates/" + names[0] + ".crt");
    var _ = assertNamed(pem, names);
    return pem;
  }

  private void lego(Path lego, String[] names, List<String> words) {
    List<Object> all = new ArrayList<>(List.of(lego, "--server", directory, "--path", folder));
    all.addAll(List.of("--accept-tos", "--email", "ops@corp.example"));
    all.addAll(List.of("--eab", "--kid", kid, "--hmac", hmacKey));
    all.addAll(List.of("--http", "--http.port", "127.0.0.1:0"));
    for (String name : names) {
      all.addAll(List.of("--domains", name));
    }
    all.addAll(words);
    var _ =
        Program.of(all.toArray()).with(Map.of("LEGO_CA_CERTIFICATES", root.toString())).run().ok();
  }

  private static byte[] assertNamed(Path pem, String... names) throws CertificateParsingException {
    byte[] read = Csr.read(pem);
    assertThat(Answer.certificate(read).getSubjectAlternativeNames())
        .extracting(san -> String.valueOf(san.get(1)))
        .containsExactlyInAnyOrder(names);
    return read;
  }
}
