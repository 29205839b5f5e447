package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Every example of the OpenAPI document is sent as it stands there, and every answer of success
 * that the document knows is seen and is as its example says. {@link ExamplesTest} plants lies.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ExamplesIT {

  @RegisterExtension
  static final TrialExtension TRIAL =
      TrialExtension.own(
          folder -> {
            SoftToken token = SoftToken.make(folder.resolve("token"));
            return Trial.Options.token(1, token, token.hangingModule())
                .also("--public-url", TrialExtension.PUBLIC_URL)
                .with(
                    Map.of(
                        "SLUICE_CRL_SHARDS",
                        "2",
                        "SLUICE_CRL_DELTA_INTERVAL",
                        "10s",
                        // While it hangs, the token is not to be taken for lost.
                        "SLUICE_HSM_CALL_TIMEOUT",
                        "60s"));
          });

  private static final Map<String, String> FOUR_EYES =
      Map.of(
          "SLUICE_APPROVAL_ACTIONS",
          "profile-activation,endpoint-activation,bulk-revocation,credential-admin,issuer-install,"
              + "issuer-retirement");

  /** Some seconds on a machine at rest. */
  private static final Duration WITHIN = Duration.ofSeconds(60);

  private static final String CHAIN = "application/pem-certificate-chain";
  private static final String DER = "application/pkix-cert";
  private static final String KEY = "Idempotency-Key";
  private static final String PREFER = "Prefer";
  private static final String SERIAL = "serial";
  private static final String STATUS = "status";
  private static final String ASYNC = "async";
  private static final String CERTIFICATES = "certificates";

  private final JsonNode document = anybody().get("/v3/api-docs").is(200).json();
  private final Examples examples = new Examples(document);
  private int keys;

  private static Trial trial() {
    return TRIAL.trial();
  }

  private static Api alice() {
    return trial().api(0, "admin");
  }

  private static Api anybody() {
    return alice().anonymous();
  }

  private static SoftToken token() {
    return new SoftToken(trial().folder().resolve("token"));
  }

  private ExampleCall call(String operationId) {
    return examples.call(operationId);
  }

  /** Sends an example and has the answer judged. */
  private Answer run(ExampleCall call, Api by) {
    Answer answer = call.send(by);
    assertThat(examples.judge(call, answer)).as(answer.toString()).isEmpty();
    parse(answer);
    return answer;
  }

  private Answer run(String operationId, Api by) {
    return run(call(operationId), by);
  }

  /** A key of idempotency is used once; the documented one by the request that is sent as it is. */
  private String nextKey() {
    return "examples-" + ++keys;
  }

  /** What is no JSON is read by a parser that knows nothing of this product. */
  private static void parse(Answer answer) {
    switch (answer.mediaType()) {
      case CHAIN -> assertThat(certificates(answer.body())).isNotEmpty();
      case DER -> assertThat(Answer.certificate(answer.body()).getSerialNumber()).isPositive();
      case "application/pkix-crl" ->
          assertThat(RelyingParty.read(answer.body()).getNextUpdate()).isNotNull();
      case "application/ocsp-response" ->
          assertThat(ocsp(answer))
              .containsAnyOf("Responder Error: unauthorized (6)", "Response Status: successful");
      default -> {}
    }
  }

  private static List<?> certificates(byte[] pem) {
    try {
      return List.copyOf(
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(pem)));
    } catch (CertificateException e) {
      throw new AssertionError(e);
    }
  }

  private static String ocsp(Answer answer) {
    Path file = bytes(answer.body());
    return Program.of("openssl", "ocsp", "-respin", file, "-noverify", "-text").run().toString();
  }

  private static Path bytes(byte[] octets) {
    Path file = Csr.write(trial().folder(), "");
    try {
      return Files.write(file, octets);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  @Order(1)
  void everyExample_sentAsItStands_isAnsweredAsDocumented() {
    assertThat(examples.faults()).isEmpty();
    Api bob = requester("bob", List.of("ADMIN", "OFFICER"));
    Ceremony ceremony = new Ceremony(trial(), token());
    Path second = ceremony.issuingKey("second");

    documents();
    Api web = credentials();
    String serial = certificates(web);
    orders(web, serial);
    revocation(web, serial);
    status(serial);
    found();
    profiles();
    endpoints();
    bulk();
    String first = ceremony.certified(second);
    run(call("installIssuer").live(CERTIFICATES, first), alice()).is(201);
    run(call("installIssuer").live(CERTIFICATES, first), alice()).is(200);
    run(call("renewIssuer").live(CERTIFICATES, ceremony.certified(second)), alice()).is(200);

    trial().down().ok();
    trial().up(FOUR_EYES).ok();
    activationByTwo(bob);
    endpointByTwo(bob);
    run(call("registerCredential").saying("administrator"), alice()).is(202);
    revoke().is(202);
    run(call("renewIssuer").live(CERTIFICATES, ceremony.certified(second)), alice()).is(202);
    String third = ceremony.certified(ceremony.issuingKey("third"));
    run(call("installIssuer").live("name", "third").live(CERTIFICATES, third), alice()).is(202);
    Answer retirement = run("retireIssuer", alice()).is(202);
    Map<String, String> read = Map.of("sha256", retirement.json().path("sha256").asString());
    bob.postJson(retirement.header("Location") + "/approval", read).is(200);
    run("retireIssuer", alice()).is(200);

    assertThat(examples.left()).isEmpty();
    Evidence.note("%d operations: every example sent and answered".formatted(examples.size()));
  }

  private static Api requester(String name, List<String> roles) {
    return bearing(
        alice().postJson("/v1/credentials", Map.of("requester", name, "roles", roles)).is(201));
  }

  private static Api bearing(Answer registered) {
    return anybody().with(Api.bearer(registered.json().path("token").asString()));
  }

  private void documents() {
    run("getOpenApi", anybody());
    run("getProblemType", anybody());
    run("listIssuers", anybody());
    run("getIssuer", anybody());
    run("getChain", anybody());
    run("getIssuerCertificate", anybody());
    run("getCapacity", alice());
    Answer binding = run("addAcmeBinding", alice()).is(201);
    String kid = binding.locationEnd();
    requests(binding.json());
    run("listAcmeBindings", alice()).is(200);
    run(call("revokeAcmeBinding").live("kid", kid), alice()).is(204);
    run("exportAudit", requester("examiner", List.of("AUDITOR"))).is(200);
  }

  /** An order of ACME that waits for its CSR. */
  private void requests(JsonNode binding) {
    AcmeClient client = new AcmeClient(anybody(), binding.path("directory").asString());
    client.register(binding.path("kid").asString(), binding.path("hmacKey").asString()).is(201);
    String order = client.order("www.corp.example").is(201).locationEnd();
    run("listRequests", alice()).is(200);
    run(call("showRequest").live("id", order), alice()).is(200);
  }

  /** Returns who enrolls from now on: it has the token that the example's answer shows. */
  private Api credentials() {
    Api registered = bearing(run("registerCredential", alice()).is(201));
    Api web = bearing(run("rotateCredential", registered).is(201));
    run("listCredentials", alice());
    Answer other =
        alice()
            .postJson("/v1/credentials", Map.of("requester", "gone", "roles", List.of("AUDITOR")))
            .is(201);
    run(call("revokeCredential").live("id", other.json().path("id").asString()), alice()).is(204);
    return web;
  }

  /** Returns the serial number of one. */
  private String certificates(Api web) {
    String serial = run("enroll", web).is(201).locationEnd();
    run(call("renew").live(SERIAL, serial), web).is(201);
    for (String type : List.of(Api.JSON, CHAIN, DER)) {
      run(call("enroll").saying("pem").live(KEY, nextKey()).accepting(type), web).is(201);
      run(
              call("renew").saying("pem").live(SERIAL, serial).live(KEY, nextKey()).accepting(type),
              web)
          .is(201);
      run(call("getCertificate").live(SERIAL, serial).accepting(type), web);
    }
    Answer batch = run("enrollBatch", web);
    assertThat(DocumentedOperation.lines(batch.text()))
        .hasSize(2)
        .allSatisfy(line -> assertThat(line.path(STATUS).asInt()).isEqualTo(201));
    return serial;
  }

  /**
   * While the token hangs nothing can be signed, so an order stays pending until it is cancelled.
   */
  private void orders(Api web, String serial) {
    run(call("getOrder").live("id", serial), web);
    token().hang();
    try {
      Answer order = run(call("enroll").choosing(PREFER, ASYNC).live(KEY, nextKey()), web).is(202);
      run(call("renew").choosing(PREFER, ASYNC).live(SERIAL, serial).live(KEY, nextKey()), web)
          .is(202);
      ExampleCall get = call("getOrder").live("id", order.locationEnd());
      assertThat(run(get, web).json().path(STATUS).asString()).isEqualTo("pending");

      run(call("cancelOrder").live("id", order.locationEnd()), web);

      assertThat(run(get, web).json().path(STATUS).asString()).isEqualTo("failed");
    } finally {
      token().release();
    }
  }

  private void revocation(Api web, String serial) {
    run(call("revokeCertificate").saying("hold").live(SERIAL, serial), alice());
    run(call("releaseCertificate").live(SERIAL, serial), alice());
    run(call("revokeCertificate").live(SERIAL, serial), alice());
    Answer revoked = run(call("getCertificate").live(SERIAL, serial), web);
    assertThat(revoked.json().path("revocation").path("reason").asString())
        .isEqualTo("keyCompromise");
  }

  /** The first of each shard and delta come in their turn. */
  private void status(String serial) {
    for (String crl : List.of("getCrl", "getCrlShard", "getDeltaCrl", "getDeltaCrlShard")) {
      Poll.until(crl, WITHIN, () -> call(crl).send(anybody()).status() == 200);
      run(crl, anybody());
    }
    // The documented question is of another CA's certificate; this one of this trial's.
    Path question = Csr.write(trial().folder(), "");
    Program.Ended ignored =
        Program.of(
                "openssl",
                "ocsp",
                "-no_nonce",
                "-issuer",
                trial().data().resolve("chain.pem"),
                "-serial",
                "0x" + serial,
                "-reqout",
                question)
            .run();
    String base64 = Base64.getEncoder().encodeToString(Csr.read(question));
    for (String operation : List.of("askOcsp", "getOcspResponse")) {
      assertThat(ocsp(run(operation, anybody()))).contains("unauthorized (6)");
      Poll.until(
          operation + " tells of the revocation",
          WITHIN,
          () ->
              ocsp(run(call(operation).live("request", base64), anybody()))
                  .contains("Cert Status: revoked"));
    }
  }

  /** What was issued a moment ago is found some hundred milliseconds later. */
  private void found() {
    Map<String, String> lists = Map.of("findCertificates", CERTIFICATES, "reportExpiry", "lines");
    lists.forEach(
        (operation, list) -> {
          Poll.until(
              operation, WITHIN, () -> !call(operation).send(alice()).json().path(list).isEmpty());
          run(operation, alice());
        });
  }

  private void profiles() {
    run("listProfiles", anybody());
    run("checkProfile", alice()).is(200);
    run("addProfileVersion", alice()).is(201);
    run("addProfileVersion", alice()).is(200);
    run("getProfileVersion", alice());
    run("activateProfileVersion", alice()).is(200);
    run("listProfileVersions", alice());
    run("deactivateProfile", alice()).is(204);
  }

  /** Leaves it active. */
  private void endpoints() {
    run("checkEndpoint", alice()).is(200);
    run("addEndpointVersion", alice()).is(201);
    run("addEndpointVersion", alice()).is(200);
    run("getEndpointVersion", alice());
    run("activateEndpointVersion", alice()).is(200);
    Poll.until(
        "it is served", WITHIN, () -> anybody().get("/acme/internal/directory").status() == 200);
    run("listEndpointVersions", alice());
    run("listEndpoints", alice());
    run("deactivateEndpoint", alice()).is(204);
    run(call("activateEndpointVersion").live("replaces", "2"), alice()).is(200);
  }

  private void endpointByTwo(Api bob) {
    Answer off = run("deactivateEndpoint", alice()).is(202);
    Map<String, String> read = Map.of("sha256", off.json().path("sha256").asString());
    bob.postJson(off.header("Location") + "/approval", read).is(200);
    run(call("activateEndpointVersion").live("replaces", "4"), alice()).is(202);
  }

  private void bulk() {
    String location = revoke().is(202).header("Location");
    Poll.until(
        "the job ends",
        WITHIN,
        () -> alice().get(location).json().path(STATUS).asString().equals("done"));
    String id = location.substring(location.lastIndexOf('/') + 1);
    run(call("getBulkRevocation").live("id", id), alice());
  }

  /** A dry run, and what it has counted. */
  private Answer revoke() {
    Answer shown = run("revokeMany", alice()).is(200);
    return run(
        call("revokeMany")
            .saying("revoke")
            .live("confirmation", shown.json().path("confirmation").asString()),
        alice());
  }

  private void activationByTwo(Api bob) {
    Answer withdrawn = activation();
    run(call("withdrawApproval").live("id", withdrawn.locationEnd()), alice());
    decide("refuseAction", activation(), bob);
    Answer asked = activation();
    run("listApprovals", alice());
    run(call("getApproval").live("id", asked.locationEnd()), alice());
    assertThat(decide("approveAction", asked, bob).json().path(STATUS).asString())
        .isEqualTo("done");
    run("deactivateProfile", alice()).is(202);
  }

  private Answer activation() {
    String seen =
        alice()
            .get("/v1/profiles/tls-server/versions")
            .is(200)
            .json()
            .path("active")
            .path("activation")
            .asString();
    return run(call("activateProfileVersion").live("replaces", seen), alice()).is(202);
  }

  private Answer decide(String operation, Answer asked, Api by) {
    return run(
        call(operation)
            .live("id", asked.locationEnd())
            .live("sha256", asked.json().path("sha256").asString()),
        by);
  }

  /** A request that the document calls an example, and that is refused, does not pass. */
  @Test
  @Order(2)
  void badExample_refused_foundOut() {
    ObjectNode enrollment =
        (ObjectNode)
            document.at(
                "/paths/~1v1~1certificates/post/requestBody/content/application~1json"
                    + "/examples/json/value");
    String csr = enrollment.path("csr").asString();
    enrollment.put("csr", withOtherSignature(csr));
    ExampleCall call = call("enroll").live(KEY, nextKey());
    Api web =
        bearing(
            alice()
                .postJson(
                    "/v1/credentials",
                    Map.of(
                        "requester",
                        "web-2",
                        "roles",
                        List.of("REQUESTER"),
                        "profiles",
                        List.of("tls-server")))
                .is(201));

    assertThat(examples.judge(call, call.send(web)))
        .singleElement()
        .asString()
        .startsWith("enroll: no success is documented as 4");

    // The key of the document's own request has been reported as compromised by its examples.
    byte[] other = Csr.openssl(trial().folder(), Csr.KeyType.EC_P256, "www.example.com").pemBytes();
    enrollment.put("csr", new String(other, StandardCharsets.US_ASCII));
    ExampleCall mended = call("enroll").live(KEY, nextKey());
    assertThat(examples.judge(mended, mended.send(web))).isEmpty();
  }

  private static String withOtherSignature(String csr) {
    int at = csr.indexOf("\n-----END") - 12;
    return csr.substring(0, at) + (csr.charAt(at) == 'A' ? 'B' : 'A') + csr.substring(at + 1);
  }
}
