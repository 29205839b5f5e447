package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;

/** Endpoints of ACME stored and activated by the client while two nodes run. */
@ResourceLock(TrialExtension.TWO_NODES)
class EndpointsIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.sharedPair();

  /** Two seconds and a pass, on a machine at rest. */
  private static final Duration WITHIN = Duration.ofSeconds(60);

  private static final String DIRECTORY = "/acme/stored/directory";
  private static final String YAML = "application/yaml";

  private static final String ENDPOINT =
      """
      name: stored
      protocol: acme
      version: %d
      profiles: [%s]
      external-account-binding: required
      """;

  private static Api admin(int node) {
    return TRIAL.trial().api(node, "admin");
  }

  private static Answer directory(int node) {
    return admin(node).anonymous().get(DIRECTORY);
  }

  private static void awaitProfile(String profile) {
    for (int node = 0; node < 2; node++) {
      int at = node;
      Poll.until(
          "node " + at + " serves " + profile,
          WITHIN,
          () -> {
            Answer answer = directory(at);
            return answer.status() == 200
                && answer.json().path("meta").path("profiles").has(profile);
          });
    }
  }

  private static String sluice(String... words) {
    return TRIAL.trial().sluice(words).run().ok().text();
  }

  private static void add(int version, String profile) {
    Path file = Csr.write(TRIAL.trial().folder(), ENDPOINT.formatted(version, profile));
    sluice("endpoint", "add", file.toString());
  }

  private static byte[] csr(String name) {
    return Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, name).der();
  }

  private static AcmeClient registered() {
    JsonNode eab =
        admin(0)
            .postJson(
                "/v1/acme-bindings",
                Map.of(
                    "endpoint",
                    "stored",
                    "requester",
                    "enroll",
                    "names",
                    List.of("*.stored.example")))
            .is(201)
            .json();
    AcmeClient client = new AcmeClient(admin(0).anonymous(), eab.path("directory").asString());
    client.register(eab.path("kid").asString(), eab.path("hmacKey").asString()).is(201);
    return client;
  }

  private static void assertIssued(AcmeClient orders, AcmeClient finishes, String profile) {
    String name = profile + ".stored.example";
    Answer order = orders.order(name).is(201);
    assertThat(order.json().path("profile").asString()).isEqualTo(profile);
    JsonNode done =
        finishes.finish(
            order.header("Location"), order.json().path("finalize").asString(), csr(name));
    assertThat(done.path("status").asString()).as("%s", done).isEqualTo("valid");
  }

  @Test
  void activate_servedByBothNodes_anotherVersion_thenOff() {
    String pids = TRIAL.trial().read("node-0.pid") + TRIAL.trial().read("node-1.pid");
    directory(0).is(404);
    add(1, "tls-server");
    directory(0).is(404);

    sluice("endpoint", "activate", "stored", "1");
    awaitProfile("tls-server");
    AcmeClient here = registered();
    AcmeClient there = new AcmeClient(admin(1).anonymous(), here);
    assertIssued(here, there, "tls-server");
    assertIssued(there, here, "tls-server");
    Answer before = here.order("before.stored.example").is(201);

    add(2, "short-lived");
    assertThat(sluice("endpoint", "show", "stored", "2"))
        .isEqualTo(ENDPOINT.formatted(2, "short-lived"));
    sluice("endpoint", "activate", "stored", "2");
    awaitProfile("short-lived");
    assertThat(sluice("endpoint", "list"))
        .containsPattern("stored +served +2 +stored +by binding +- +short-lived");
    assertThat(sluice("endpoint", "versions", "stored")).containsPattern("\\* +2 ");
    assertIssued(here, there, "short-lived");
    // What the endpoint allows no longer is not issued for an order that was made before.
    Answer refused =
        there.post(
            before.json().path("finalize").asString(),
            Map.of("csr", AcmeClient.encode(csr("before.stored.example"))));
    assertThat(refused.is(403).json().path("detail").asString()).contains("no longer");

    sluice("endpoint", "deactivate", "stored");
    for (int node = 0; node < 2; node++) {
      int at = node;
      Poll.until("node " + at + " is off", WITHIN, () -> directory(at).status() == 404);
    }
    assertThat(sluice("endpoint", "list", "--json")).contains("\"state\":\"off\"");
    assertThat(TRIAL.trial().read("node-0.pid") + TRIAL.trial().read("node-1.pid")).isEqualTo(pids);
  }

  @Test
  void add_whatMayNotBeServed_isRefusedAndSaysWhy() {
    String good = ENDPOINT.formatted(9, "tls-server");
    Map.of(
            good.replace("version: 9\n", ""),
            "must state its version",
            good + "any-name: true\n",
            "any-name",
            good.replace("tls-server", "no-such"),
            "no-such",
            good
                + "challenges: {methods: [http-01], names: ['*'], ip-addresses: true,"
                + " perspectives: [{name: a, resolvers: [192.0.2.53]}]}\n",
            "set ip-addresses to false",
            "not an endpoint",
            "")
        .forEach(
            (file, said) -> {
              // Checking a file answers as adding it does.
              for (String path : List.of("/v1/endpoints", "/v1/endpoints:check")) {
                assertThat(
                        admin(0)
                            .post(path, YAML, Api.ascii(file))
                            .isProblem(422, "/invalid-endpoint")
                            .json()
                            .path("detail")
                            .asString())
                    .contains(said);
              }
            });
    admin(0).post("/v1/endpoints:check", YAML, Api.ascii(good)).is(200);
    TRIAL
        .trial()
        .enroller()
        .post("/v1/endpoints:check", YAML, Api.ascii(good))
        .isProblem(403, "/forbidden");
    TRIAL.trial().enroller().get("/v1/endpoints").isProblem(403, "/forbidden");
    admin(0).anonymous().get("/v1/endpoints").isProblem(401, "/unauthenticated");
  }
}
