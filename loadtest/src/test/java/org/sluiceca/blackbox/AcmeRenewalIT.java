package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.sluiceca.load.acme.CertificateId;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Renewal information (RFC 9773) on two nodes, after many certificates were revoked. */
@ResourceLock(TrialExtension.TWO_NODES)
class AcmeRenewalIT {

  private static final String PATH = "/v1/revocations";
  private static final int CERTIFICATES = 50;
  private static final int WINDOWS_PER_SPREAD = 20;
  private static final Duration DONE_WITHIN = Duration.ofMinutes(3);

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.sharedPair();

  private static JsonNode eab() {
    return JsonMapper.shared().readTree(TRIAL.trial().read("acme-eab.json"));
  }

  private static AcmeClient client() {
    return new AcmeClient(
        TRIAL.trial().api(0, "enroll").anonymous(), eab().path("directory").asString());
  }

  private static JsonNode window(AcmeClient client, int node, X509Certificate certificate) {
    return TRIAL
        .trial()
        .api(node, "enroll")
        .anonymous()
        .get(AcmeClient.path(client.url("renewalInfo")) + "/" + CertificateId.of(certificate))
        .is(200)
        .json()
        .path("suggestedWindow");
  }

  private static Api officer(int node) {
    return TRIAL.trial().api(node, "admin");
  }

  private static Api requester(String name) {
    Answer registered =
        officer(0)
            .postJson(
                "/v1/credentials",
                Map.of(
                    "requester", name,
                    "roles", List.of("REQUESTER"),
                    "profiles", List.of("tls-server")))
            .is(201);
    return officer(0).anonymous().with(Api.bearer(registered.json().path("token").asString()));
  }

  private static List<X509Certificate> enrolled(Api api) {
    Csr csr = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "www.example.com");
    List<X509Certificate> certificates = new ArrayList<>();
    for (int i = 0; i < CERTIFICATES; i++) {
      certificates.add(api.enroll("tls-server", csr.pemBytes()).is(201).certificate());
    }
    return certificates;
  }

  private static void revokeAllOf(String requester) {
    Api officer = officer(1);
    Map<String, Object> wish = new HashMap<>();
    wish.put("selection", Map.of("requester", requester));
    wish.put("reason", "superseded");
    wish.put("dryRun", true);
    JsonNode shown = officer.postJson(PATH, wish).is(200).json();
    assertThat(shown.path("count").asInt()).isEqualTo(CERTIFICATES);
    wish.put("dryRun", false);
    wish.put("confirmation", shown.path("confirmation").asString());
    String location = officer.postJson(PATH, wish).is(202).header("Location");
    Poll.until(
        location + " is done",
        DONE_WITHIN,
        () -> officer.get(location).is(200).json().path("status").asString().equals("done"));
  }

  @Test
  void renewalInfo_bulkRevocation_spreadAndTheSameOnBothNodes() {
    List<X509Certificate> certificates = enrolled(requester("ari-bulk"));
    Instant before = Instant.now().minusSeconds(2);
    AcmeClient client = client();

    revokeAllOf("ari-bulk");

    Instant after = Instant.now();
    TreeSet<Instant> starts = new TreeSet<>();
    Duration width = Duration.ZERO;
    for (X509Certificate certificate : certificates) {
      JsonNode window = window(client, 0, certificate);
      assertThat(window(client, 1, certificate)).isEqualTo(window);
      Instant start = Instant.parse(window.path("start").asString());
      width = Duration.between(start, Instant.parse(window.path("end").asString()));
      starts.add(start);
    }
    // How long the spread is depends on what the HSM was measured to sign on this machine, and on
    // other replacements that are under way: a window says it, one twentieth, cut to seconds.
    Duration spread = width.plusSeconds(2).multipliedBy(WINDOWS_PER_SPREAD);
    assertThat(spread).isGreaterThanOrEqualTo(Duration.ofMinutes(5));
    assertThat(starts.first()).isAfterOrEqualTo(before);
    assertThat(starts.last()).isBefore(after.plus(spread));
    // 50 places by a hash: hardly two in one second of five minutes, and both halves have some.
    assertThat(starts).hasSizeGreaterThan(CERTIFICATES / 2);
    assertThat(Duration.between(starts.first(), starts.last())).isGreaterThan(spread.dividedBy(2));
    assertThat(window(client, 1, certificates.getFirst()))
        .isEqualTo(window(client, 0, certificates.getFirst()));
  }

  @Test
  void order_replaces_shownInEachAnswer() {
    AcmeClient client = client();
    client.register(eab().path("kid").asString(), eab().path("hmacKey").asString()).is(201);
    Csr csr = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "ari-order.example.com");
    JsonNode first = client.enroll(csr.der(), "ari-order.example.com");
    X509Certificate certificate =
        Answer.certificate(client.post(first.path("certificate").asString(), null).is(200).body());
    String id = CertificateId.of(certificate);

    Answer order =
        client
            .post(
                client.url("newOrder"),
                Map.of(
                    "identifiers",
                    List.of(Map.of("type", "dns", "value", "ari-order.example.com")),
                    "replaces",
                    id))
            .is(201);

    assertThat(order.json().path("replaces").asString()).isEqualTo(id);
    assertThat(
            client.post(order.header("Location"), null).is(200).json().path("replaces").asString())
        .isEqualTo(id);
    JsonNode done =
        client.finish(
            order.header("Location"), order.json().path("finalize").asString(), csr.der());
    assertThat(done.path("status").asString()).isEqualTo("valid");
    assertThat(done.path("replaces").asString()).isEqualTo(id);
    // An order that replaces nothing says nothing of it.
    assertThat(first.has("replaces")).isFalse();
  }
}
