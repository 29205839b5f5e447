package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A node whose files have no challenges proves a name by http-01 at a stored endpoint, without a
 * restart. Such an endpoint asks port 80 of addresses that are not loopback; a property of the
 * node's JVM has it connect to these through a SOCKS proxy, which is this test.
 */
class StoredHttp01IT {

  private static final String NAME = "www.proven.example";
  private static final String ADDRESS = "10.1.2.3";
  private static final Duration WITHIN = Duration.ofSeconds(60);

  private static final NameServer DNS = new NameServer();
  private static final SocksPages PAGES = new SocksPages();

  private static final String IN_FILES =
      """
      name: bound
      protocol: acme
      profiles: [tls-server]
      external-account-binding: required
      """;

  private static final String STORED =
      """
      name: proven
      protocol: acme
      version: 1
      profiles: [tls-server]
      external-account-binding: none
      requester: enroll
      challenges:
        methods: [http-01]
        names: ["*.proven.example"]
        resolvers: ["%s"]
        networks: [10.0.0.0/8]
      """
          .formatted(DNS.address());

  @RegisterExtension
  static final TrialExtension TRIAL = TrialExtension.own(StoredHttp01IT::options);

  /** Properties of the JVM count before the launcher's settings. */
  private static Trial.Options options(Path folder) {
    Path endpoints = folder.resolve("endpoints");
    try {
      Files.createDirectories(endpoints);
      Files.writeString(endpoints.resolve("bound.yaml"), IN_FILES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Trial.Options.nodes(1)
        .with(
            Map.of(
                "JDK_JAVA_OPTIONS",
                "-XX:TieredStopAtLevel=1 -Dsluice.endpoints="
                    + endpoints
                    + " -DsocksProxyHost=127.0.0.1 -DsocksProxyPort="
                    + PAGES.port()));
  }

  private static Api admin() {
    return TRIAL.trial().api(0, "admin");
  }

  private static int directory(String endpoint) {
    return admin().anonymous().get("/acme/" + endpoint + "/directory").status();
  }

  @Test
  void activate_nodeWithoutChallengesInItsFiles_provesANameAndIssues() {
    assertThat(directory("bound")).isEqualTo(200);
    assertThat(directory("trial-challenge")).isEqualTo(404);
    admin().post("/v1/endpoints", "application/yaml", Api.ascii(STORED)).is(201);
    admin()
        .with("Content-Type", Api.JSON)
        .send("PUT", "/v1/endpoints/proven/active", BodyPublishers.ofString("{\"version\":1}"))
        .is(200);
    Poll.until("it is served", WITHIN, () -> directory("proven") == 200);
    DNS.address(NAME, ADDRESS);
    String trial =
        JsonMapper.shared()
            .readTree(TRIAL.trial().read("acme-eab.json"))
            .path("directory")
            .asString();
    AcmeClient client = new AcmeClient(admin().anonymous(), trial.replace("/trial/", "/proven/"));
    var _ = client.register();

    Answer order = client.order(NAME).is(201);
    String authorization = order.json().path("authorizations").path(0).asString();
    JsonNode challenge = client.post(authorization, null).is(200).json().path("challenges").path(0);
    String token = challenge.path("token").asString();
    PAGES.page("/.well-known/acme-challenge/" + token, client.keyAuthorization(token));
    client.post(challenge.path("url").asString(), Map.of()).is(200);
    JsonNode proven = client.after(authorization, "pending");

    assertThat(proven.path("status").asString()).as("%s", proven).isEqualTo("valid");
    assertThat(PAGES.targets()).containsExactly(ADDRESS + ":80");
    JsonNode done =
        client.finish(
            order.header("Location"),
            order.json().path("finalize").asString(),
            Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, NAME).der());
    assertThat(done.path("status").asString()).as("%s", done).isEqualTo("valid");
  }
}
