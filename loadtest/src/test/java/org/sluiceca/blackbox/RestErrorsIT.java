package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Every refusal has its status code, its problem type, and nothing of the inside. */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class RestErrorsIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  private static final int BODY_BYTES_MAX = 64 * 1024;

  private static Api enroller() {
    return TRIAL.trial().enroller();
  }

  private static Csr good() {
    return Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "errors.example.com");
  }

  private static byte[] pkcs10(Csr csr, byte... appended) {
    byte[] der = csr.der();
    byte[] all = Arrays.copyOf(der, der.length + appended.length);
    System.arraycopy(appended, 0, all, der.length, appended.length);
    return all;
  }

  @TestFactory
  Stream<DynamicTest> enroll_malformed_400() {
    Csr csr = good();
    byte[] truncated = Arrays.copyOf(csr.der(), csr.der().length - 1);
    Map<String, Answer> answers =
        Map.ofEntries(
            Map.entry("not JSON", enroller().postJson(Api.CERTIFICATES, "{\"profile\":")),
            Map.entry("JSON array", enroller().postJson(Api.CERTIFICATES, "[]")),
            Map.entry("JSON, wrong types", json(Map.of("profile", 1, "csr", List.of(1)))),
            Map.entry("JSON without csr", json(Map.of("profile", "tls-server"))),
            Map.entry(
                "JSON with more behind",
                enroller().postJson(Api.CERTIFICATES, "{\"profile\":\"a\",\"csr\":\"b\"} x")),
            Map.entry("empty body", enroller().enroll("tls-server", new byte[0])),
            Map.entry("no profile", enroller().post(Api.CERTIFICATES, Api.PKCS10, csr.pemBytes())),
            Map.entry(
                "PEM of another kind",
                enroller()
                    .enroll(
                        "tls-server",
                        Api.ascii(csr.pemText().replace("CERTIFICATE REQUEST", "CERTIFICATE")))),
            Map.entry(
                "PEM without end",
                enroller()
                    .enroll("tls-server", Api.ascii(csr.pemText().replaceAll("-----END.*", "")))),
            Map.entry("bad base64", jsonCsr("MII!!!!")),
            Map.entry("base64 of no CSR", jsonCsr(Base64.getEncoder().encodeToString(new byte[9]))),
            Map.entry("DER truncated", enroller().enroll("tls-server", truncated)),
            Map.entry("DER trailing byte", enroller().enroll("tls-server", pkcs10(csr, (byte) 0))),
            Map.entry("DER trailing DER", enroller().enroll("tls-server", pkcs10(csr, csr.der()))),
            // Bouncy Castle alone answers this with an unchecked exception.
            Map.entry(
                "DER odd",
                enroller().enroll("tls-server", new byte[] {0x30, 5, 0x30, 3, 2, 1, 1})));
    return answers.entrySet().stream()
        .map(e -> DynamicTest.dynamicTest(e.getKey(), () -> e.getValue().isProblem(400, "")));
  }

  private static Answer jsonCsr(String csr) {
    return json(Map.of("profile", "tls-server", "csr", csr));
  }

  private static Answer json(Map<String, ?> body) {
    return enroller().postJson(Api.CERTIFICATES, body);
  }

  @Test
  void request_withoutValidCredential_401() {
    Api anonymous = enroller().anonymous();
    byte[] csr = good().pemBytes();

    anonymous.enroll("tls-server", csr).isProblem(401, "/unauthenticated");
    for (String header :
        List.of(
            "Bearer " + "A".repeat(43), "Bearer", "Bearer a b", "Basic YTpi", "Bearer \u00e9")) {
      Answer answer = anonymous.with("Authorization", header).enroll("tls-server", csr);
      answer.isProblem(401, "/unauthenticated");
      assertThat(answer.header("WWW-Authenticate")).startsWith("Bearer");
    }
    anonymous.get("/v1/certificates/00").isProblem(401, "/unauthenticated");
    anonymous.get("/v1/orders/00").isProblem(401, "/unauthenticated");
    anonymous.get("/v1/capacity").isProblem(401, "/unauthenticated");
    anonymous.get("/v1/credentials").isProblem(401, "/unauthenticated");
  }

  @Test
  void enroll_ceremonyProfile_403() {
    enroller().enroll("sub-ca", good().pemBytes()).isProblem(403, "/profile-not-allowed");
  }

  @Test
  void request_forWhatIsNotThere_404() {
    enroller().enroll("no-such-profile", good().pemBytes()).isProblem(404, "/unknown-profile");
    enroller().enroll("Not%20A%20Name", good().pemBytes()).isProblem(404, "/unknown-profile");
    String serial = "01" + "00".repeat(18);
    enroller().get("/v1/certificates/" + serial).isProblem(404, "/not-found");
    enroller().get("/v1/certificates/no-serial").isProblem(400, "/malformed-request");
    enroller().get("/v1/orders/" + serial).isProblem(404, "/not-found");
    enroller().get("/v1/nothing").isProblem(404, "/not-found");
    enroller().get("/").isProblem(404, "/not-found");
    enroller().get("/actuator/health").isProblem(404, "/not-found");
    enroller().get("/v1/issuers/nobody/chain.pem").isProblem(404, "/not-found");
    enroller().get("/issuers/nobody.cer").isProblem(404, "/not-found");
  }

  @Test
  void request_byOtherMethod_405() {
    Answer answer = enroller().delete(Api.CERTIFICATES);

    answer.isProblem(405, "/method-not-allowed");
    assertThat(answer.header("Allow")).contains("POST");
    for (String method : List.of("PUT", "QUERY", "MADE-UP")) {
      answer = enroller().send(method, "/v1/issuers", BodyPublishers.noBody());
      answer.isProblem(405, "/method-not-allowed");
      assertThat(answer.header("Allow")).as(method).contains("GET");
    }
  }

  @Test
  void request_acceptingNothingOffered_406AndNothingIssued() {
    Csr csr = good();
    String key = java.util.UUID.randomUUID().toString();
    Api keyed = enroller().with("Idempotency-Key", key);

    keyed.with("Accept", "text/html").enroll("tls-server", csr.pemBytes()).isProblem(406, "");

    // Had the refused request issued, this would be its replay.
    Answer later = keyed.enroll("tls-server", csr.pemBytes()).is(201);
    assertThat(later.header("Idempotency-Replayed")).isEmpty();
    enroller()
        .with("Accept", "image/png")
        .get(later.header("Location"))
        .isProblem(406, "/not-acceptable");
  }

  @Test
  void enroll_bodyOverLimit_413() {
    byte[] tooLarge = new byte[BODY_BYTES_MAX + 1];
    Arrays.fill(tooLarge, (byte) 'A');

    Answer declared = enroller().enroll("tls-server", tooLarge);
    Answer chunked =
        enroller()
            .with("Content-Type", Api.PKCS10)
            .send(
                "POST",
                Api.CERTIFICATES + "?profile=tls-server",
                BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(tooLarge)));
    Answer json = jsonCsr("A".repeat(BODY_BYTES_MAX));
    Answer within = enroller().enroll("tls-server", Arrays.copyOf(tooLarge, BODY_BYTES_MAX));

    declared.isProblem(413, "/body-too-large");
    chunked.isProblem(413, "/body-too-large");
    json.isProblem(413, "/body-too-large");
    within.isProblem(400, "/malformed-csr");
  }

  @Test
  void enroll_otherMediaType_415() {
    for (String type : List.of("text/plain", "application/xml", "application/x-ndjson")) {
      enroller()
          .post(Api.CERTIFICATES + "?profile=tls-server", type, good().pemBytes())
          .isProblem(415, "/unsupported-media-type");
    }
  }

  @TestFactory
  Stream<DynamicTest> enroll_refusedForCause_422() {
    Map<String, List<Object>> cases =
        Map.ofEntries(
            Map.entry("tampered CSR", List.of("/bad-proof-of-possession", tampered())),
            Map.entry("RSA-1024", List.of("/weak-key", weakRsa())),
            Map.entry("secp256k1", List.of("/unsupported-algorithm", foreignCurve())),
            Map.entry("SHA-1", List.of("/unsupported-algorithm", options("-sha1"))),
            Map.entry("no DNS name at all", List.of("/name-not-allowed", named("An Example"))),
            Map.entry("underscore", List.of("/name-not-allowed", sanned("DNS:a_b.example.com"))),
            Map.entry("wildcard inside", List.of("/name-not-allowed", sanned("DNS:a.*.b.com"))),
            Map.entry("e-mail for a server", List.of("/name-not-allowed", sanned("email:a@b.c"))),
            Map.entry(
                "cA true", List.of("/profile-violation", extended("basicConstraints=CA:TRUE"))),
            Map.entry(
                "foreign EKU",
                List.of("/profile-violation", extended("extendedKeyUsage=codeSigning"))));
    return cases.entrySet().stream()
        .map(
            e ->
                DynamicTest.dynamicTest(
                    e.getKey(),
                    () ->
                        enroller()
                            .enroll("tls-server", (byte[]) e.getValue().getLast())
                            .isProblem(422, e.getValue().getFirst().toString())));
  }

  /** One bit of the signature flipped: its last octets are those of s. */
  private static byte[] tampered() {
    byte[] der = good().der();
    der[der.length - 1] ^= 1;
    return der;
  }

  private static byte[] weakRsa() {
    return newKey("rsa:1024");
  }

  private static byte[] foreignCurve() {
    return newKey("ec", "-pkeyopt", "ec_paramgen_curve:secp256k1");
  }

  private static byte[] newKey(String... words) {
    return Csr.openssl(
            TRIAL.trial().folder(),
            List.of(words),
            "weak.example.com",
            "-addext",
            "subjectAltName=DNS:weak.example.com")
        .pemBytes();
  }

  private static byte[] named(String commonName) {
    return Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, commonName, new String[0])
        .pemBytes();
  }

  private static byte[] sanned(String san) {
    return options("-addext", "subjectAltName=" + san);
  }

  private static byte[] extended(String extension) {
    return options("-addext", "subjectAltName=DNS:errors.example.com", "-addext", extension);
  }

  private static byte[] options(String... options) {
    return Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "errors.example.com", options)
        .pemBytes();
  }

  @Test
  void everyProblemType_isDocumented() {
    for (String name :
        List.of("malformed-csr", "weak-key", "unsupported-algorithm", "unauthenticated", "lint")) {
      assertThat(enroller().anonymous().get("/problems/" + name).is(200).text()).isNotBlank();
    }
    enroller().get("/problems/nothing").isProblem(404, "/not-found");
  }
}
