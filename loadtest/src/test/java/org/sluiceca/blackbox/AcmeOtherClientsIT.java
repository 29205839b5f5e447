package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** More clients of ACME, unmodified, each as far as it goes; all at one trial. */
@Tag("nightly")
class AcmeOtherClientsIT {

  private static final NameServer DNS = new NameServer();
  private static final int HTTP_PORT = Ports.NODES.free(2);
  private static final int TLS_PORT = HTTP_PORT + 1;

  private static final String PROOFS = "/.well-known/acme-challenge/";

  /** Each client ends within seconds. */
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @RegisterExtension
  static final TrialExtension TRIAL =
      TrialExtension.own(
          folder ->
              Trial.Options.nodes(1)
                  .also("--acme-http-port", String.valueOf(HTTP_PORT))
                  .also("--acme-tls-port", String.valueOf(TLS_PORT))
                  .also("--acme-resolver", DNS.address()));

  @TempDir private Path folder;

  @AfterAll
  static void close() {
    DNS.close();
  }

  private static JsonNode eab() {
    return JsonMapper.shared().readTree(TRIAL.trial().read("acme-eab.json"));
  }

  private static String eab(String member) {
    return eab().path(member).asString();
  }

  private static String challengeDirectory() {
    return eab("directory").replace("/trial/", "/trial-challenge/");
  }

  private static Path root() {
    return TRIAL.trial().data().resolve("root.pem");
  }

  private static Path tool(String name) {
    Optional<Path> tool = Checkout.tool(name);
    assumeTrue(tool.isPresent(), name + " is not installed");
    return tool.orElseThrow();
  }

  private static void assertNames(X509Certificate certificate, String... names) throws Exception {
    assertThat(certificate.getSubjectAlternativeNames())
        .extracting(name -> String.valueOf(name.get(1)))
        .containsExactlyInAnyOrder(names);
  }

  private static X509Certificate certificate(Path pem) throws IOException {
    return Answer.certificate(Files.readAllBytes(pem));
  }

  private static Program.Ended run(Map<String, String> environment, Object... words) {
    return Program.of(words).with(environment).within(LIMIT).run();
  }

  /** Account with a binding, certificate, renewal, contact, revocation and the account's end. */
  @Test
  void dehydrated_wholeLife() throws Exception {
    Path dehydrated = tool("dehydrated");
    Path config =
        Files.writeString(
            folder.resolve("config"),
            """
            CA=%s
            EAB_KID=%s
            EAB_HMAC_KEY=%s
            BASEDIR=%s
            WELLKNOWN=%s
            CONTACT_EMAIL=ops@corp.example
            CURL_OPTS="--cacert %s"
            """
                .formatted(
                    eab("directory"),
                    eab("kid"),
                    eab("hmacKey"),
                    folder,
                    Files.createDirectory(folder.resolve("www")),
                    root()));
    Object[] domains = {"--domain", "dehydrated.example.com", "--domain", "dh.example.com"};
    Path pem = folder.resolve("certs/dehydrated.example.com/cert.pem");

    dehydrated(dehydrated, config, "--register", "--accept-terms");
    dehydrated(dehydrated, config, "--cron", domains);
    X509Certificate first = certificate(pem);
    assertNames(first, "dehydrated.example.com", "dh.example.com");
    assertThat(dehydrated(dehydrated, config, "--cron", domains).text()).contains("Skipping renew");
    dehydrated(
        dehydrated,
        config,
        "--force",
        Stream.concat(Stream.of("--cron"), Stream.of(domains)).toArray());
    assertThat(certificate(pem)).isNotEqualTo(first);

    Files.writeString(
        config, Files.readString(config).replace("ops@corp.example", "web@corp.example"));
    assertThat(dehydrated(dehydrated, config, "--account").text()).contains("Backup");
    dehydrated(dehydrated, config, "--revoke", pem);
    dehydrated(dehydrated, config, "--deactivate");
  }

  private static Program.Ended dehydrated(
      Path program, Path config, String command, Object... words) {
    return run(
            Map.of(),
            Stream.concat(Stream.of(program, "--config", config, command), Stream.of(words))
                .toArray())
        .ok();
  }

