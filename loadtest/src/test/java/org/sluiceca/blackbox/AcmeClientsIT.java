package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Clients of ACME as the world runs them, unmodified, against a trial. */
@ResourceLock(TrialExtension.ONE_NODE)
class AcmeClientsIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  private static JsonNode eab() {
    return JsonMapper.shared().readTree(TRIAL.trial().read("acme-eab.json"));
  }

  private static String root() {
    return TRIAL.trial().data().resolve("root.pem").toString();
  }

  private static Path tool(String name) {
    Optional<Path> tool = Checkout.tool(name);
    assumeTrue(tool.isPresent(), name + " is not installed");
    return tool.orElseThrow();
  }

  private static void assertNames(Path pem, String... names) throws Exception {
    X509Certificate certificate = Answer.certificate(Files.readAllBytes(pem));
    assertThat(certificate.getSubjectAlternativeNames())
        .extracting(name -> String.valueOf(name.get(1)))
        .containsExactlyInAnyOrder(names);
  }

  /** Account, certificate with a wildcard, renewal, revocation and the account's end. */
  @Test
  void certbot_wholeLife() throws Exception {
    Path certbot = tool("certbot");
    Path folder = TrialExtension.newFolder();
    try {
      assertThat(
              certbot(
                      certbot,
                      folder,
                      "certonly",
                      "--standalone",
                      "--cert-name",
                      "web",
                      "--key-type",
                      "ecdsa",
                      "--agree-tos",
                      "--register-unsafely-without-email",
                      "--eab-kid",
                      eab().path("kid").asString(),
                      "--eab-hmac-key",
                      eab().path("hmacKey").asString(),
                      "-d",
                      "certbot.example.com",
                      "-d",
                      "www.certbot.example.com")
                  .text())
          .contains("Successfully received certificate");
      Path live = folder.resolve("config/live/web");
      assertNames(live.resolve("cert.pem"), "certbot.example.com", "www.certbot.example.com");
      byte[] first = Files.readAllBytes(live.resolve("cert.pem"));

      certbot(certbot, folder, "renew", "--force-renewal", "--no-random-sleep-on-renew");
      assertThat(Files.readAllBytes(live.resolve("cert.pem"))).isNotEqualTo(first);
      certbot(
          certbot,
          folder,
          "revoke",
          "--cert-path",
          live.resolve("cert.pem"),
          "--reason",
          "superseded",
          "--no-delete-after-revoke");
      certbot(certbot, folder, "unregister");
    } finally {
      Trial.delete(folder);
    }
  }

  private static Program.Ended certbot(Path certbot, Path folder, Object... words) {
    List<Object> all = new ArrayList<>();
    all.add(certbot);
    all.addAll(List.of(words));
    all.addAll(
        List.of(
            "--non-interactive",
            "--server",
            eab().path("directory").asString(),
            "--config-dir",
            folder.resolve("config"),
            "--work-dir",
            folder.resolve("work"),
            "--logs-dir",
            folder.resolve("logs")));
    return Program.of(all.toArray()).with(Map.of("REQUESTS_CA_BUNDLE", root())).run().ok();
  }

  @Test
  void lego_runRenewAndRevoke() throws Exception {
    Path lego = tool("lego");
    Path folder = TrialExtension.newFolder();
    try {
      lego(lego, folder, "run");
      Path pem = folder.resolve("certificates/lego.example.com.crt");
      assertNames(pem, "lego.example.com", "api.lego.example.com");
      byte[] first = Files.readAllBytes(pem);
      lego(lego, folder, "renew", "--days", "3650", "--no-random-sleep");
      assertThat(Files.readAllBytes(pem)).isNotEqualTo(first);
      lego(lego, folder, "revoke", "--keep");
    } finally {
      Trial.delete(folder);
    }
  }

  private static void lego(Path lego, Path folder, Object... words) {
    List<Object> all =
        new ArrayList<>(
            List.of(
                lego,
                "--server",
                eab().path("directory").asString(),
                "--path",
                folder,
                "--accept-tos",
                "--email",
                "ops@corp.example",
                "--eab",
                "--kid",
                eab().path("kid").asString(),
                "--hmac",
                eab().path("hmacKey").asString(),
                "--http",
                "--http.port",
                "127.0.0.1:0",
                "--domains",
                "lego.example.com",
                "--domains",
                "api.lego.example.com"));
    all.addAll(List.of(words));
    Program.Ended _ =
        Program.of(all.toArray()).with(Map.of("LEGO_CA_CERTIFICATES", root())).run().ok();
  }

  /** The crate has no program: ours asserts each step and prints it. */
  @Test
  void instantAcme_wholeLife() {
    Path life = tool("instant-acme-life");

    Program.Ended ended =
        Program.of(
                life,
                eab().path("directory").asString(),
                root(),
                eab().path("kid").asString(),
                eab().path("hmacKey").asString())
            .run()
            .ok();

    assertThat(ended.text().lines())
        .containsExactly(
            "account created",
            "contacts updated",
            "key updated",
            "certificate issued",
            "renewal information read",
            "certificate replaced",
            "certificate revoked",
            "account deactivated");
  }
}
