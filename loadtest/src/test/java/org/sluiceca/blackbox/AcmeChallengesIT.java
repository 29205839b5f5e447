package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Names that are proven by challenges, on two nodes that are asked in turn. */
@ResourceLock(value = TrialExtension.CHALLENGES, mode = READ)
class AcmeChallengesIT {

  private static final String MACHINE = ProofServers.MACHINE;
  private static final NameServer DNS = ProofServers.DNS;

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.sharedWithChallenges();

  private static String directory() {
    String trial =
        JsonMapper.shared()
            .readTree(TRIAL.trial().read("acme-eab.json"))
            .path("directory")
            .asString();
    return trial.replace("/trial/", "/trial-challenge/");
  }

  private static AcmeClient registered() {
    AcmeClient client = new AcmeClient(TRIAL.trial().api(0, "enroll").anonymous(), directory());
    var _ = client.register();
    return client;
  }

  private static AcmeClient otherNode(AcmeClient client) {
    return new AcmeClient(TRIAL.trial().api(1, "enroll").anonymous(), client);
  }

  private static JsonNode challenge(JsonNode authorization, String type) {
    return authorization
        .path("challenges")
        .valueStream()
        .filter(challenge -> challenge.path("type").asString().equals(type))
        .findFirst()
        .orElseThrow(() -> new AssertionError(type + " is not offered: " + authorization));
  }

  private static List<String> types(JsonNode authorization) {
    return authorization
        .path("challenges")
        .valueStream()
        .map(challenge -> challenge.path("type").asString())
        .toList();
  }

  private static byte[] csr(String name) {
    return Csr.openssl(
            TRIAL.trial().folder(),
            Csr.KeyType.EC_P256,
            name.startsWith("*.") ? name.substring(2) : name,
            "-subj",
            "/",
            "-addext",
            "subjectAltName=" + (name.matches("[0-9.]+") ? "IP:" : "DNS:") + name)
        .der();
  }

  /** Puts the proof, says so at one node, and asks the other one. */
  private static JsonNode prove(AcmeClient client, Answer order, String type, Proof proof)
      throws IOException {
    assertThat(order.json().path("status").asString()).isEqualTo("pending");
    String url = order.json().path("authorizations").path(0).asString();
    JsonNode challenge = challenge(client.post(url, null).is(200).json(), type);
    try (Closeable _ = proof.put(challenge)) {
      client.post(challenge.path("url").asString(), Map.of()).is(200);
      return otherNode(client).after(url, "pending");
    }
  }

  @FunctionalInterface
  private interface Proof {
    Closeable put(JsonNode challenge) throws IOException;
  }

  private static Proof page(AcmeClient client, String address) {
    return challenge -> {
      String token = challenge.path("token").asString();
      return ProofServers.proof(address, token, client.keyAuthorization(token));
    };
  }

  private static Proof text(AcmeClient client, String name) {
    return challenge -> {
      DNS.text(name, "other", client.dnsProof(challenge.path("token").asString()));
      return () -> {};
    };
  }

  private static void assertIssued(AcmeClient client, Answer order, String name) {
    JsonNode ready = client.post(order.header("Location"), null).is(200).json();
    assertThat(ready.path("status").asString()).as("%s", ready).isEqualTo("ready");
    JsonNode done =
        otherNode(client)
            .finish(order.header("Location"), ready.path("finalize").asString(), csr(name));
    assertThat(done.path("status").asString()).as("%s", done).isEqualTo("valid");
  }

  @Test
  void directory_issuerDomainNames_areCaaIdentities() {
    assertThat(
            registered()
                .directory()
                .path("meta")
                .path("caaIdentities")
                .valueStream()
                .map(JsonNode::asString))
        .containsExactly("ca.trial.example");
  }

  @Test
  void http01_proofOnThisMachine_issues() throws Exception {
    AcmeClient client = registered();
    Answer order = client.order("http.challenge.example").is(201);

    JsonNode authorization = prove(client, order, "http-01", page(client, MACHINE));

    assertThat(authorization.path("status").asString()).as("%s", authorization).isEqualTo("valid");
    assertThat(types(authorization)).containsExactly("http-01");
    assertThat(Instant.parse(challenge(authorization, "http-01").path("validated").asString()))
        .isBefore(Instant.now());
    assertIssued(client, order, "http.challenge.example");
  }