  /** The same, and a new key of the account. */
  @Test
  void uacme_wholeLife() throws Exception {
    Path uacme = tool("uacme");
    assumeTrue(
        run(Map.of(), "unshare", "--map-root-user", "--mount", "true").status() == 0,
        "no namespace for its root certificates");
    Path pem = folder.resolve("uacme.example.com/cert.pem");

    uacme(uacme, "--yes", "--eab", eab("kid") + ":" + eab("hmacKey"), "new", "ops@corp.example")
        .ok();
    uacme(uacme, "--type", "EC", "--no-ocsp", "issue", "uacme.example.com", "ua.example.com").ok();
    X509Certificate first = certificate(pem);
    assertNames(first, "uacme.example.com", "ua.example.com");
    uacme(uacme, "--force", "--no-ocsp", "issue", "uacme.example.com", "ua.example.com").ok();
    assertThat(certificate(pem)).isNotEqualTo(first);

    uacme(uacme, "--yes", "update", "web@corp.example").ok();
    uacme(uacme, "--yes", "newkey").ok();
    uacme(uacme, "--reason", "4", "revoke", pem).ok();
    uacme(uacme, "issue", "uacme.example.com").ok();
    uacme(uacme, "--yes", "deactivate").ok();
    assertThat(uacme(uacme, "--force", "--no-ocsp", "issue", "uacme.example.com").status())
        .isNotZero();
  }

  /**
   * It has no option for the roots that it trusts: it sees the trial's in place of the system's.
   */
  private Program.Ended uacme(Path program, Object... words) {
    return run(
        Map.of("ROOT", root().toString()),
        Stream.concat(
                Stream.of(
                    "unshare",
                    "--map-root-user",
                    "--mount",
                    "sh",
                    "-c",
                    "mount --bind \"$ROOT\" /etc/ssl/certs/ca-certificates.crt && exec \"$@\"",
                    "sh",
                    program,
                    "--verbose",
                    "--confdir",
                    folder,
                    "--acme-url",
                    eab("directory")),
                Stream.of(words))
            .toArray());
  }

