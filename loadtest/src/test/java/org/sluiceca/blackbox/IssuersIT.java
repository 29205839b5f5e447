package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/**
 * A second issuer over two nodes: installed, renewed, retired by two people; its leaves live on.
 */
class IssuersIT {

  @RegisterExtension
  static final TrialExtension TRIAL =
      TrialExtension.own(
          folder ->
              new Trial.Options(2, List.of("--public-url", TrialExtension.PUBLIC_URL), Map.of()));

  /** Some seconds on a machine at rest; the evidence has what it was. */
  private static final Duration WITHIN = Duration.ofSeconds(60);

  private static final String PROFILE = "second-client";
  private static final String RETIREMENT = "/v1/issuers/%s/retirement";
  private static final String CERTIFICATES = "certificates";

  private static Trial trial() {
    return TRIAL.trial();
  }

  private static Api alice(int node) {
    return trial().api(node, "admin");
  }

  private static Answer retirement(int node, String name) {
    return alice(node).postJson(RETIREMENT.formatted(name), Map.of("name", name));
  }

  private static JsonNode second(int node) {
    return alice(node).get("/v1/issuers/second").is(200).json();
  }

  private static Answer register(String name, List<String> roles, List<String> profiles) {
    return alice(0)
        .postJson(
            "/v1/credentials", Map.of("requester", name, "roles", roles, "profiles", profiles))
        .is(201);
  }

  private static Api bearing(Answer registered, int node) {
    return alice(node).anonymous().with(Api.bearer(registered.json().path("token").asString()));
  }

  private static byte[] csr() {
    return Csr.openssl(trial().folder(), Csr.KeyType.EC_P256, "second.example.com").pemBytes();
  }

  /** The shipped profiles, and one of the second issuer. */
  private static Path profiles() throws IOException {
    Path shipped = Checkout.launcher().resolveSibling("ca-api/src/main/resources/profiles");
    Path folder = Files.createDirectory(trial().folder().resolve("profiles"));
    try (Stream<Path> files = Files.list(shipped)) {
      for (Path file : files.toList()) {
        Files.copy(file, folder.resolve(file.getFileName()));
      }
    }
    Files.writeString(
        folder.resolve(PROFILE + ".yaml"),
        Files.readString(shipped.resolve("tls-client.yaml"))
            .replace("name: tls-client", "name: " + PROFILE)
            .replace("issuer: issuing", "issuer: second"));
    return folder;
  }

  private static void restart(Map<String, String> environment) {
    trial().down().ok();
    trial().up(environment).ok();
  }

  private static void assertVerifies(X509Certificate leaf, String chain) throws Exception {
    Path file = Csr.write(trial().folder(), "");
    Files.write(file, leaf.getEncoded());
    Program.of(
            "openssl",
            "verify",
            "-x509_strict",
            "-CAfile",
            trial().data().resolve("root.pem"),
            "-untrusted",
            Csr.write(trial().folder(), chain),
            file)
        .run()
        .ok();
  }

  @Test
  void second_installedRenewedRetired() throws Exception {
    Answer bob = register("bob", List.of("ADMIN"), List.of());
    Ceremony ceremony = new Ceremony(trial());
    Path csr = ceremony.issuingKey("second");
    String first = ceremony.certified(csr);
    refusals(first);

    Path chain = Csr.write(trial().folder(), first);
    trial().sluice("issuer", "install", "second", chain.toString()).run().ok();
    installedAndNotYetInService(first);

    ceremony.responder("second");
    Map<String, String> environment =
        Map.of(
            "SLUICE_PROFILES",
            profiles().toString(),
            "SLUICE_APPROVAL_ACTIONS",
            "issuer-retirement,credential-admin");
    restart(environment);
    Answer registered = register("seconds", List.of("REQUESTER"), List.of(PROFILE));
    X509Certificate old = bearing(registered, 1).enroll(PROFILE, csr()).is(201).certificate();
    assertVerifies(old, first);
    assertThat(second(1).path("inService").asBoolean()).isTrue();

    String later = renew(ceremony, csr);
    restart(environment);
    X509Certificate fresh = bearing(registered, 0).enroll(PROFILE, csr()).is(201).certificate();
    for (String certificates : List.of(first, later)) {
      assertVerifies(old, certificates);
      assertVerifies(fresh, certificates);
    }
    assertThat(second(0).path("restartNeeded").asBoolean()).isFalse();
    assertThat(Api.plain(trial().plain(1)).get("/issuers/second.cer").is(200).body())
        .isEqualTo(Answer.certificate(Api.ascii(later)).getEncoded());

    retire(bob, registered);
    revocationGoesOn(registered, old, later);
    restart(environment);
    isRefused(registered);
    assertThat(trial().api(0, "enroll").enroll("tls-client", csr()).status()).isEqualTo(201);
    revocationGoesOn(registered, fresh, later);
    crlsComeInTheirTurn();
    certificateAndOcspGoOn(later);
  }

