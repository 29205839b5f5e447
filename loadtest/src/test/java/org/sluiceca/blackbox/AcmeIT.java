package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.sluiceca.load.acme.CertificateId;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** ACME on two nodes, each request to the other one: what RFC 8555 says, and what it forbids. */
@ResourceLock(TrialExtension.TWO_NODES)
class AcmeIT {

  private static final String JOSE = "application/jose+json";

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.sharedPair();

  static JsonNode eab() {
    return JsonMapper.shared().readTree(TRIAL.trial().read("acme-eab.json"));
  }

  private AcmeClient client() {
    return new AcmeClient(anonymous(0), eab().path("directory").asString());
  }

  /** A client of one node, or of what stands in front of all. */
  Api anonymous(int node) {
    return TRIAL.trial().api(node, "enroll").anonymous();
  }

  AcmeClient registered() {
    AcmeClient client = client();
    client.register(eab().path("kid").asString(), eab().path("hmacKey").asString()).is(201);
    return client;
  }

  private static byte[] csr(String name, String... more) {
    Path folder = TRIAL.trial().folder();
    Csr csr =
        more.length == 0
            ? Csr.openssl(folder, Csr.KeyType.EC_P256, name)
            : Csr.openssl(folder, Csr.KeyType.EC_P256, name, more);
    return csr.der();
  }

  static void assertProblem(Answer answer, int status, String type) {
    answer.is(status);
    assertThat(answer.mediaType()).isEqualTo("application/problem+json");
    assertThat(answer.json().path("type").asString())
        .as("%s", answer)
        .isEqualTo("urn:ietf:params:acme:error:" + type);
    assertThat(answer.json().path("detail").asString()).isNotBlank();
    assertThat(answer.header("Replay-Nonce")).isNotBlank();
  }

  @Test
  void nonce_headAndGet_200And204() {
    AcmeClient client = client();
    String path = AcmeClient.path(client.url("newNonce"));

    Answer got = anonymous(1).get(path).is(204);

    assertThat(got.header("Replay-Nonce")).isNotBlank().isNotEqualTo(client.freshNonce());
    assertThat(got.header("Cache-Control")).contains("no-store");
    assertThat(got.header("Link")).contains("rel=\"index\"");
  }

  /** RFC 8555 6.3. */
  @Test
  void directoryAndNonce_postAsGet_sameAsGet() {
    AcmeClient client = registered();
    String directory = eab().path("directory").asString();

    assertThat(client.post(directory, null).is(200).json()).isEqualTo(client.directory());
    assertThat(client.post(client.url("newNonce"), null).is(204).header("Replay-Nonce"))
        .isNotBlank();
    assertProblem(client.post(directory, Map.of()), 400, "malformed");
    assertProblem(client.post(client.url("newNonce"), Map.of()), 400, "malformed");
  }

  /** RFC 8555 6.3 and 6.2: errors outside of signed requests have words of ACME, too. */
  @Test
  void request_ofAnotherMethodMediaTypeOrPath_malformed() {
    AcmeClient client = registered();
    String order = AcmeClient.path(client.url("newOrder"));

    for (Answer answer :
        List.of(
            anonymous(0).get(order).is(405),
            anonymous(0).post(order, "application/json", new byte[] {'{', '}'}).is(415),
            anonymous(0).get(order + "s").is(404),
            anonymous(0).post(order, "application/jose+json", new byte[0]).is(400))) {
      assertThat(answer.json().path("type").asString())
          .as("%s", answer)
          .isEqualTo("urn:ietf:params:acme:error:malformed");
    }
  }

  /** RFC 8555 7.3.4: "with the same value as the field in the request". */
  @Test
  void account_withABinding_answerHasTheBinding() {
    AcmeClient client = client();
    String url = client.url("newAccount");
    Map<String, String> binding =
        client.binding(eab().path("kid").asString(), eab().path("hmacKey").asString(), url);

    Answer made = client.byKey(url, Map.of("externalAccountBinding", binding)).is(201);

    made.json()
        .path("externalAccountBinding")
        .properties()
        .forEach(
            member ->
                assertThat(member.getValue().asString()).isEqualTo(binding.get(member.getKey())));
    assertThat(made.json().path("externalAccountBinding").size()).isEqualTo(3);
  }

