package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What becomes of accounts and orders when another version of their endpoint is activated. */
@ResourceLock(TrialExtension.TWO_NODES)
class AcmeVersionsIT {

  private static final NameServer DNS = new NameServer();

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.sharedPair();

  private static final Duration WITHIN = Duration.ofSeconds(60);

  @AfterAll
  static void close() throws IOException {
    DNS.close();
  }

  private static Api anonymous() {
    return TRIAL.trial().api(0, "admin").anonymous();
  }

  /** Serves a version, and waits until the directory shows its profiles. */
  private static void serve(int version, String profiles, String requester, String method) {
    String endpoint =
        """
        name: versioned
        protocol: acme
        version: %d
        profiles: [%s]
        external-account-binding: none
        requester: %s
        challenges:
          methods: [%s]
          names: ["*.versions.example"]
          resolvers: ["%s"]
        """
            .formatted(version, profiles, requester, method, DNS.address());
    Path file = Csr.write(TRIAL.trial().folder(), endpoint);
    TRIAL.trial().sluice("endpoint", "add", file.toString()).run().ok();
    TRIAL.trial().sluice("endpoint", "activate", "versioned", String.valueOf(version)).run().ok();
    Poll.until(
        "version " + version + " is served",
        WITHIN,
        () -> {
          Answer answer = anonymous().get("/acme/versioned/directory");
          return answer.status() == 200
              && String.join(", ", answer.json().path("meta").path("profiles").propertyNames())
                  .equals(profiles);
        });
  }

  private static AcmeClient registered() {
    AcmeClient client = new AcmeClient(anonymous(), serviceDirectory());
    var _ = client.register();
    return client;
  }

  private static String serviceDirectory() {
    return JsonMapper.shared()
        .readTree(TRIAL.trial().read("acme-eab.json"))
        .path("directory")
        .asString()
        .replace("/trial/", "/versioned/");
  }

  /** Returns an order whose name was proven by dns-01. */
  private static Answer proven(AcmeClient client, String name) {
    Answer order = client.order(name).is(201);
    String url = order.json().path("authorizations").path(0).asString();
    JsonNode challenge =
        client
            .post(url, null)
            .is(200)
            .json()
            .path("challenges")
            .valueStream()
            .filter(offered -> offered.path("type").asString().equals("dns-01"))
            .findFirst()
            .orElseThrow();
    DNS.text("_acme-challenge." + name, client.dnsProof(challenge.path("token").asString()));
    client.post(challenge.path("url").asString(), Map.of()).is(200);
    assertThat(client.after(url, "pending").path("status").asString()).isEqualTo("valid");
    return order;
  }

  private static JsonNode finished(AcmeClient client, Answer order, String name) {
    JsonNode done =
        client.finish(
            order.header("Location"), order.json().path("finalize").asString(), csr(name));
    assertThat(done.path("status").asString()).as("%s", done).isEqualTo("valid");
    return done;
  }

  private static Answer finalized(AcmeClient client, Answer order, String name) {
    return client.post(
        order.json().path("finalize").asString(), Map.of("csr", AcmeClient.encode(csr(name))));
  }

  private static byte[] csr(String name) {
    return Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, name).der();
  }

  private static long certificatesOf(String requester) {
    return LedgerRows.count(
        TRIAL.trial(),
        "SELECT count(*) FROM certificate_request WHERE endpoint = 'versioned' AND requester = '"
            + requester
            + "' AND csr IS NOT NULL");
  }

  @Test
  void activate_withoutTheMethodThenOfAnotherOwner_ordersRefusedAndAccountsStay() throws Exception {
    serve(1, "tls-server", "team-old", "dns-01, http-01");
    AcmeClient client = registered();
    AcmeClient other = registered();
    Answer issued = proven(client, "a.versions.example");
    String certificate =
        finished(client, issued, "a.versions.example").path("certificate").asString();
    Answer open = proven(client, "b.versions.example");
    // Its proof of the same name lasts as long as this order.
    var _ = proven(other, "a.versions.example");

    serve(2, "short-lived, tls-server", "team-old", "http-01");
    Answer refused = finalized(client, open, "b.versions.example");
    AcmeIT.assertProblem(refused, 403, "unauthorized");
    assertThat(refused.json().path("subproblems").path(0).path("detail").asString())
        .contains("dns-01");

    serve(3, "tls-server", "team-new", "dns-01");
    AcmeIT.assertProblem(finalized(client, open, "b.versions.example"), 403, "unauthorized");
    assertThat(certificatesOf("team-old")).isEqualTo(1);
    client.post(issued.header("Location"), null).is(200);
    assertThat(client.post(client.account() + "/orders", null).is(200).text())
        .contains(issued.header("Location"));
    byte[] pem = client.post(certificate, null).is(200).body();
    // The share, the quota and the name in the ledger are those of the owner of now.
    Answer next = proven(client, "b.versions.example");
    var _ = finished(client, next, "b.versions.example");
    assertThat(certificatesOf("team-new")).isEqualTo(1);
    other
        .post(
            other.url("revokeCert"),
            Map.of("certificate", AcmeClient.encode(Answer.certificate(pem).getEncoded())))
        .is(200);
  }
}
