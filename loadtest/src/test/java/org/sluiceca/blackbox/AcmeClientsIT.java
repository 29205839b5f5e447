package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
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

  private static AcmePrograms programs(Path folder) {
    return AcmePrograms.of(eab(), TRIAL.trial().data().resolve("root.pem"), folder);
  }

  @Test
  void certbot_wholeLife() throws Exception {
    Path certbot = tool("certbot");
    Path folder = TrialExtension.newFolder();
    try {
      programs(folder).lifeOfCertbot(certbot, "certbot.example.com", "www.certbot.example.com");
    } finally {
      Trial.delete(folder);
    }
  }

  @Test
  void lego_runRenewAndRevoke() throws Exception {
    Path lego = tool("lego");
    Path folder = TrialExtension.newFolder();
    try {
      programs(folder).lifeOfLego(lego, "lego.example.com", "api.lego.example.com");
    } finally {
      Trial.delete(folder);
    }
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
