package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;

/** Each port serves what it is for and nothing else. */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class PortsIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  /** Names that dashboards and alerts stand on: renaming one breaks them silently. */
  private static final List<String> METRICS =
      List.of(
          "ca_sign_queue_depth",
          "ca_sign_queue_capacity",
          "ca_sign_queue_oldest_age_seconds",
          "ca_sign_queue_work_seconds",
          "ca_sign_queue_wait_seconds",
          "ca_hsm_inflight",
          "ca_hsm_inflight_limit",
          "ca_hsm_inflight_cap",
          "ca_hsm_zombie_calls",
          "ca_hsm_capacity_estimate_ops",
          "ca_hsm_utilization_ratio",
          "ca_hsm_sign_duration_seconds",
          "ca_hsm_sessions",
          "ca_hsm_queue_delay_seconds",
          "ca_hsm_queue_delay_target_seconds",
          "ca_hsm_base_delay_seconds",
          "ca_limiter_mode",
          "ca_limiter_lease_age_seconds",
          "ca_limiter_leader",
          "ca_fairness_jain_ratio",
          "ca_sign_deadline_missed_total",
          "ca_admission_total",
          "ca_retry_after_seconds",
          "ca_issued_total",
          "ca_db_commit_batch_size",
          "ca_db_commit_duration_seconds");

  private static Api plain() {
    return Api.plain(TRIAL.trial().plain(0));
  }

  private static Api management() {
    return Api.plain(TRIAL.trial().management(0));
  }

  private static Csr csr() {
    return Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "ports.example.com");
  }

  @Test
  void plainPort_givesIssuerCertificate() {
    Answer answer = plain().get("/issuers/issuing.cer").is(200);

    assertThat(answer.header("Content-Type")).startsWith("application/pkix-cert");
    assertThat(answer.header("Cache-Control")).contains("max-age=", "public");
    assertThat(Answer.certificate(answer.body()))
        .isEqualTo(Answer.certificate(Api.ascii(TRIAL.trial().read("chain.pem"))));
  }

  @Test
  void plainPort_anythingElse_404() {
    String[] token = Api.bearer(TRIAL.trial().read("enroll.token").strip());

    for (String path :
        List.of(
            "/",
            "/v1/profiles",
            "/v1/issuers",
            "/v3/api-docs",
            "/actuator/health",
            "/v1/certificates/00",
            "/issuers/../v1/profiles",
            "/issuers/%2e%2e/v1/profiles",
            "/issuers/;/../../v1/profiles")) {
      assertThat(plain().with(token).get(path).status()).as(path).isIn(400, 404);
    }
    assertThat(plain().with(token).enroll("tls-server", csr().pemBytes()).status()).isEqualTo(404);
    assertThat(
            plain()
                .with(token)
                .post(
                    "/issuers/../v1/certificates?profile=tls-server", Api.PKCS10, csr().pemBytes())
                .status())
        .isIn(400, 404);
  }

  /**
   * An invalid token would be 401 if it were looked at, and a valid one would have been revealed.
   */
  @Test
  void plainPort_credential_neverRead() {
    Api bearer = plain().with(Api.bearer("A".repeat(43)));

    for (String path :
        List.of("/ocspX", "/ocspX/a", "/crl/", "/crl/issuing", "/issuers/", "/issuers/issuing")) {
      assertThat(bearer.get(path).status()).as(path).isEqualTo(404);
      assertThat(bearer.post(path, Api.JSON, new byte[0]).status()).as(path).isEqualTo(404);
    }
    bearer.get("/issuers/issuing.cer").is(200);
    bearer.get("/crl/issuing.crl").is(200);
    assertThat(bearer.post("/crl/issuing.crl", Api.JSON, new byte[0]).is(405).header("Allow"))
        .isEqualTo("GET, HEAD");
  }

  /**
   * The plain port answers what the OpenAPI document marks so, as the HTTPS port does, and nothing
   * else of it. Requests are the document's own examples, without a credential.
   */
  @Test
  void document_tellsWhichPortServesWhat() {
    Api https = TRIAL.trial().enroller().anonymous();
    JsonNode document = https.get("/v3/api-docs").is(200).json();
    Shape shape = new Shape(document);
    Set<String> both = new TreeSet<>();
    for (var path : document.path("paths").properties()) {
      for (var operation : path.getValue().properties()) {
        String method = operation.getKey().toUpperCase(Locale.ROOT);
        String example = example(path.getKey(), operation.getValue(), shape);
        Answer plain = plain().send(method, example, BodyPublishers.noBody());
        Answer answer = https.send(method, example, BodyPublishers.noBody());
        String route = method + " " + path.getKey();
        if (operation.getValue().path("tags").toString().contains("\"plain-http\"")) {
          both.add(route);
          assertThat(told(plain)).as(route).isEqualTo(told(answer));
        } else {
          assertThat(plain.status()).as(route).isEqualTo(404);
          assertThat(answer.status()).as(route).isNotEqualTo(404);
        }
      }
    }
    assertThat(both)
        .containsExactly(
            "GET /crl/{issuer}.crl",
            "GET /crl/{issuer}/delta.crl",
            "GET /crl/{issuer}/{shard}-delta.crl",
            "GET /crl/{issuer}/{shard}.crl",
            "GET /issuers/{name}.cer",
            "GET /ocsp/{request}",
            "POST /ocsp");
  }

  /** A path with the examples of its parameters; a client without a credential needs none. */
  private static String example(String path, JsonNode operation, Shape shape) {
    String example = path;
    for (JsonNode given : operation.path("parameters")) {
      JsonNode parameter = shape.resolved(given);
      example =
          example.replace(
              "{" + parameter.path("name").asString() + "}",
              parameter.path("example").asString("x"));
    }
    return example;
  }

  /** Without what differs from answer to answer. */
  private static String told(Answer answer) {
    return answer.status()
        + " "
        + answer.header("Content-Type")
        + (answer.header("Content-Type").startsWith("application/problem+json")
            ? answer.json().path("detail").asString()
            : "");
  }

  @Test
  void everyCertificate_pointsToWhatThePlainPortServes() {
    Answer issued = TRIAL.trial().enroller().enroll("tls-server", csr().pemBytes()).is(201);
    List<String> chain = issued.json().path("chain").valueStream().map(c -> c.asString()).toList();

    assertThat(pointers(issued.json().path("certificate").asString()))
        .contains("CA Issuers - URI:" + TrialExtension.PUBLIC_URL + "/issuers/issuing.cer")
        .contains("URI:" + TrialExtension.PUBLIC_URL + "/crl/issuing.crl");
    assertThat(pointers(chain.getFirst()))
        .contains("CA Issuers - URI:" + TrialExtension.PUBLIC_URL + "/issuers/root.cer")
        .contains("URI:" + TrialExtension.PUBLIC_URL + "/crl/root.crl");
    assertThat(Answer.certificate(plain().get("/issuers/root.cer").is(200).body()))
        .isEqualTo(Answer.certificate(Api.ascii(chain.getLast())));
  }

  private static String pointers(String pem) {
    return Program.of(
            "openssl", "x509", "-noout", "-ext", "authorityInfoAccess,crlDistributionPoints")
        .reading(pem)
        .run()
        .ok()
        .text();
  }

  @Test
  void managementPort_tellsHealth() {
    assertThat(
            management().get("/actuator/health/liveness").is(200).json().path("status").asString())
        .isEqualTo("UP");
    assertThat(
            management().get("/actuator/health/readiness").is(200).json().path("status").asString())
        .isEqualTo("UP");
    for (String path :
        List.of(
            "/actuator/env",
            "/actuator/heapdump",
            "/actuator/beans",
            "/actuator/loggers",
            "/v1/profiles")) {
      assertThat(management().get(path).status()).as(path).isIn(401, 404);
    }
  }

  @Test
  void prometheus_afterAnEnrollment_hasTheNamesThatAlertsNeed() {
    TRIAL.trial().enroller().enroll("tls-server", csr().pemBytes()).is(201);

    String metrics = management().get("/actuator/prometheus").is(200).text();

    List<String> names =
        metrics
            .lines()
            .filter(line -> !line.startsWith("#"))
            .map(line -> line.replaceAll("[{ ].*", ""))
            .map(name -> name.replaceAll("_(count|sum|max|bucket)$", ""))
            .distinct()
            .toList();
    assertThat(names).containsAll(METRICS);
  }
}
