package org.sluiceca.blackbox;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Profiles stored and activated while two nodes run: what one node stores, the other issues by. */
@ResourceLock(TrialExtension.TWO_NODES)
class ProfileVersionIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.sharedPair();

  private static final String YAML = "application/yaml";

  /** Two seconds and a pass, on a machine at rest; the evidence has what it was. */
  private static final Duration TAKEN_UP_WITHIN = Duration.ofSeconds(60);

  private static final String DEVICE =
      """
      name: %s
      version: %d
      description: Devices, of a test
      use: enrollment
      issuer: issuing
      validity: {duration: P%dD, backdate: PT5M, clampToIssuer: true}
      subject: {required: [common_name]}
      key: {algorithms: [ec_p256]}
      subjectAltName: {forms: [dns, uri], countMax: 20}
      extensions:
        keyUsage: [digital_signature]
        extendedKeyUsage: [client_auth]
        ca: false
        revocation: crl
      """;

  private static Api admin(int node) {
    return TRIAL.trial().api(node, "admin");
  }

  private static Answer add(String yaml) {
    return admin(0).post("/v1/profiles", YAML, Api.ascii(yaml));
  }

  private static Answer check(int node, String yaml) {
    return admin(node).post("/v1/profiles:check", YAML, Api.ascii(yaml));
  }

  /** Answers a check and an addition alike, and gives the latter. */
  private static Answer refused(String yaml) {
    Answer checked = check(0, yaml);
    Answer added = add(yaml);
    assertThat(added.status()).isGreaterThanOrEqualTo(400);
    assertThat(checked.status()).isEqualTo(added.status());
    for (String member : List.of("type", "title", "detail")) {
      assertThat(checked.json().path(member)).isEqualTo(added.json().path(member));
    }
    return added;
  }

  private static Answer activate(int node, String name, String body) {
    return admin(node)
        .with("Content-Type", Api.JSON)
        .send("PUT", "/v1/profiles/" + name + "/active", BodyPublishers.ofString(body));
  }

  /** A requester that has this role alone. */
  private static Api with(String role) {
    Answer registered =
        admin(0)
            .postJson(
                "/v1/credentials",
                Map.of(
                    "requester", role.toLowerCase(Locale.ROOT) + "-only", "roles", List.of(role)))
            .is(201);
    return admin(0).anonymous().with(Api.bearer(registered.json().path("token").asString()));
  }

  private static byte[] csr() {
    return Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "device.example.com")
        .pemBytes();
  }

  private static long days(X509Certificate certificate) {
    // RFC 5280 4.1.2.5: notAfter is the last second of it.
    return Duration.between(
            certificate.getNotBefore().toInstant(), certificate.getNotAfter().toInstant())
        .plusSeconds(1)
        .toDays();
  }

  private static long daysAt(int node) {
    return days(TRIAL.trial().api(node, "enroll").enroll("device", csr()).is(201).certificate());
  }

  /** The digest of the node's own file. */
  private static String fileAt(int node) {
    return admin(node)
        .get("/v1/profiles/device/versions")
        .is(200)
        .json()
        .path("file")
        .path("digest")
        .asString();
  }

  @Test
  void activate_onOneNode_theOtherIssuesByItWithinSeconds_andBackAgain() throws IOException {
    String pids = TRIAL.trial().read("node-0.pid") + TRIAL.trial().read("node-1.pid");
    assertThat(daysAt(1)).isGreaterThan(800);

    Answer stored = add(DEVICE.formatted("device", 2, 30)).is(201);
    assertThat(stored.header("Location")).isEqualTo("/v1/profiles/device/versions/2");
    assertThat(admin(1).get("/v1/profiles/device/versions/2").is(200).text())
        .isEqualTo(DEVICE.formatted("device", 2, 30));
    assertThat(daysAt(0)).isGreaterThan(800);
    String ownFile = fileAt(0);

    activate(0, "device", "{\"version\":2,\"replaces\":0}").is(200);
    Duration took = Poll.until("node 1 issues by it", TAKEN_UP_WITHIN, () -> daysAt(1) == 30);
    Evidence.note("an activated profile was in force on the other node after " + took);
    Poll.until("node 0 too", TAKEN_UP_WITHIN, () -> daysAt(0) == 30);
    for (int node = 0; node < 2; node++) {
      Answer versions = admin(node).get("/v1/profiles/device/versions").is(200);
      assertThat(versions.json().path("issuing").asInt()).isEqualTo(2);
      assertThat(versions.json().path("active").path("version").asInt()).isEqualTo(2);
      assertThat(versions.json().has("refused")).isFalse();
      // What going back would lead to, whatever issues now.
      assertThat(fileAt(node)).isEqualTo(ownFile).matches("[0-9a-f]{64}");
    }
    // An activation that expects an older version is a conflict.
    activate(1, "device", "{\"version\":2,\"replaces\":0}").isProblem(409, "/conflict");

    Path file = Csr.write(TRIAL.trial().folder(), DEVICE.formatted("device", 3, 60));
    TRIAL.trial().sluice("profile", "add", file.toString()).run().ok();
    TRIAL.trial().sluice("profile", "activate", "device", "3").run().ok();
    assertThat(TRIAL.trial().sluice("profile", "versions", "device").run().ok().text())
        .containsPattern("\\* +3 ");
    Poll.until("node 1 issues by 3", TAKEN_UP_WITHIN, () -> daysAt(1) == 60);

    TRIAL.trial().sluice("profile", "file", "device").run().ok();
    Poll.until("node 1 issues by its file", TAKEN_UP_WITHIN, () -> daysAt(1) > 800);
    assertThat(TRIAL.trial().read("node-0.pid") + TRIAL.trial().read("node-1.pid")).isEqualTo(pids);
  }

  /** A profile that no file has: it can be granted, used, and kept over a restart. */
  @Test
  void add_newProfile_usedAndThereAfterARestart() {
    add(DEVICE.formatted("meter", 2, 20)).is(201);
    activate(0, "meter", "{\"version\":2}").is(200);
    Poll.until(
        "both know it",
        TAKEN_UP_WITHIN,
        () ->
            admin(0).get("/v1/profiles").text().contains("\"meter\"")
                && admin(1).get("/v1/profiles").text().contains("\"meter\""));
    Answer registered =
        admin(0)
            .postJson(
                "/v1/credentials",
                Map.of(
                    "requester",
                    "meters",
                    "roles",
                    List.of("REQUESTER"),
                    "profiles",
                    List.of("meter")))
            .is(201);
    Api meters = admin(1).anonymous().with(Api.bearer(registered.json().path("token").asString()));
    assertThat(days(meters.enroll("meter", csr()).is(201).certificate())).isEqualTo(20);

    TRIAL.trial().kill(1);
    TRIAL.trial().up().ok();

    assertThat(days(meters.enroll("meter", csr()).is(201).certificate())).isEqualTo(20);
  }

  @Test
  void addAndCheck_whatMayNotIssue_refusedAlikeAndNothingStored() {
    refused(DEVICE.formatted("odd", 2, 30).replace("issuer: issuing", "issuer: nobody"))
        .isProblem(422, "/invalid-profile");
    refused(DEVICE.formatted("odd", 2, 30).replace("ca: false", "ca: true"))
        .isProblem(422, "/invalid-profile");
    refused(DEVICE.formatted("odd", 2, 30).replace("use: enrollment", "use: ceremony"))
        .isProblem(422, "/invalid-profile");
    refused(DEVICE.formatted("odd", 1, 30)).isProblem(422, "/invalid-profile");
    refused("not a profile").isProblem(422, "/invalid-profile");
    refused("# " + "x".repeat(64 * 1024)).isProblem(413, "/body-too-large");
    admin(0)
        .post("/v1/profiles", Api.JSON, Api.ascii("{}"))
        .isProblem(415, "/unsupported-media-type");
    admin(0).get("/v1/profiles/odd/versions").isProblem(404, "/not-found");

    add(DEVICE.formatted("taken", 2, 30)).is(201);
    add(DEVICE.formatted("taken", 2, 30)).is(200);
    refused(DEVICE.formatted("taken", 2, 31)).isProblem(409, "/conflict");
    activate(0, "taken", "{\"version\":3}").isProblem(404, "/not-found");
    activate(0, "taken", "{}").isProblem(400, "/malformed-request");
    admin(0).send("DELETE", "/v1/profiles/taken/active", BodyPublishers.noBody()).is(404);
  }

  @Test
  void check_soundFile_saysWhatItAllowsAndStoresNothing() throws IOException {
    String yaml = DEVICE.formatted("tried", 2, 30);
    for (int node = 0; node < 2; node++) {
      Answer checked = check(node, yaml).is(200);
      assertThat(checked.json().path("stored").asBoolean()).isFalse();
      assertThat(checked.json().path("validity").path("duration").asString()).isEqualTo("PT720H");
    }
    admin(0).get("/v1/profiles/tried/versions").isProblem(404, "/not-found");

    Path file = Csr.write(TRIAL.trial().folder(), yaml);
    assertThat(TRIAL.trial().sluice("profile", "check", file.toString()).run().ok().text())
        .contains("tried", "30 days", "ec_p256", "dns or uri, at most 20");
    assertThat(
            TRIAL.trial().sluice("profile", "check", file.toString(), "--json").run().ok().text())
        .contains("\"stored\":false");
    Path faulty = Csr.write(TRIAL.trial().folder(), yaml.replace("ca: false", "cs: false"));
    Program.Ended refused = TRIAL.trial().sluice("profile", "lint", faulty.toString()).run();
    assertThat(refused.status()).isEqualTo(1);
    assertThat(refused.errors()).contains("there is no key extensions.cs: did you mean ca?");

    add(yaml).is(201);
    assertThat(check(1, yaml).is(200).json().path("stored").asBoolean()).isTrue();
  }

  /** Files of a hand that means harm: bounded, answered as by an addition, and never a failure. */
  @Test
  void check_hostileFile_refusedAsAdditionsAre() {
    for (String yaml :
        List.of(
            "a: &a [*a, *a, *a, *a]\n",
            "&a name: *a\n",
            "x: &x {y: *x}\n" + DEVICE.formatted("odd", 2, 30),
            DEVICE
                .formatted("odd", 2, 30)
                .replace("name: odd", "name: &odd odd")
                .replace("Devices, of a test", "*odd"),
            "[".repeat(20_000),
            "{a: ".repeat(10_000),
            "- ".repeat(30_000),
            DEVICE.formatted("odd", 2, 30) + "surplus: 1\n",
            DEVICE.formatted("odd", 2, 30) + "name: odd\n",
            DEVICE.formatted("odd", 2, 30).replace("P30D", "P99999999999D"),
            DEVICE.formatted("odd", 2, 30).replace("version: 2", "version: 99999999999999999999"),
            "!!java.net.URL [\"http://localhost/\"]\n",
            " ",
            "---\n...\n")) {
      refused(yaml).isProblem(422, "/invalid-profile");
    }
    byte[] latin1 =
        DEVICE.formatted("odd", 2, 30).replace("Devices", "Ger\u00e4te").getBytes(ISO_8859_1);
    byte[] utf16 = DEVICE.formatted("odd", 2, 30).replace("Devices", "\0").getBytes(UTF_16);
    for (byte[] octets : List.of(latin1, utf16, new byte[] {(byte) 0xff, 0, (byte) 0xc0})) {
      admin(0).post("/v1/profiles:check", YAML, octets).isProblem(422, "/invalid-profile");
      admin(0).post("/v1/profiles", YAML, octets).isProblem(422, "/invalid-profile");
    }
    admin(0).get("/v1/profiles:check").is(405);
    admin(0).post("/v1/profiles:check", Api.JSON, Api.ascii("{}")).is(415);
  }

  @Test
  void anybodyElse_forbidden() {
    Api enroller = TRIAL.trial().enroller();
    enroller
        .post("/v1/profiles", YAML, Api.ascii(DEVICE.formatted("mine", 2, 30)))
        .isProblem(403, "/forbidden");
    enroller
        .post("/v1/profiles:check", YAML, Api.ascii(DEVICE.formatted("mine", 2, 30)))
        .isProblem(403, "/forbidden");
    enroller
        .anonymous()
        .post("/v1/profiles:check", YAML, Api.ascii("x"))
        .isProblem(401, "/unauthenticated");
    with("AUDITOR")
        .post("/v1/profiles:check", YAML, Api.ascii(DEVICE.formatted("mine", 2, 30)))
        .is(200);
    with("OFFICER").post("/v1/profiles:check", YAML, Api.ascii("x")).isProblem(403, "/forbidden");
    with("AUDITOR").post("/v1/profiles", YAML, Api.ascii("x")).isProblem(403, "/forbidden");
    enroller
        .with("Content-Type", Api.JSON)
        .send("PUT", "/v1/profiles/device/active", BodyPublishers.ofString("{\"version\":2}"))
        .isProblem(403, "/forbidden");
    enroller.delete("/v1/profiles/device/active").isProblem(403, "/forbidden");
    enroller.get("/v1/profiles/device/versions").isProblem(403, "/forbidden");
    enroller.anonymous().get("/v1/profiles/device/versions").isProblem(401, "/unauthenticated");
    enroller.anonymous().get("/v1/profiles").is(200);
  }
}
