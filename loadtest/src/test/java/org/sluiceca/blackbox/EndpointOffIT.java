package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** An endpoint goes while a request of it waits for the HSM: what was finalized is finished. */
class EndpointOffIT {

  @RegisterExtension
  static final TrialExtension TRIAL =
      TrialExtension.own(
          folder -> {
            SoftToken token = SoftToken.make(folder.resolve("token"));
            return Trial.Options.token(1, token, token.hangingModule())
                .with(Map.of("SLUICE_HSM_CALL_TIMEOUT", "60s"));
          });

  private static final Duration WITHIN = Duration.ofSeconds(90);
  private static final String PATH = "/v1/endpoints";

  private static final String ENDPOINT =
      """
      name: stored
      protocol: acme
      version: 1
      profiles: [tls-server]
      external-account-binding: required
      """;

  private static Api admin() {
    return TRIAL.trial().api(0, "admin");
  }

  private static int directory() {
    return admin().anonymous().get("/acme/stored/directory").status();
  }

  private static void activate() {
    admin()
        .with("Content-Type", Api.JSON)
        .send("PUT", PATH + "/stored/active", BodyPublishers.ofString("{\"version\":1}"))
        .is(200);
    Poll.until("it is served", WITHIN, () -> directory() == 200);
  }

  private static long recorded() {
    return LedgerRows.count(
        TRIAL.trial(), "SELECT count(*) FROM certificate_request WHERE serial IS NOT NULL");
  }

  @Test
  void deactivated_finalizedOrderIsFinished_andFoundWhenTheEndpointIsBack() {
    admin().post(PATH, "application/yaml", Api.ascii(ENDPOINT)).is(201);
    activate();
    JsonNode eab =
        admin()
            .postJson(
                "/v1/acme-bindings",
                Map.of(
                    "endpoint", "stored", "requester", "enroll", "names", List.of("*.off.example")))
            .is(201)
            .json();
    AcmeClient client = new AcmeClient(admin().anonymous(), eab.path("directory").asString());
    client.register(eab.path("kid").asString(), eab.path("hmacKey").asString()).is(201);
    Answer order = client.order("a.off.example").is(201);
    byte[] csr = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "a.off.example").der();

    SoftToken token = new SoftToken(TRIAL.trial().folder().resolve("token"));
    token.hang();
    try {
      Answer finalized =
          client.post(
              order.json().path("finalize").asString(), Map.of("csr", AcmeClient.encode(csr)));
      assertThat(finalized.is(200).json().path("status").asString()).isEqualTo("processing");
      admin().delete(PATH + "/stored/active").is(204);
      Poll.until("it is off", WITHIN, () -> directory() == 404);
    } finally {
      token.release();
    }

    Poll.until("the order is finished", WITHIN, () -> recorded() == 1);
    activate();
    JsonNode done = client.post(order.header("Location"), null).is(200).json();
    assertThat(done.path("status").asString()).isEqualTo("valid");
    client.post(done.path("certificate").asString(), null).is(200);
  }
}