  /** An account is named with its endpoint, an administrator as its credential is. */
  @Test
  void auditTrail_bindingAccountProofAndOrder_eachHasItsActor() throws Exception {
    JsonNode binding =
        TRIAL
            .trial()
            .api(0, "admin")
            .postJson(
                "/v1/acme-bindings",
                Map.of(
                    "endpoint", "trial", "requester", "team-a", "names", List.of("*.corp.example")))
            .is(201)
            .json();
    String kid = binding.path("kid").asString();
    AcmeClient bound =
        new AcmeClient(
            TRIAL.trial().api(1, "enroll").anonymous(), binding.path("directory").asString());
    bound.register(kid, binding.path("hmacKey").asString()).is(201);
    AcmeClient open = registered();
    Answer order = open.order("trail.challenge.example").is(201);
    var _ = prove(open, order, "http-01", page(open, MACHINE));
    assertIssued(open, order, "trail.challenge.example");
    TRIAL.trial().api(1, "admin").delete("/v1/acme-bindings/" + kid).is(204);

    String account = "acme:trial-challenge:" + lastPart(open.account());
    assertTrail(
        List.of(
            "acme.binding add by admin",
            "acme.account register by acme:trial:" + lastPart(bound.account()),
            "acme.binding revoke by admin",
            "acme.account register by " + account,
            "acme.authorization by " + account,
            "acme.order by " + account),
        List.of(kid, thumbprint(open), lastPart(order.header("Location"))));
  }

