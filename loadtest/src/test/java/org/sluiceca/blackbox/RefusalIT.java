package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;

/** Bad requests of every kind: each has its own answer, and none reaches the token. */
@ResourceLock(TrialExtension.ONE_NODE)
class RefusalIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  /** A node believes what it has seen for 5 s; one more for the request itself. */
  private static final Duration REVOKED_WITHIN = Duration.ofSeconds(6);

  private static final int DEEP = 20_000;

  private record Refusal(String title, int status, String type, Supplier<Answer> request) {}

  private static Api enroller() {
    return TRIAL.trial().enroller();
  }

  private static Api admin() {
    return TRIAL.trial().api(0, "admin");
  }

  private static Csr csr() {
    return Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "refused.example.com");
  }

  @TestFactory
  Stream<DynamicTest> refusal_hasItsTypeAndCostsNoSignature() {
    return Stream.of(http(), json(), access()).flatMap(List::stream).map(RefusalIT::test);
  }

  private static DynamicTest test(Refusal refusal) {
    return DynamicTest.dynamicTest(
        refusal.title(),
        () -> {
          NodeProcess node = new NodeProcess(TRIAL.trial());
          double before = node.certificateSignatures();
          refusal.request().get().isProblem(refusal.status(), refusal.type());
          assertThat(node.certificateSignatures()).as(refusal.title()).isEqualTo(before);
        });
  }

  private static List<Refusal> http() {
    String path = Api.CERTIFICATES + "?profile=tls-server";
    byte[] csr = csr().pemBytes();
    return List.of(
        new Refusal(
            "wrong content type",
            415,
            "/unsupported-media-type",
            () -> enroller().post(path, "text/plain", csr)),
        new Refusal(
            "64 KiB and one byte",
            413,
            "/body-too-large",
            () -> enroller().enroll("tls-server", new byte[64 * 1024 + 1])),
        new Refusal(
            "compressed",
            415,
            "/unsupported-media-type",
            () -> enroller().with("Content-Encoding", "gzip").enroll("tls-server", csr)),
        new Refusal(
            "compressed and too long to be read to its end",
            415,
            "/unsupported-media-type",
            () ->
                enroller()
                    .with("Content-Encoding", "gzip")
                    .post(path, "application/pkcs10", new byte[100_000])),
        new Refusal(
            "two idempotency keys",
            400,
            "/malformed-request",
            () ->
                enroller()
                    .with("Idempotency-Key", "a", "Idempotency-Key", "b")
                    .enroll("tls-server", csr)),
        new Refusal(
            "nothing acceptable in two lines",
            406,
            "/not-acceptable",
            () ->
                enroller()
                    .with("Accept", "text/html", "Accept", "application/json;q=0, image/png")
                    .enroll("tls-server", csr)),
        new Refusal(
            "malformed Accept",
            400,
            "/malformed-request",
            () -> enroller().with("Accept", "a/b/c").enroll("tls-server", csr)),
        new Refusal(
            "unknown profile",
            404,
            "/unknown-profile",
            () -> enroller().enroll("no-such-profile", csr)),
        new Refusal(
            "profile of the ceremony",
            403,
            "/profile-not-allowed",
            () -> enroller().enroll("sub-ca", csr)));
  }

  private static List<Refusal> json() {
    Map<String, String> bodies =
        Map.ofEntries(
            Map.entry("JSON cut off", "{\"profile\":"),
            Map.entry("JSON array", "[]"),
            Map.entry("JSON null", "null"),
            Map.entry("JSON with a number for a string", "{\"profile\":1,\"csr\":\"a\"}"),
            Map.entry("JSON with a boolean for a string", "{\"profile\":true,\"csr\":\"a\"}"),
            Map.entry("JSON with a name twice", "{\"profile\":\"a\",\"csr\":\"b\",\"csr\":\"c\"}"),
            Map.entry(
                "JSON with an unknown name", "{\"profile\":\"a\",\"csr\":\"b\",\"days\":900}"),
            Map.entry("JSON with more behind", "{\"profile\":\"a\",\"csr\":\"b\"}{}"),
            Map.entry("JSON with a comment", "{\"profile\":\"a\",/**/\"csr\":\"b\"}"),
            Map.entry("JSON in single quotes", "{'profile':'a','csr':'b'}"),
            Map.entry("JSON with a bare NaN", "{\"profile\":NaN,\"csr\":\"b\"}"),
            Map.entry(
                "JSON nested deep", "{\"profile\":" + "[".repeat(DEEP) + "]".repeat(DEEP) + "}"),
            Map.entry("JSON with a long number", "{\"profile\":" + "9".repeat(30_000) + "}"),
            Map.entry("JSON with half a surrogate", "{\"profile\":\"\\ud800\",\"csr\":\"\\u12\"}"),
            Map.entry("JSON with an empty profile", "{\"profile\":null,\"csr\":\"b\"}"));
    Stream<Refusal> texts =
        bodies.entrySet().stream()
            .map(
                e ->
                    new Refusal(
                        e.getKey(),
                        400,
                        "/malformed-request",
                        () -> enroller().postJson(Api.CERTIFICATES, e.getValue())));
    Refusal notUtf8 =
        new Refusal(
            "JSON that is not UTF-8",
            400,
            "/malformed-request",
            () ->
                enroller()
                    .post(
                        Api.CERTIFICATES,
                        Api.JSON,
                        "{\"profile\":\"\u00e9\u00e8\",\"csr\":\"b\"}"
                            .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1)));
    return Stream.concat(texts, Stream.of(notUtf8)).toList();
  }

  private static List<Refusal> access() {
    byte[] csr = csr().pemBytes();
    Api anonymous = enroller().anonymous();
    JsonNode expired = register(Map.of("requester", "expired", "roles", List.of("REQUESTER")));
    LedgerRows.expireCredentials(TRIAL.trial(), "expired");
    JsonNode revoked = register(Map.of("requester", "revoked", "roles", List.of("REQUESTER")));
    admin().delete("/v1/credentials/" + revoked.path("id").asString()).is(204);
    JsonNode narrow =
        register(
            Map.of(
                "requester",
                "narrow",
                "roles",
                List.of("REQUESTER"),
                "profiles",
                List.of("device")));
    return List.of(
        unauthenticated("no token", anonymous, csr),
        unauthenticated("malformed token", anonymous.with(Api.bearer("x".repeat(42) + "!")), csr),
        unauthenticated("short token", anonymous.with(Api.bearer("x".repeat(42))), csr),
        unauthenticated("long token", anonymous.with(Api.bearer("x".repeat(4_000))), csr),
        unauthenticated("unknown token", anonymous.with(Api.bearer("x".repeat(43))), csr),
        unauthenticated("expired token", anonymous.with(bearer(expired)), csr),
        unauthenticated("revoked token", anonymous.with(bearer(revoked)), csr),
        unauthenticated("revoked client certificate", revokedHolder(), csr),
        new Refusal(
            "profile not allowed",
            403,
            "/profile-not-allowed",
            () -> anonymous.with(bearer(narrow)).enroll("tls-server", csr)));
  }

  private static Refusal unauthenticated(String title, Api api, byte[] csr) {
    return new Refusal(title, 401, "/unauthenticated", () -> api.enroll("tls-server", csr));
  }

  private static JsonNode register(Map<String, ?> body) {
    return admin().postJson("/v1/credentials", body).is(201).json();
  }

  private static String[] bearer(JsonNode credential) {
    return Api.bearer(credential.path("token").asString());
  }

  /** Registered, used, and revoked, with its connection and TLS session still there. */
  private static Api revokedHolder() {
    Csr own = csr();
    String chain =
        enroller()
            .with("Accept", "application/pem-certificate-chain")
            .enroll("tls-client", own.pemBytes())
            .is(201)
            .text();
    JsonNode credential =
        register(
            Map.of(
                "requester",
                "holder",
                "roles",
                List.of("REQUESTER"),
                "profiles",
                List.of("tls-server"),
                "certificate",
                chain));
    Path root = TRIAL.trial().data().resolve("root.pem");
    Api holder =
        Api.trusting(TRIAL.trial().https(0), root, own.pkcs12(TRIAL.trial().folder(), chain));
    holder.enroll("tls-server", csr().pemBytes()).is(201);
    admin().delete("/v1/credentials/" + credential.path("id").asString()).is(204);
    Poll.until(
        "the revoked certificate is refused",
        REVOKED_WITHIN,
        () -> holder.get("/v1/capacity").status() == 401);
    return holder;
  }
}
