package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;

/** Who may do what: registered tokens and certificates, roles, revocation, expiry. */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class AccessIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  /** A node believes what it has seen for 5 s; one more for the request itself. */
  private static final Duration REVOKED_WITHIN = Duration.ofSeconds(6);

  private static final String ROTATION = "/v1/credentials/self/rotation";

  private static Api admin() {
    return TRIAL.trial().api(0, "admin");
  }

  private static Csr csr() {
    return Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "access.example.com");
  }

  private static JsonNode register(String requester, List<String> roles, Map<String, ?> more) {
    Map<String, Object> body = new HashMap<>(Map.of("requester", requester, "roles", roles));
    body.putAll(more);
    Answer answer = admin().postJson("/v1/credentials", body).is(201);
    assertThat(answer.header("Location"))
        .isEqualTo("/v1/credentials/" + answer.json().path("id").asString());
    return answer.json();
  }

  private static Api bearing(JsonNode credential) {
    return admin().anonymous().with(Api.bearer(credential.path("token").asString()));
  }

  /**
   * No client is remembered by a session, and no answer is stored, sniffed, framed or downgraded.
   */
  @Test
  void answers_ofEveryKind_securityHeadersAndNoCookie() {
    Api enroller = TRIAL.trial().enroller();
    List<Answer> answers =
        List.of(
            enroller.enroll("tls-server", csr().pemBytes()).is(201),
            enroller.anonymous().enroll("tls-server", csr().pemBytes()).is(401),
            enroller.anonymous().get("/v1/capacity").is(401),
            enroller.get("/v1/credentials").is(403),
            enroller.get("/v1/nowhere").is(404));

    assertThat(answers)
        .allSatisfy(
            answer -> {
              assertThat(answer.header("Set-Cookie")).isEmpty();
              assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
              assertThat(answer.header("X-Frame-Options")).isEqualTo("DENY");
              assertThat(answer.header("Cache-Control")).contains("no-store");
              assertThat(answer.header("Strict-Transport-Security")).startsWith("max-age=31536000");
            });
  }

  @Test
  void register_token_worksUntilRevoked() {
    JsonNode credential =
        register("robot", List.of("REQUESTER"), Map.of("profiles", List.of("device"), "days", 1));
    Api robot = bearing(credential);

    robot.enroll("device", csr().pemBytes()).is(201);
    robot.enroll("tls-server", csr().pemBytes()).isProblem(403, "/profile-not-allowed");
    assertThat(admin().get("/v1/credentials").is(200).text())
        .contains(credential.path("id").asString())
        .doesNotContain(credential.path("token").asString());

    admin().delete("/v1/credentials/" + credential.path("id").asString()).is(204);
    Duration took =
        Poll.until(
            "the revoked token is refused",
            REVOKED_WITHIN,
            () -> robot.get("/v1/capacity").status() == 401);
    Evidence.note("a revoked token was refused after " + Evidence.millis(took));
    robot.enroll("device", csr().pemBytes()).isProblem(401, "/unauthenticated");
  }

  @Test
  void register_clientCertificate_countsByItsKeyOnly() {
    Csr csr = csr();
    Answer issued =
        TRIAL
            .trial()
            .enroller()
            .with("Accept", "application/pem-certificate-chain")
            .enroll("tls-client", csr.pemBytes())
            .is(201);
    Api holder =
        Api.trusting(
            TRIAL.trial().https(0),
            TRIAL.trial().data().resolve("root.pem"),
            csr.pkcs12(TRIAL.trial().folder(), issued.text()));
    holder.get("/v1/capacity").isProblem(401, "/unauthenticated");
    // Public documents stay open to a client with a certificate that is not registered.
    holder.get("/v1/profiles").is(200);

    JsonNode credential =
        register(
            "machine",
            List.of("REQUESTER"),
            Map.of("profiles", List.of("tls-client"), "certificate", issued.text()));

    assertThat(credential.has("token")).isFalse();
    Poll.until(
        "the registered certificate is known",
        REVOKED_WITHIN,
        () -> holder.get("/v1/capacity").status() == 200);
    holder.enroll("tls-client", csr().pemBytes()).is(201);
    holder.enroll("tls-server", csr().pemBytes()).isProblem(403, "/profile-not-allowed");
    admin().postJson("/v1/credentials", again(issued.text())).isProblem(409, "/conflict");
    admin().delete("/v1/credentials/" + credential.path("id").asString()).is(204);
    Poll.until(
        "the revoked certificate is refused",
        REVOKED_WITHIN,
        () -> holder.get("/v1/capacity").status() == 401);
  }

  /** The old token counts until the new one is used, and its registration ends both. */
  @Test
  void rotate_ownToken_worksUntilTheNewOneIsUsed() {
    JsonNode credential =
        register("rotor", List.of("REQUESTER"), Map.of("profiles", List.of("device"), "days", 1));
    Api old = bearing(credential);
    JsonNode lost = old.postJson(ROTATION, Map.of()).is(201).json();
    JsonNode made = old.postJson(ROTATION, Map.of()).is(201).json();
    Api fresh = bearing(made);

    assertThat(made.path("expiresAt")).isEqualTo(credential.path("expiresAt"));
    bearing(lost).get("/v1/capacity").isProblem(401, "/unauthenticated");
    old.enroll("device", csr().pemBytes()).is(201);
    fresh.enroll("device", csr().pemBytes()).is(201);
    fresh.enroll("tls-server", csr().pemBytes()).isProblem(403, "/profile-not-allowed");
    old.postJson(ROTATION, Map.of()).isProblem(401, "/unauthenticated");
    Poll.until(
        "the replaced token is refused",
        REVOKED_WITHIN,
        () -> old.get("/v1/capacity").status() == 401);
    for (int i = 0; i < 2; i++) {
      admin().delete("/v1/credentials/" + credential.path("id").asString()).is(204);
    }
    Poll.until(
        "what was rotated from it is refused",
        REVOKED_WITHIN,
        () -> fresh.get("/v1/capacity").status() == 401);
    admin().anonymous().postJson(ROTATION, Map.of()).isProblem(401, "/unauthenticated");
  }

  private static Map<String, ?> again(String certificate) {
    return Map.of(
        "requester", "machine", "roles", List.of("REQUESTER"), "certificate", certificate);
  }

  @Test
  void role_decidesWhatMayBeSeen() {
    Answer issued = TRIAL.trial().enroller().enroll("tls-server", csr().pemBytes()).is(201);
    String location = issued.header("Location");
    Api auditor = bearing(register("auditor", List.of("AUDITOR"), Map.of()));
    Api other =
        bearing(register("other", List.of("REQUESTER"), Map.of("profiles", List.of("tls-server"))));

    auditor.get(location).is(200);
    admin().get(location).is(200);
    // For another requester there is no such certificate, and no such order.
    other.get(location).isProblem(404, "/not-found");
    other.get("/v1/orders/" + issued.locationEnd()).isProblem(404, "/not-found");

    auditor.enroll("tls-server", csr().pemBytes()).isProblem(403, "/forbidden");
    auditor.get("/v1/credentials").isProblem(403, "/forbidden");
    other.get("/v1/credentials").isProblem(403, "/forbidden");
    other
        .postJson("/v1/credentials", Map.of("requester", "x", "roles", List.of("ADMIN")))
        .isProblem(403, "/forbidden");
    TRIAL.trial().enroller().delete("/v1/credentials/x").isProblem(403, "/forbidden");
  }

  @Test
  void register_contradictions_400() {
    for (Map<String, ?> body :
        List.of(
            Map.of("requester", "x"),
            Map.of("requester", "x", "roles", List.of("KING")),
            Map.of("requester", "Not A Name", "roles", List.of("ADMIN")),
            Map.of("requester", "sluice.node", "roles", List.of("ADMIN")),
            Map.of("requester", "x", "roles", List.of("ADMIN"), "days", 0),
            Map.of("requester", "x", "roles", List.of("ADMIN"), "days", 826),
            Map.of("requester", "x", "roles", List.of("ADMIN"), "profiles", List.of("Not a name")),
            Map.of("requester", "x", "roles", List.of("ADMIN"), "certificate", "no PEM"))) {
      admin().postJson("/v1/credentials", body).isProblem(400, "/malformed-request");
    }
    admin()
        .postJson(
            "/v1/credentials",
            Map.of("requester", "x", "roles", List.of("ADMIN"), "profiles", List.of("nothing")))
        .isProblem(404, "/unknown-profile");
    admin().delete("/v1/credentials/nothing").isProblem(404, "/not-found");
  }

  @Test
  void token_expired_401() {
    JsonNode credential = register("passing", List.of("AUDITOR"), Map.of("days", 1));

    // A day is too long to wait for: the registry's date is moved instead.
    LedgerRows.expireCredentials(TRIAL.trial(), "passing");

    Poll.until(
        "the expired token is refused",
        REVOKED_WITHIN,
        () -> bearing(credential).get("/v1/capacity").status() == 401);
  }
}