  /**
   * Asserts the rows of ACME whose content, where the actor is not, has one of the words. Each node
   * writes its rows soon after their act.
   */
  private static void assertTrail(List<String> expected, List<String> words) {
    List<String> seen = new ArrayList<>();
    Poll.until(
        "the trail has the rows",
        Duration.ofMinutes(1),
        () -> {
          seen.clear();
          trail()
              .filter(row -> words.stream().anyMatch(row.path("content").toString()::contains))
              .map(
                  row ->
                      String.join(
                          " ",
                          row.path("kind").asString(),
                          row.path("content").path("act").asString(""),
                          "by",
                          row.path("actor").asString()))
              .map(row -> row.replace("  ", " "))
              .forEach(seen::add);
          return seen.size() >= expected.size();
        });
    assertThat(seen).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static Stream<JsonNode> trail() {
    return TRIAL
        .trial()
        .sluice(
            "audit", "export", "--kind", "acme.binding,acme.account,acme.authorization,acme.order")
        .within(Duration.ofMinutes(2))
        .run()
        .ok()
        .text()
        .lines()
        .map(JsonMapper.shared()::readTree);
  }

  private static String thumbprint(AcmeClient client) {
    return client.keyAuthorization("token").substring("token.".length());
  }

  private static String lastPart(String url) {
    return url.substring(url.lastIndexOf('/') + 1);
  }

  @Test
  void http01_wrongProof_orderInvalidWithTheReasonAndNothingOfTheBody() throws Exception {
    AcmeClient client = registered();
    Answer order = client.order("wrong.challenge.example").is(201);

    JsonNode authorization =
        prove(
            client,
            order,
            "http-01",
            challenge ->
                ProofServers.proof(
                    MACHINE, challenge.path("token").asString(), "secret of an inner service"));

    assertThat(authorization.path("status").asString()).isEqualTo("invalid");
    JsonNode error = challenge(authorization, "http-01").path("error");
    assertThat(error.path("type").asString())
        .isEqualTo("urn:ietf:params:acme:error:incorrectResponse");
    JsonNode invalid = client.post(order.header("Location"), null).is(200).json();
    assertThat(invalid.path("status").asString()).isEqualTo("invalid");
    assertThat(invalid.path("error").path("detail").asString())
        .contains("wrong.challenge.example")
        .doesNotContain("secret");
    assertThat(
            client
                .post(
                    order.json().path("finalize").asString(),
                    Map.of("csr", AcmeClient.encode(csr("wrong.challenge.example"))))
                .is(403)
                .json()
                .path("type")
                .asString())
        .endsWith("orderNotReady");
  }

  @Test
  void http01_addressOfTheCloud_isNotAsked() throws Exception {
    AcmeClient client = registered();
    DNS.address("metadata.challenge.example", "169.254.169.254");
    Answer order = client.order("metadata.challenge.example").is(201);

    JsonNode authorization = prove(client, order, "http-01", challenge -> () -> {});

    assertThat(challenge(authorization, "http-01").path("error").path("detail").asString())
        .contains("169.254.169.254");
  }

  /** The nodes' own 127.0.0.1 is reserved. */
  @Test
  void ipAddress_byHttp01_issues() throws Exception {
    AcmeClient client = registered();
    Answer order =
        client
            .post(
                client.url("newOrder"),
                Map.of("identifiers", List.of(Map.of("type", "ip", "value", "127.0.0.2"))))
            .is(201);

    JsonNode authorization = prove(client, order, "http-01", page(client, "127.0.0.2"));

    assertThat(authorization.path("status").asString()).as("%s", authorization).isEqualTo("valid");
    assertIssued(client, order, "127.0.0.2");
  }

  /** The name in the handshake is the address's own in in-addr.arpa (RFC 8738 6). */
  @Test
  void ipAddress_byTlsAlpn01_issues() throws Exception {
    AcmeClient client = registered();
    Answer order =
        client
            .post(
                client.url("newOrder"),
                Map.of("identifiers", List.of(Map.of("type", "ip", "value", "127.0.0.3"))))
            .is(201);
    List<ProofServers.Alpn> servers = new ArrayList<>();

    JsonNode authorization =
        prove(
            client,
            order,
            "tls-alpn-01",
            challenge -> {
              servers.add(handshake(client, challenge, "127.0.0.3"));
              return servers.getFirst();
            });

    assertThat(authorization.path("status").asString()).as("%s", authorization).isEqualTo("valid");
    assertThat(servers.getFirst().asked()).containsOnly("3.0.0.127.in-addr.arpa");
    assertIssued(client, order, "127.0.0.3");
  }

  private static ProofServers.Alpn handshake(AcmeClient client, JsonNode challenge, String address)
      throws IOException {
    String token = challenge.path("token").asString();
    return ProofServers.alpn(
        client.key(), address, "IP:" + address, client.keyAuthorization(token));
  }

  @Test
  void dns01_wildcardBehindAnAlias_issues() throws Exception {
    AcmeClient client = registered();
    DNS.alias("_acme-challenge.dns.challenge.example", "proofs.dns.example");
    Answer order = client.order("*.dns.challenge.example").is(201);
    JsonNode offered =
        client.post(order.json().path("authorizations").path(0).asString(), null).is(200).json();
    assertThat(types(offered)).containsExactly("dns-01", "dns-persist-01");
    assertThat(offered.path("wildcard").asBoolean()).isTrue();

    JsonNode authorization = prove(client, order, "dns-01", text(client, "proofs.dns.example"));

    assertThat(authorization.path("status").asString()).as("%s", authorization).isEqualTo("valid");
    assertIssued(client, order, "*.dns.challenge.example");
  }

  @Test
  void dnsPersist01_recordOfTheAccount_issuesAndNoOtherAccount() throws Exception {
    AcmeClient client = registered();
    DNS.text(
        "_validation-persist.lasting.challenge.example",
        "ca.trial.example; accounturi=" + client.account());
    Answer order = client.order("lasting.challenge.example").is(201);

    JsonNode authorization = prove(client, order, "dns-persist-01", challenge -> () -> {});

    assertThat(authorization.path("status").asString()).as("%s", authorization).isEqualTo("valid");
    assertIssued(client, order, "lasting.challenge.example");
    AcmeClient other = registered();
    Answer foreign = other.order("lasting.challenge.example").is(201);
    assertThat(
            prove(other, foreign, "dns-persist-01", challenge -> () -> {})
                .path("status")
                .asString())
        .isEqualTo("invalid");
  }

  /** By the directory's own words, as a client of draft 02 makes the record before its order. */
  @Test
  void dnsPersist01_hashedAccount_issues() throws Exception {
    AcmeClient client = registered();
    JsonNode meta = client.directory().path("meta");
    String name = "hashed.challenge.example";
    byte[] text =
        (name + thumbprint(client) + client.account()).getBytes(StandardCharsets.US_ASCII);
    byte[] hashed = new byte[text.length + 1];
    hashed[0] = (byte) name.length();
    System.arraycopy(text, 0, hashed, 1, text.length);
    DNS.text(
        "_validation-persist." + name,
        meta.path("issuerDomainNames").path(0).asString()
            + "; accounturi="
            + meta.path("accountHashPrefix").asString()
            + "sha-256/"
            + AcmeClient.encode(AcmeClient.sha256(hashed)));
    Answer order = client.order(name).is(201);

    JsonNode authorization = prove(client, order, "dns-persist-01", challenge -> () -> {});

    assertThat(authorization.path("status").asString()).as("%s", authorization).isEqualTo("valid");
    assertThat(
            challenge(authorization, "dns-persist-01").path("issuerDomainNames").path(0).asString())
        .isEqualTo("ca.trial.example");
    assertIssued(client, order, name);
  }

  @Test
  void authorization_deactivated_orderInvalid() {
    AcmeClient client = registered();
    Answer order = client.order("given-up.challenge.example").is(201);
    String url = order.json().path("authorizations").path(0).asString();

    assertThat(
            client
                .post(url, Map.of("status", "deactivated"))
                .is(200)
                .json()
                .path("status")
                .asString())
        .isEqualTo("deactivated");

    assertThat(client.post(order.header("Location"), null).is(200).json().path("status").asString())
        .isEqualTo("invalid");
  }

  @Test
  void challenge_ofAnotherAccountOrMethod_notFound() {
    AcmeClient client = registered();
    Answer order = client.order("mine.challenge.example").is(201);
    String url = order.json().path("authorizations").path(0).asString();
    String challenge =
        challenge(client.post(url, null).is(200).json(), "http-01").path("url").asString();

    registered().post(challenge, Map.of()).is(404);
    client.post(challenge.replace("http-01", "email-reply-00"), Map.of()).is(404);
    assertThat(client.post(challenge, null).is(200).json().path("status").asString())
        .isEqualTo("pending");
  }

  @Test
  void certbot_standalone_issues() throws Exception {
    Path certbot = tool("certbot");
    Path folder = TrialExtension.newFolder();
    try {
      Program.of(
              certbot,
              "certonly",
              "--standalone",
              "--http-01-address",
              "127.0.0.1",
              "--http-01-port",
              ProofServers.HTTP_PORT,
              "--agree-tos",
              "--register-unsafely-without-email",
              "--non-interactive",
              "-d",
              "certbot.challenge.example",
              "--server",
              directory(),
              "--config-dir",
              folder.resolve("config"),
              "--work-dir",
              folder.resolve("work"),
              "--logs-dir",
              folder.resolve("logs"))
          .with(Map.of("REQUESTS_CA_BUNDLE", root()))
          .run()
          .ok();
      assertThat(folder.resolve("config/live/certbot.challenge.example/cert.pem")).exists();
    } finally {
      Trial.delete(folder);
    }
  }

  @Test
  void lego_tlsAlpn_issues() throws Exception {
    Path lego = tool("lego");
    Path folder = TrialExtension.newFolder();
    try {
      Program.of(
              lego,
              "--server",
              directory(),
              "--path",
              folder,
              "--accept-tos",
              "--email",
              "ops@corp.example",
              "--tls",
              "--tls.port",
              "127.0.0.1:" + ProofServers.TLS_PORT,
              "--domains",
              "lego.challenge.example",
              "run")
          .with(Map.of("LEGO_CA_CERTIFICATES", root()))
          .run()
          .ok();
      assertThat(Files.size(folder.resolve("certificates/lego.challenge.example.crt")))
          .isPositive();
    } finally {
      Trial.delete(folder);
    }
  }

  private static String root() {
    return TRIAL.trial().data().resolve("root.pem").toString();
  }

  private static Path tool(String name) {
    Optional<Path> tool = Checkout.tool(name);
    assumeTrue(tool.isPresent(), name + " is not installed");
    return tool.orElseThrow();
  }
}
