package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The commands of the pages in docs/acme as a reader types them, with the real programs. */
@Tag("nightly")
@ResourceLock(TrialExtension.ONE_NODE)
class AcmePagesIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  private static final Pattern COMMANDS = Pattern.compile("(?ms)^```sh\n(.*?)^```$");

  /** The ports on the pages that docs/acme/README.md says are replaced. */
  private static final List<String> PORTS = List.of("8444", "2019", "8081");

  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir private Path checkout;

  @BeforeEach
  void link() throws IOException {
    Files.createSymbolicLink(checkout.resolve("var"), TRIAL.trial().data());
    Files.createSymbolicLink(checkout.resolve("sluice"), Checkout.launcher());
  }

  private Program.Ended run(String page, String... programs) throws IOException {
    String commands =
        COMMANDS
            .matcher(Checkout.text("docs/acme/" + page))
            .results()
            .map(block -> block.group(1))
            .collect(Collectors.joining("echo --\n"));
    int free = Ports.NODES.free(PORTS.size());
    for (int i = 0; i < PORTS.size(); i++) {
      commands = commands.replace(PORTS.get(i), Integer.toString(free + i));
    }
    String folders =
        Stream.of(programs)
            .map(AcmePagesIT::tool)
            .map(tool -> tool.getParent() + ":")
            .collect(Collectors.joining());
    return Program.of("bash", "-euo", "pipefail", "-c", "cd '" + checkout + "'\n" + commands)
        .with(
            Map.of(
                "HOME", checkout.toString(),
                "SLUICE_DATA", TRIAL.trial().data().toString(),
                "PATH", folders + System.getenv("PATH")))
        .within(LIMIT)
        .run();
  }

  private static Path tool(String name) {
    assumeTrue(Checkout.tool(name).isPresent(), name + " is not installed");
    return Checkout.tool(name).orElseThrow();
  }

  @Test
  void certbot_commands_doWhatThePageSays() throws Exception {
    Program.Ended ended;
    try {
      ended = run("CERTBOT.md", "certbot", "nginx");
    } finally {
      stop("certbot-web/nginx.pid");
    }
    assertThat(ended.ok().text())
        .contains("Successfully received certificate", "serial=", "revoked");
    assertThat(ended.text().split("Hello from certbot's certificate", -1)).hasSize(3);
    // Of two calls of renew the first one has nothing to do.
    assertThat(ended.text()).contains("not yet due for renewal", "Congratulations, all renewals");
    assertThat(Files.readString(checkout.resolve("certbot-web/error.log")))
        .contains("reconfiguring")
        .doesNotContain("[emerg]");
    assertThat(Files.readString(checkout.resolve("certbot-web/config/renewal/site.conf")))
        .contains("renew_hook = nginx");
  }

  /** The process runs only if a command before the page's last one failed. */
  private void stop(String pidFile) throws IOException {
    Path pid = checkout.resolve(pidFile);
    if (Files.exists(pid) && !Files.readString(pid).isBlank()) {
      ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
          .ifPresent(ProcessHandle::destroy);
    }
  }

  @Test
  void lego_commands_doWhatThePageSays() throws Exception {
    Program.Ended ended = run("LEGO.md", "lego").ok();
    assertThat(ended.text()).contains("serial=");
    // The first call of renew had nothing to do.
    assertThat(ended.text().lines()).containsOnlyOnce("renewed");
    try (Stream<Path> archived = Files.list(checkout.resolve("lego-web/lego/archives"))) {
      assertThat(archived).isNotEmpty();
    }
  }

  @Test
  void caddy_commands_doWhatThePageSays() throws Exception {
    Program.Ended ended;
    try {
      ended = run("CADDY.md", "caddy");
    } finally {
      stop("caddy-web/caddy.pid");
    }
    assertThat(ended.ok().text()).contains("Hello from Caddy's certificate", "serial=");
  }

  @Test
  void traefik_commands_doWhatThePageSays() throws Exception {
    Program.Ended ended;
    try {
      ended = run("TRAEFIK.md", "traefik");
    } finally {
      stop("traefik-web/traefik.pid");
    }
    Path log = checkout.resolve("traefik-web/traefik.log");
    assertThat(ended.status()).as("%s%n%s", ended, Files.readString(log)).isZero();
    assertThat(ended.text()).contains("OK", "acme.json 600");
    // What it served before its renewal and after.
    assertThat(ended.text().lines().filter(line -> line.startsWith("serial=")))
        .hasSize(2)
        .doesNotHaveDuplicates();
  }

  @Test
  void certManager_manifests_fitItsSchemas() throws Exception {
    Path python = Checkout.collection("kubernetes").resolve("bin/python");
    Path schemas = Checkout.collection("cert-manager-schemas").resolve("schemas");
    assumeTrue(Files.exists(python) && Files.exists(schemas), "no schemas");
    Program.Ended _ = run("CERT-MANAGER.md").ok();
    Path issuer = checkout.resolve("cert-manager/issuer.yaml");
    Path certificate = checkout.resolve("cert-manager/certificate.yaml");

    assertThat(judge(python, schemas, issuer, certificate).ok().text().lines())
        .containsExactly("Secret", "ClusterIssuer", "Certificate");

    assertFault(python, schemas, issuer, "solvers:", "solverz:", "solverz");
    assertFault(python, schemas, issuer, "keyID:", "keyId:", "keyId");
    assertFault(python, schemas, issuer, "stringData:", "stringsData:", "stringsData");
    assertFault(python, schemas, certificate, "size: 256", "size: many", "many");
  }

  private void assertFault(
      Path python, Path schemas, Path file, String right, String wrong, String said)
      throws IOException {
    String text = Files.readString(file);
    assertThat(text).contains(right);
    Path planted = Files.writeString(checkout.resolve("planted.yaml"), text.replace(right, wrong));
    Program.Ended ended = judge(python, schemas, planted);
    assertThat(ended.status()).as("%s", ended).isEqualTo(1);
    assertThat(ended.errors()).contains(said);
  }

  private static Program.Ended judge(Path python, Path schemas, Path... files) {
    return Program.of(
            Stream.concat(
                    Stream.of(
                        python,
                        Checkout.launcher()
                            .resolveSibling("loadtest/src/test/resources/cert-manager/check.py"),
                        schemas),
                    Stream.of(files))
                .toArray())
        .run();
  }
}