  /** RFC 8555 6.5.2, 6.2: what is at fault has its own word. */
  @Test
  void signed_nonceOfAnotherEncodingOrKeyOfAnotherAlgorithm_saysSo() {
    AcmeClient client = registered();
    String url = client.url("newOrder");
    Map<String, Object> header = client.header(url, Map.of("kid", client.account()));
    header.put("nonce", "a b=");
    assertProblem(client.send(url, header, Map.of()), 400, "malformed");

    header = client.header(url, Map.of("kid", client.account()));
    header.put("alg", "RS256");
    assertProblem(client.send(url, header, Map.of()), 400, "badPublicKey");
  }

  @Test
  void directory_everyLink_isThere() {
    AcmeClient client = client();

    client
        .directory()
        .properties()
        .forEach(
            link -> {
              if (!List.of("meta", "renewalInfo").contains(link.getKey())) {
                Answer answer = anonymous(0).get(AcmeClient.path(link.getValue().asString()));
                assertThat(answer.status()).as(link.getKey()).isIn(204, 405);
              }
            });
    assertThat(client.directory().path("meta").path("externalAccountRequired").asBoolean())
        .isTrue();
  }

  @Test
  void enroll_nodesInTurn_certificateOfTheOrder() throws Exception {
    AcmeClient first = registered();
    AcmeClient other = new AcmeClient(anonymous(1), first);

    Answer order = first.order("acme.example.com", "*.acme.example.com").is(201);
    assertThat(order.json().path("status").asString()).isEqualTo("ready");
    for (JsonNode authorization : order.json().path("authorizations")) {
      JsonNode body = other.post(authorization.asString(), null).is(200).json();
      assertThat(body.path("status").asString()).isEqualTo("valid");
      assertThat(body.path("identifier").path("value").asString()).isEqualTo("acme.example.com");
    }
    JsonNode done =
        other.finish(
            order.header("Location"),
            order.json().path("finalize").asString(),
            csr(
                "acme.example.com",
                "-addext",
                "subjectAltName=DNS:acme.example.com,DNS:*.acme.example.com"));
    assertThat(done.path("status").asString()).as("%s", done).isEqualTo("valid");
    Answer chain = first.post(done.path("certificate").asString(), null).is(200);
    assertThat(chain.mediaType()).isEqualTo("application/pem-certificate-chain");
    List<Certificate> certificates =
        List.copyOf(
            CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(chain.body())));
    assertThat(certificates).hasSize(2);
    X509Certificate leaf = (X509Certificate) certificates.getFirst();
    leaf.verify(certificates.getLast().getPublicKey());
    assertThat(leaf.getSubjectAlternativeNames())
        .extracting(name -> String.valueOf(name.get(1)))
        .containsExactlyInAnyOrder("acme.example.com", "*.acme.example.com");
    assertThat(
            other
                .post(first.account() + "/orders", null)
                .is(200)
                .json()
                .path("orders")
                .valueStream()
                .map(JsonNode::asString))
        .containsExactly(order.header("Location"));
    // Requester and actor: the owner of the binding finds it, the trail names the account.
    String serial = leaf.getSerialNumber().toString(16);
    TRIAL.trial().api(0, "enroll").get("/v1/certificates/" + serial).is(200);
  }

  @Test
  void revoke_byAccountByKeyAndByAnotherAccount_onceEach() throws Exception {
    AcmeClient client = registered();
    Csr request = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "r1.example.com");
    byte[] first = der(client, request.der(), "r1.example.com");
    byte[] second = der(client, csr("r2.example.com"), "r2.example.com");

    assertProblem(
        client.post(
            client.url("revokeCert"), Map.of("certificate", AcmeClient.encode(first), "reason", 6)),
        400,
        "badRevocationReason");
    client
        .post(
            client.url("revokeCert"), Map.of("certificate", AcmeClient.encode(first), "reason", 4))
        .is(200);
    assertProblem(
        client.post(client.url("revokeCert"), Map.of("certificate", AcmeClient.encode(first))),
        400,
        "alreadyRevoked");
    // Another account of the same requester, whose binding covers the name.
    AcmeClient other = registered();
    other.post(other.url("revokeCert"), Map.of("certificate", AcmeClient.encode(second))).is(200);
    // The certificate's own key; a stranger's key may not.
    KeyPair own = AcmeClient.newKey();
    AcmeClient holder = registered();
    byte[] third = der(holder, Pkcs10.of(own, "r3.example.com"), "r3.example.com");
    assertProblem(
        other.byKey(other.url("revokeCert"), Map.of("certificate", AcmeClient.encode(third))),
        403,
        "unauthorized");
    AcmeClient key = client();
    key.key(own);
    key.byKey(key.url("revokeCert"), Map.of("certificate", AcmeClient.encode(third))).is(200);
  }

  private Answer renewalInfo(AcmeClient client, int node, String id) {
    return anonymous(node).get(AcmeClient.path(client.url("renewalInfo")) + "/" + id);
  }

  @Test
  void renewalInfo_issuedThenReplacedThenRevoked() throws Exception {
    AcmeClient client = registered();
    byte[] first = der(client, csr("ari.example.com"), "ari.example.com");
    X509Certificate certificate = Answer.certificate(first);
    String id = CertificateId.of(certificate);

    Answer before = renewalInfo(client, 0, id).is(200);
    assertThat(renewalInfo(client, 1, id).is(200).json()).isEqualTo(before.json());
    JsonNode window = before.json().path("suggestedWindow");
    Instant start = Instant.parse(window.path("start").asString());
    assertThat(Instant.parse(window.path("end").asString()))
        .isAfter(start)
        .isBefore(certificate.getNotAfter().toInstant());
    assertThat(start).isAfter(Instant.now());
    assertThat(Integer.parseInt(before.header("Retry-After"))).isBetween(60, 21_600);
    assertThat(before.header("Link")).endsWith("/directory>;rel=\"index\"");
    assertProblem(renewalInfo(client, 0, "AAAA.AAAA"), 400, "malformed");
    String ofAnotherIssuer = AcmeClient.encode(new byte[20]) + id.substring(id.indexOf('.'));
    assertProblem(renewalInfo(client, 0, ofAnotherIssuer), 404, "malformed");

    Answer order =
        client
            .post(
                client.url("newOrder"),
                Map.of(
                    "identifiers",
                    List.of(Map.of("type", "dns", "value", "ari.example.com")),
                    "replaces",
                    id))
            .is(201);
    assertThat(order.json().path("replaces").asString()).isEqualTo(id);
    JsonNode done =
        client.finish(
            order.header("Location"),
            order.json().path("finalize").asString(),
            csr("ari.example.com"));
    assertThat(done.path("status").asString()).isEqualTo("valid");
    assertProblem(
        client.post(
            client.url("newOrder"),
            Map.of(
                "identifiers",
                List.of(Map.of("type", "dns", "value", "ari.example.com")),
                "replaces",
                id)),
        409,
        "alreadyReplaced");

    client.post(client.url("revokeCert"), Map.of("certificate", AcmeClient.encode(first))).is(200);
    Instant urgent =
        Instant.parse(
            renewalInfo(client, 1, id)
                .is(200)
                .json()
                .path("suggestedWindow")
                .path("start")
                .asString());
    assertThat(urgent).isBefore(Instant.now().plus(Duration.ofMinutes(6)));
  }

  /** Before a controller is found: clients read these types, too, and go on with the nonce. */
  @Test
  void request_methodMediaTypeOrBodyThatIsNotTaken_problemOfAcme() {
    AcmeClient client = client();
    // What stands in front of the nodes answers some of these itself.
    Api api = TRIAL.trial().api(0, "enroll").anonymous();
    String order = AcmeClient.path(client.url("newOrder"));
    byte[] empty = {};

    assertProblem(api.get(order), 405, "malformed");
    assertThat(api.get(order).header("Allow")).contains("POST");
    assertProblem(api.send("PUT", order, BodyPublishers.ofByteArray(empty)), 405, "malformed");
    assertProblem(api.send("TRACE", order, BodyPublishers.noBody()), 405, "malformed");
    assertProblem(api.post(order, "application/json", Api.ascii("{}")), 415, "malformed");
    assertProblem(api.post(order, JOSE, empty), 400, "malformed");
    assertProblem(api.post(order, JOSE, Api.ascii("x")), 400, "malformed");
    assertProblem(api.post(order, JOSE, Api.ascii(" ".repeat(65_537))), 413, "malformed");
    assertProblem(api.get(order.replace("new-order", "no-such")), 404, "malformed");
    // A nonce is an endpoint's: here is none.
    Answer nowhere = api.get("/acme/no-such/new-order").is(405);
    assertThat(nowhere.json().path("type").asString()).endsWith(":malformed");
    // The API's own errors are as before.
    TRIAL
        .trial()
        .enroller()
        .send("PUT", "/v1/certificates", BodyPublishers.ofByteArray(empty))
        .isProblem(405, "method-not-allowed");
  }

  /** An account of a client that is next to the node: what stands in front may take less. */
  private static AcmeClient direct() {
    AcmeClient client =
        new AcmeClient(
            TRIAL.trial().api(0, "enroll").anonymous(), eab().path("directory").asString());
    client.register(eab().path("kid").asString(), eab().path("hmacKey").asString()).is(201);
    return client;
  }

  /** What is read before a signature is verified. */
  @Test
  void request_hostileJson_malformedAndANonce() {
    AcmeClient client = direct();
    String url = client.url("newOrder");
    String order = AcmeClient.path(url);
    Api api = TRIAL.trial().api(0, "enroll").anonymous();
    Map<String, Object> header = client.header(url, Map.of("kid", client.account()));
    String good = Answer.json(AcmeClient.jws(header, Map.of(), client.key()));
    for (String hostile :
        List.of(
            "{\"a\":".repeat(10_000),
            "[".repeat(60_000),
            good.replace("{\"", "{\"payload\":\"\",\""),
            good.replace("}", ",\"header\":{}}"),
            good.replace("}", ",\"signatures\":[]}"),
            good + "{}",
            "{\"protected\":" + "9".repeat(60_000) + "}",
            "{\"" + "k".repeat(60_000) + "\":1}",
            "{\"protected\":\"\",\"payload\":\"\\ud800\",\"signature\":\"\"}",
            "\uFEFF" + good)) {
      assertProblem(
          api.post(order, JOSE, hostile.getBytes(StandardCharsets.UTF_8)), 400, "malformed");
    }
    Map.of("crit", List.of("exp"), "b64", false, "zip", "DEF")
        .forEach(
            (name, value) -> {
              Map<String, Object> changed = client.header(url, Map.of("kid", client.account()));
              changed.put(name, value);
              assertProblem(client.send(url, changed, Map.of()), 400, "malformed");
            });
  }

  /** What an account that has a right to ask may write. */
  @Test
  void order_hostileIdentifiers_subproblemsAndABoundedAnswer() {
    AcmeClient client = direct();
    List<Object> all = new ArrayList<>();
    for (String value :
        List.of(
            "",
            ".",
            "a..example.com",
            "-a.example.com",
            "a_b.example.com",
            "e\u0301.example.com",
            "\u202Emoc.example.com",
            "a.example.com\u0000",
            "a\u3002example.com",
            "\ud83d\ude80.example.com",
            "xn--.example.com",
            "x".repeat(64) + ".example.com",
            "a.".repeat(200) + "com",
            "*",
            "*.com.*",
            "http://a.example.com",
            "a.example.com:443",
            "192.0.2.1")) {
      all.add(Map.of("type", "dns", "value", value));
    }
    all.add(Map.of("type", "ip", "value", "fe80::1%eth0"));
    all.add(Map.of("type", "dn\u212A", "value", "a.example.com"));
    all.add(Map.of("type", "dns", "value", List.of("a.example.com")));
    all.add(Map.of("value", "a.example.com"));

    Answer answer = client.post(client.url("newOrder"), Map.of("identifiers", all));

    assertProblem(answer, 400, "malformed");
    assertThat(answer.json().path("subproblems").size()).as("%s", answer).isEqualTo(all.size());
    assertProblem(
        client.post(client.url("newOrder"), Map.of("identifiers", Collections.nCopies(101, 7))),
        400,
        "malformed");
    assertProblem(
        client.post(client.url("newOrder"), Map.of("identifiers", "a.example.com")),
        400,
        "malformed");
    List<Map<String, String>> many = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      many.add(Map.of("type", "dns", "value", i + "\u0001".repeat(60)));
    }
    Answer bounded = client.post(client.url("newOrder"), Map.of("identifiers", many));
    assertProblem(bounded, 403, "rejectedIdentifier");
    assertThat(bounded.json().path("subproblems").size()).isEqualTo(100);
    assertThat(bounded.body().length).isLessThan(100_000);
  }

  private static Answer replacing(AcmeClient client, String id, String... names) {
    List<Map<String, String>> identifiers = new ArrayList<>();
    for (String name : names) {
      identifiers.add(Map.of("type", "dns", "value", name));
    }
    return client.post(client.url("newOrder"), Map.of("identifiers", identifiers, "replaces", id));
  }

  /** RFC 9773 5: one name in common is enough, and what is taken is shown; none is refused. */
  @Test
  void replaces_otherNames_oneInCommonIsNeeded() throws Exception {
    String name = "some.ari.example.com";
    AcmeClient client = registered();
    String id = CertificateId.of(Answer.certificate(der(client, csr(name), name)));

    assertProblem(replacing(client, id, "none.ari.example.com"), 400, "malformed");
    Answer order = replacing(client, id, name, "none.ari.example.com").is(201);
    assertThat(order.json().path("replaces").asString()).isEqualTo(id);
    assertThat(
            client.post(order.header("Location"), null).is(200).json().path("replaces").asString())
        .isEqualTo(id);
  }

  /** RFC 9773 5: one order replaces a certificate, however many were opened to do so. */
  @Test
  void replaces_manyOpenOrders_fewAndOneIsFinalized() throws Exception {
    String name = "many.ari.example.com";
    AcmeClient client = registered();
    String id = CertificateId.of(Answer.certificate(der(client, csr(name), name)));
    List<Answer> open = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      open.add(replacing(client, id, name).is(201));
    }

    assertProblem(replacing(client, id, name), 409, "alreadyReplaced");
    // Another account of the same binding has its own.
    Answer others = replacing(registered(), id, name).is(201);
    assertThat(others.json().path("replaces").asString()).isEqualTo(id);
    JsonNode done =
        client.finish(
            open.getFirst().header("Location"),
            open.getFirst().json().path("finalize").asString(),
            csr(name));
    assertThat(done.path("status").asString()).as("%s", done).isEqualTo("valid");
    assertProblem(
        client.post(
            open.getLast().json().path("finalize").asString(),
            Map.of("csr", AcmeClient.encode(csr(name)))),
        409,
        "alreadyReplaced");
    client.order(name).is(201);
  }

  private static byte[] der(AcmeClient client, byte[] csr, String name) throws Exception {
    JsonNode done = client.enroll(csr, name);
    assertThat(done.path("status").asString()).as("%s", done).isEqualTo("valid");
    byte[] pem = client.post(done.path("certificate").asString(), null).is(200).body();
    return Answer.certificate(pem).getEncoded();
  }

  @Test
  void nonce_usedTwiceForgedOrMissing_badNonceAndAFreshOne() {
    AcmeClient client = registered();
    String url = client.url("newOrder");
    Map<String, Object> header = client.header(url, Map.of("kid", client.account()));
    Map<String, Object> order =
        Map.of("identifiers", List.of(Map.of("type", "dns", "value", "n.example.com")));
    client.send(url, header, order).is(201);

    assertProblem(client.send(url, header, order), 400, "badNonce");
    assertProblem(new AcmeClient(anonymous(1), client).send(url, header, order), 400, "badNonce");
    for (String forged :
        List.of("AAAA", "x".repeat(83), String.valueOf(header.get("nonce")) + "A")) {
      Map<String, Object> other = client.header(url, Map.of("kid", client.account()));
      other.put("nonce", forged);
      assertProblem(client.send(url, other, order), 400, "badNonce");
    }
    Map<String, Object> without = client.header(url, Map.of("kid", client.account()));
    without.remove("nonce");
    assertProblem(client.send(url, without, order), 400, "badNonce");
  }

  @Test
  void signedUrl_ofAnotherResource_unauthorized() {
    AcmeClient client = registered();
    Map<String, Object> header =
        client.header(client.url("keyChange"), Map.of("kid", client.account()));

    assertProblem(client.send(client.url("newOrder"), header, Map.of()), 403, "unauthorized");
  }

  @Test
  void signature_byAnotherKey_malformed() {
    AcmeClient client = registered();
    client.key(AcmeClient.newKey());

    assertProblem(client.order("a.example.com"), 400, "malformed");
  }

  @Test
  void account_withoutOrWithAWrongBinding_isRefused() {
    AcmeClient client = client();
    String url = client.url("newAccount");

    assertProblem(client.byKey(url, Map.of()), 403, "externalAccountRequired");
    String kid = eab().path("kid").asString();
    assertProblem(client.register(kid, "A".repeat(43)), 403, "unauthorized");
    assertProblem(
        client.register("unknown", eab().path("hmacKey").asString()), 403, "unauthorized");
    assertProblem(
        client.byKey(url, Map.of("onlyReturnExisting", true)), 400, "accountDoesNotExist");
    assertProblem(
        client.byKey(
            url,
            Map.of(
                "contact",
                List.of("tel:123"),
                "externalAccountBinding",
                client.binding(kid, eab().path("hmacKey").asString(), url))),
        400,
        "unsupportedContact");
  }

  @Test
  void account_againUpdateKeyChangeAndEnd() {
    AcmeClient client = registered();
    String url = client.url("newAccount");
    Answer again = client.byKey(url, Map.of("onlyReturnExisting", true)).is(200);
    assertThat(again.header("Location")).isEqualTo(client.account());
    Answer updated =
        client.post(client.account(), Map.of("contact", List.of(), "status", "valid")).is(200);
    assertThat(updated.json().path("contact").size()).isZero();
    assertThat(updated.header("Location")).isEqualTo(client.account());

    KeyPair next = AcmeClient.newKey();
    client.post(client.url("keyChange"), rollover(client, next)).is(200);
    assertProblem(client.order("a.example.com"), 400, "malformed");
    client.key(next);
    client.order("a.example.com").is(201);
    // Each change is a durable row of the audit trail.
    Answer tooSoon = client.post(client.url("keyChange"), rollover(client, AcmeClient.newKey()));
    assertProblem(tooSoon, 429, "rateLimited");
    assertThat(Integer.parseInt(tooSoon.header("Retry-After"))).isBetween(1, 600);
    // The key of another account.
    AcmeClient other = registered();
    Answer conflict = other.post(other.url("keyChange"), rollover(other, next)).is(409);
    assertThat(conflict.header("Location")).isEqualTo(client.account());

    assertThat(
            client
                .post(client.account(), Map.of("status", "deactivated"))
                .is(200)
                .json()
                .path("status")
                .asString())
        .isEqualTo("deactivated");
    // RFC 8555 7.3.6.
    assertProblem(client.order("a.example.com"), 401, "unauthorized");
    assertProblem(client.byKey(url, Map.of("onlyReturnExisting", true)), 401, "unauthorized");
  }

  private static Map<String, String> rollover(AcmeClient client, KeyPair next) {
    return AcmeClient.jws(
        Map.of("alg", "ES256", "jwk", AcmeClient.jwk(next), "url", client.url("keyChange")),
        Map.of("account", client.account(), "oldKey", AcmeClient.jwk(client.key())),
        next);
  }

  @Test
  void finalize_csrThatDoesNotDo_badCsrAndTheOrderStaysReady() throws Exception {
    AcmeClient client = registered();
    Answer order = client.order("f.example.com").is(201);
    String finalizing = order.json().path("finalize").asString();

    assertProblem(
        client.post(finalizing, Map.of("csr", AcmeClient.encode(csr("g.example.com")))),
        400,
        "badCSR");
    assertProblem(
        client.post(finalizing, Map.of("csr", AcmeClient.encode(new byte[] {1, 2, 3}))),
        400,
        "badCSR");
    // The key of this account, and that of another one (RFC 8555 11.1).
    for (KeyPair key : List.of(client.key(), registered().key())) {
      byte[] ofAnAccount = Pkcs10.of(key, "f.example.com");
      assertProblem(
          client.post(finalizing, Map.of("csr", AcmeClient.encode(ofAnAccount))), 400, "badCSR");
    }
    byte[] forged = csr("f.example.com");
    forged[forged.length - 1] ^= 1;
    assertProblem(client.post(finalizing, Map.of("csr", AcmeClient.encode(forged))), 400, "badCSR");
    assertThat(client.post(order.header("Location"), null).is(200).json().path("status").asString())
        .isEqualTo("ready");
    byte[] csr = csr("f.example.com");
    JsonNode done = client.finish(order.header("Location"), finalizing, csr);
    assertThat(done.path("status").asString()).isEqualTo("valid");
    // Its answer may have been lost: the same again is the same order.
    assertThat(
            client
                .post(finalizing, Map.of("csr", AcmeClient.encode(csr)))
                .is(200)
                .json()
                .path("certificate")
                .asString())
        .isEqualTo(done.path("certificate").asString());
    assertProblem(
        client.post(finalizing, Map.of("csr", AcmeClient.encode(csr("f.example.com")))),
        403,
        "orderNotReady");
  }

  @Test
  void order_ofAnotherAccountOrNone_notFound() {
    AcmeClient client = registered();
    Answer order = client.order("o.example.com").is(201);
    AcmeClient other = registered();

    other.post(order.header("Location"), null).is(404);
    other.post(order.json().path("finalize").asString(), Map.of("csr", "AAAA")).is(404);
    other.post(order.json().path("authorizations").path(0).asString(), null).is(404);
    other.post(client.account(), null).is(403);
    other.post(client.url("newOrder").replace("new-order", "order/nothing"), null).is(404);
  }

  @Test
  void order_namesThatCannotBe_rejected() {
    AcmeClient client = registered();

    assertProblem(client.order("*.*.example.com"), 403, "rejectedIdentifier");
    assertProblem(client.order("münchen.example"), 403, "rejectedIdentifier");
    // The Kelvin sign, whose lower case is the letter k.
    assertProblem(client.order("\u212A.example"), 403, "rejectedIdentifier");
    assertProblem(client.order(), 400, "malformed");
    assertProblem(
        client.post(
            client.url("newOrder"),
            Map.of("identifiers", List.of(Map.of("type", "email", "value", "a@example.com")))),
        400,
        "unsupportedIdentifier");
    assertProblem(
        client.post(
            client.url("newOrder"),
            Map.of("identifiers", List.of(Map.of("type", "ip", "value", "192.0.2.1")))),
        403,
        "rejectedIdentifier");
  }

  @Test
  void binding_withANameSpace_boundsItsAccountsAndEndsThem() {
    Api admin = TRIAL.trial().api(0, "admin");
    admin
        .postJson(
            "/v1/acme-bindings",
            Map.of("endpoint", "trial", "requester", "team-a", "names", List.of("http://x")))
        .isProblem(400, "malformed-request");
    Answer made =
        admin
            .postJson(
                "/v1/acme-bindings",
                Map.of(
                    "endpoint",
                    "trial",
                    "requester",
                    "team-a",
                    "names",
                    List.of("*.corp.example"),
                    "single",
                    true))
            .is(201);
    String kid = made.json().path("kid").asString();
    String key = made.json().path("hmacKey").asString();
    AcmeClient client = client();
    client.register(kid, key).is(201);
    assertProblem(client().register(kid, key), 403, "unauthorized");

    client.order("a.b.corp.example").is(201);
    Answer outside = client.order("a.corp.example", "corp.example", "evil.example");
    assertProblem(outside, 403, "rejectedIdentifier");
    assertThat(outside.json().path("subproblems").size()).isEqualTo(2);
    Answer order = client.order("z.corp.example").is(201);
    assertThat(
            client
                .finish(
                    order.header("Location"),
                    order.json().path("finalize").asString(),
                    csr("z.corp.example"))
                .path("status")
                .asString())
        .isEqualTo("valid");

    Answer open = client.order("w.corp.example").is(201);
    admin.delete("/v1/acme-bindings/" + kid).is(204);
    admin.delete("/v1/acme-bindings/" + kid).is(204);
    assertProblem(
        client.post(
            open.json().path("finalize").asString(),
            Map.of("csr", AcmeClient.encode(csr("w.corp.example")))),
        403,
        "unauthorized");
    admin.delete("/v1/acme-bindings/unknown").isProblem(404, "not-found");
    assertProblem(client.order("y.corp.example"), 403, "unauthorized");
    assertThat(admin.get("/v1/acme-bindings").is(200).text())
        .contains(kid)
        .doesNotContain(key)
        .doesNotContain("hmacKey");
    TRIAL.trial().api(0, "enroll").get("/v1/acme-bindings").isProblem(403, "forbidden");
  }
}