  /** Nothing of this leaves a trace. */
  private static void refusals(String chain) {
    Map<String, String> wish = Map.of("name", "second", CERTIFICATES, chain);
    trial().enroller().postJson("/v1/issuers", wish).isProblem(403, "/forbidden");
    trial()
        .enroller()
        .postJson(RETIREMENT.formatted("issuing"), Map.of("name", "issuing"))
        .isProblem(403, "/forbidden");
    alice(0).anonymous().postJson("/v1/issuers", wish).isProblem(401, "/unauthenticated");
    alice(0)
        .postJson("/v1/issuers", Map.of("name", "other", CERTIFICATES, chain))
        .isProblem(422, "/invalid-issuer");
    alice(0)
        .postJson("/v1/issuers", Map.of("name", "second", CERTIFICATES, trial().read("chain.pem")))
        .isProblem(422, "/invalid-issuer");
    alice(0).postJson("/v1/issuers", Map.of("name", "second")).isProblem(400, "/malformed-request");
    alice(0)
        .postJson("/v1/issuers/issuing/certificate", Map.of(CERTIFICATES, chain))
        .isProblem(422, "/invalid-issuer");
    retirement(0, "nobody").isProblem(404, "/not-found");
    retirement(0, "issuing").isProblem(409, "/conflict");
    retirement(0, "root").isProblem(409, "/conflict");
    for (Map<String, String> malformed :
        List.of(Map.<String, String>of(), Map.of("name", "root"))) {
      alice(0)
          .postJson(RETIREMENT.formatted("issuing"), malformed)
          .isProblem(400, "/malformed-request");
    }
    for (String ofForms :
        List.of(
            "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain")) {
      alice(0)
          .post(RETIREMENT.formatted("issuing"), ofForms, Api.ascii("{\"name\":\"issuing\"}"))
          .isProblem(415, "/unsupported-media-type");
    }
    assertThat(rows("issuer.install")).isZero();
    assertThat(alice(0).get("/v1/issuers?state=all").is(200).text()).doesNotContain("second");
  }

  private static void installedAndNotYetInService(String chain) {
    Map<String, String> wish = Map.of("name", "second", CERTIFICATES, chain);
    // The other node has perhaps not looked since.
    assertThat(alice(1).postJson("/v1/issuers", wish).is(200).json().path("name").asString())
        .isEqualTo("second");
    Answer again = alice(0).postJson("/v1/issuers", wish).is(200);
    assertThat(again.header("Location")).isEqualTo("/v1/issuers/second");
    assertThat(again.json().path("state").asString()).isEqualTo("active");
    assertThat(again.json().path("inService").asBoolean()).isFalse();
    assertThat(again.json().path("restartNeeded").asBoolean()).isTrue();
    Poll.until(
        "the other node knows",
        WITHIN,
        () -> alice(1).get("/v1/issuers?state=all").text().contains("\"second\""));
    assertThat(alice(1).get("/v1/issuers").is(200).text()).doesNotContain("\"second\"");
    assertThat(trial().sluice("issuer", "list").run().ok().text())
        .containsPattern("second +active +from the next start");
    assertThat(rows("issuer.install")).isOne();
  }

  /** Its successor ends as late or later, for the same key and name. */
  private static String renew(Ceremony ceremony, Path csr) {
    String later = ceremony.certified(csr);
    Path chain = Csr.write(trial().folder(), later);
    trial().sluice("issuer", "renew", "second", chain.toString()).run().ok();
    assertThat(second(0).path("inService").asBoolean()).isTrue();
    assertThat(second(0).path("restartNeeded").asBoolean()).isTrue();
    assertThat(rows("issuer.renew")).isOne();
    return later;
  }