  /** It knows http-01 and no binding, no renewal but the same call again, and no revocation. */
  @Test
  void acmeTiny_http01_issuesTwice() throws Exception {
    Path acmeTiny = tool("acme-tiny");
    run(Map.of(), "openssl", "genrsa", "-out", folder.resolve("account.key"), "2048").ok();
    Csr csr =
        Csr.openssl(
            folder,
            Csr.KeyType.EC_P256,
            "tiny",
            "-subj",
            "/",
            "-addext",
            "subjectAltName=DNS:tiny.example.com,DNS:www.tiny.example.com");
    Path proofs = Files.createDirectory(folder.resolve("proofs"));
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), HTTP_PORT), 0);
    server.createContext(
        PROOFS,
        exchange -> {
          String token = exchange.getRequestURI().getPath().substring(PROOFS.length());
          byte[] proof = Files.readAllBytes(proofs.resolve(token));
          exchange.sendResponseHeaders(200, proof.length);
          exchange.getResponseBody().write(proof);
          exchange.close();
        });
    server.start();
    try {
      X509Certificate first = acmeTiny(acmeTiny, csr.pem(), proofs);
      assertNames(first, "tiny.example.com", "www.tiny.example.com");
      assertThat(acmeTiny(acmeTiny, csr.pem(), proofs)).isNotEqualTo(first);
    } finally {
      server.stop(0);
    }
  }

  private X509Certificate acmeTiny(Path program, Path request, Path proofs) {
    return Answer.certificate(
        run(
                Map.of("SSL_CERT_FILE", root().toString()),
                program,
                "--account-key",
                folder.resolve("account.key"),
                "--csr",
                request,
                "--acme-dir",
                proofs,
                "--directory-url",
                challengeDirectory(),
                "--contact",
                "mailto:ops@corp.example",
                "--disable-check")
            .ok()
            .bytes());
  }

  /** The library of Caddy. */
  @Test
  void acmez_wholeLife() throws Exception {
    assertWholeLife("acmez");
  }

  /** The library within cert-manager. */
  @Test
  void certManager_wholeLife() throws Exception {
    assertWholeLife("cert-manager");
  }

  private void assertWholeLife(String program) throws Exception {
    String name = program + ".example.com";
    Program.Ended ended =
        run(
                Map.of("SSL_CERT_FILE", root().toString()),
                tool(program),
                eab("directory"),
                eab("kid"),
                eab("hmacKey"),
                folder,
                name)
            .ok();
    assertThat(ended.text().lines())
        .as("%s", ended)
        .containsExactly(
            "account",
            "issued",
            "renewal information",
            "renewed",
            "contact",
            "key change",
            "revoked by its key",
            "revoked again",
            "due within minutes",
            "deactivated");
    assertNames(certificate(folder.resolve("first.pem")), name);
    assertNames(certificate(folder.resolve("second.pem")), name);
  }

  @Test
  void caddy_withBinding_servesItsCertificate() throws Exception {
    int port = Ports.NODES.free(2);
    assertCaddyServes(
        "bound.caddy.example.com",
        port,
        port + 1,
        "acme_ca %s\n  acme_eab {\n    key_id %s\n    mac_key %s\n  }"
            .formatted(eab("directory"), eab("kid"), eab("hmacKey")));
  }

  /** By tls-alpn-01 or http-01, as it chooses. */
  @Test
  void caddy_withChallenges_servesItsCertificate() throws Exception {
    assertCaddyServes(
        "proven.caddy.example.com", HTTP_PORT, TLS_PORT, "acme_ca " + challengeDirectory());
  }

  private void assertCaddyServes(String name, int httpPort, int httpsPort, String authority)
      throws Exception {
    Path config =
        Files.writeString(
            folder.resolve("Caddyfile"),
            """
            {
              admin off
              skip_install_trust
              http_port %d
              https_port %d
              %s
              acme_ca_root %s
              email ops@corp.example
            }
            %s {
              respond "by Caddy"
            }
            """
                .formatted(httpPort, httpsPort, authority, root(), name));
    assertServes(
        name,
        httpsPort,
        "by Caddy",
        tool("caddy"),
        "run",
        "--config",
        config.toString(),
        "--adapter",
        "caddyfile");
  }

  @Test
  void traefik_tlsAlpn01_servesItsCertificate() throws Exception {
    assertTraefikServes("alpn.traefik.example.com", TLS_PORT, "tlsChallenge: {}");
  }

  @Test
  void traefik_http01_servesItsCertificate() throws Exception {
    assertTraefikServes(
        "http.traefik.example.com", Ports.NODES.free(1), "httpChallenge: {entryPoint: web}");
  }

  private void assertTraefikServes(String name, int httpsPort, String challenge) throws Exception {
    Path services =
        Files.writeString(
            folder.resolve("services.yaml"),
            """
            http:
              routers:
                site:
                  rule: Host(`%s`)
                  entryPoints: [websecure]
                  service: ping@internal
                  tls: {certResolver: sluice}
            """
                .formatted(name));
    Path config =
        Files.writeString(
            folder.resolve("traefik.yaml"),
            """
            global: {checkNewVersion: false}
            log: {level: DEBUG}
            entryPoints:
              web: {address: "127.0.0.1:%d"}
              websecure: {address: "127.0.0.1:%d"}
            certificatesResolvers:
              sluice:
                acme:
                  caServer: %s
                  caCertificates: [%s]
                  email: ops@corp.example
                  keyType: EC256
                  storage: %s
                  %s
            ping: {manualRouting: true}
            providers: {file: {filename: %s}}
            """
                .formatted(
                    HTTP_PORT,
                    httpsPort,
                    challengeDirectory(),
                    root(),
                    folder.resolve("acme.json"),
                    challenge,
                    services));
    assertServes(name, httpsPort, "OK", tool("traefik"), "--configFile=" + config);
  }

  /**
   * Starts a server, and asserts what it answers with a certificate that the trial's root signed.
   */
  private void assertServes(String name, int port, String text, Path program, String... words)
      throws IOException, InterruptedException {
    Path said = folder.resolve("said.log");
    ProcessBuilder server =
        new ProcessBuilder(Stream.concat(Stream.of(program.toString()), Stream.of(words)).toList())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    server.environment().put("HOME", folder.toString());
    server.environment().put("XDG_DATA_HOME", folder.resolve("data").toString());
    server.environment().put("XDG_CONFIG_HOME", folder.resolve("config").toString());
    Process process = server.start();
    try {
      List<Object> ask =
          List.of(
              "curl",
              "-sS",
              "-v",
              "--max-time",
              "5",
              "--cacert",
              root(),
              "--resolve",
              name + ":" + port + ":127.0.0.1",
              "https://" + name + ":" + port + "/");
      Poll.until(
          program.getFileName() + " serves " + name,
          LIMIT,
          () -> run(Map.of(), ask.toArray()).text().equals(text));
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "\n" + Files.readString(said), e);
    } finally {
      process.destroy();
      if (!process.waitFor(Duration.ofSeconds(10))) {
        process.destroyForcibly();
      }
    }
  }
}