  private static void retire(Answer bob, Answer registered) {
    Answer asked = retirement(0, "second").is(202);
    assertThat(asked.json().path("action").asString()).isEqualTo("issuer-retirement");
    assertThat(second(0).path("state").asString()).isEqualTo("active");
    bearing(registered, 1).enroll(PROFILE, csr()).is(201);
    Map<String, String> read = Map.of("sha256", asked.json().path("sha256").asString());
    alice(1).postJson(asked.header("Location") + "/approval", read).isProblem(403, "/forbidden");

    JsonNode done =
        bearing(bob, 1).postJson(asked.header("Location") + "/approval", read).is(200).json();

    assertThat(done.path("status").asString()).isEqualTo("done");
    // Done by the other node, and reported at once.
    assertThat(retirement(0, "second").is(200).json().path("state").asString())
        .isEqualTo("retired");
    assertThat(rows("issuer.retire")).isOne();
    isRefused(registered);
  }

  private static void isRefused(Answer registered) {
    for (int node = 0; node < 2; node++) {
      Api requester = bearing(registered, node);
      Duration took =
          Poll.until(
              "node " + node + " issues no more",
              WITHIN,
              () -> requester.enroll(PROFILE, csr()).status() == 404);
      Evidence.note("a retired issuer issued no more on node " + node + " after " + took);
      requester.enroll(PROFILE, csr()).isProblem(404, "/unknown-profile");
      assertThat(second(node).path("state").asString()).isEqualTo("retired");
      assertThat(Api.plain(trial().management(node)).get("/actuator/health").text())
          .contains("its issuer second is retired");
    }
  }

  private static void revocationGoesOn(Answer registered, X509Certificate leaf, String chain) {
    String serial = "%038x".formatted(leaf.getSerialNumber());
    bearing(registered, 0)
        .postJson(Api.CERTIFICATES + "/" + serial + "/revocation", Map.of("reason", "superseded"))
        .is(200);
    Poll.until(
        "it is on the CRL",
        WITHIN,
        () ->
            new RelyingParty(trial()).crl(1, "/crl/second.crl").getRevokedCertificate(leaf)
                != null);
    Path issuer = Csr.write(trial().folder(), chain);
    Poll.until(
        "OCSP tells",
        WITHIN,
        () -> {
          Program.Ended ocsp = ocsp(serial, issuer);
          return ocsp.text().contains("revoked") && ocsp.errors().contains("verify OK");
        });
  }

  private static Program.Ended ocsp(String serial, Path issuer) {
    return Program.of(
            "openssl",
            "ocsp",
            "-issuer",
            issuer,
            "-serial",
            "0x" + serial,
            "-CAfile",
            trial().data().resolve("root.pem"),
            "-verify_other",
            issuer,
            "-url",
            trial().plain(1) + "/ocsp")
        .run();
  }

  /** Without a revocation, by time alone: the last CRL is made to look as old as a period. */
  private static void crlsComeInTheirTurn() {
    BigInteger last = crlNumber();

    LedgerRows.damage(
        trial(),
        """
        UPDATE crl SET this_update = this_update - interval '1 hour'
        WHERE issuer = ? AND number = (
          SELECT max(number) FROM crl_signature WHERE issuer = 'second')
        """,
        "second");

    Poll.until("the next CRL", WITHIN, () -> crlNumber().compareTo(last) > 0);
  }

  private static BigInteger crlNumber() {
    byte[] value =
        new RelyingParty(trial()).crl(1, "/crl/second.crl").getExtensionValue("2.5.29.20");
    return new BigInteger(1, Arrays.copyOfRange(value, 4, value.length));
  }

  private static void certificateAndOcspGoOn(String chain) {
    assertThat(alice(1).get("/v1/issuers").is(200).text()).doesNotContain("\"second\"");
    Api.plain(trial().plain(1)).get("/issuers/second.cer").is(200);
    Program.Ended ocsp = ocsp("01", Csr.write(trial().folder(), chain));
    assertThat(ocsp.text()).contains("0x01: unknown");
    assertThat(ocsp.errors()).contains("Response verify OK");
  }

  private static long rows(String kind) {
    return LedgerRows.count(
        trial(), "SELECT count(*) FROM audit_event WHERE kind = '" + kind + "'");
  }
}
