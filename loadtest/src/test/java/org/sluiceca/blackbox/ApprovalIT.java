package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** Four eyes over two nodes: asked for on one, approved on the other, done once, seen by both. */
class ApprovalIT {

  @RegisterExtension
  static final TrialExtension TRIAL = TrialExtension.own(folder -> Trial.Options.nodes(2));

  /** Some seconds on a machine at rest; the evidence has what it was. */
  private static final Duration WITHIN = Duration.ofSeconds(60);

  private static final Map<String, String> FOUR_EYES =
      Map.of(
          "SLUICE_APPROVAL_ACTIONS",
          "profile-activation,endpoint-activation,bulk-revocation,credential-admin");

  private static final String PROFILE =
      """
      name: watched
      version: 2
      description: Of a test
      use: enrollment
      issuer: issuing
      validity: {duration: P10D, backdate: PT5M}
      subject: {required: [common_name]}
      key: {algorithms: [ec_p256]}
      extensions: {keyUsage: [digital_signature], extendedKeyUsage: [client_auth], revocation: crl}
      """;

  private static final String ENDPOINT =
      """
      name: watched
      protocol: acme
      version: 2
      profiles: [tls-server]
      external-account-binding: required
      """;

  private static Api alice(int node) {
    return TRIAL.trial().api(node, "admin");
  }

  /** A person with a key that no other has, and a certificate for it. */
  private record Person(Csr csr, String chain) {

    static Person enrolled(String name) {
      Csr csr = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, name);
      return new Person(
          csr,
          TRIAL
              .trial()
              .enroller()
              .with("Accept", "application/pem-certificate-chain")
              .enroll("tls-client", csr.pemBytes())
              .is(201)
              .text());
    }

    Api at(int node) {
      return Api.trusting(
          TRIAL.trial().https(node),
          TRIAL.trial().data().resolve("root.pem"),
          csr.pkcs12(TRIAL.trial().folder(), chain));
    }

    /** SHA-256 of the public key, as its holder's openssl prints it. */
    String fingerprint() {
      byte[] der =
          Program.of("openssl", "pkey", "-in", csr.key(), "-pubout", "-outform", "DER")
              .run()
              .ok()
              .bytes();
      try {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(der));
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static Answer register(Api by, String name, List<String> roles, Person person) {
    return by.postJson(
        "/v1/credentials",
        Map.of("requester", name, "roles", roles, "certificate", person.chain()));
  }

  private static Answer registerToken(Api by, String name, List<String> roles) {
    return by.postJson("/v1/credentials", Map.of("requester", name, "roles", roles));
  }

  private static Answer decide(Api by, Answer asked, String what) {
    return by.postJson(
        asked.header("Location") + "/" + what,
        Map.of("sha256", asked.json().path("sha256").asString()));
  }

  private static Answer activate(Api by) {
    return by.with("Content-Type", Api.JSON)
        .send("PUT", "/v1/profiles/watched/active", BodyPublishers.ofString("{\"version\":2}"));
  }

  private static int startsOfJobs() {
    return Math.toIntExact(
        LedgerRows.count(TRIAL.trial(), "SELECT count(*) FROM revocation_job_start"));
  }

  @Test
  void everything_needsTwo() throws Exception {
    // The second administrator must be there before the first needs one.
    Person bob = Person.enrolled("bob");
    register(alice(0), "bob", List.of("ADMIN", "OFFICER"), bob).is(201);
    TRIAL.trial().down().ok();
    TRIAL.trial().up(FOUR_EYES).ok();
    // Node 1 received nothing, as if it had been forgotten: it must be no way around.
    TRIAL.trial().kill(1);
    TRIAL.trial().up().ok();
    Api bobHere = bob.at(0);
    Api bobThere = bob.at(1);
    alice(0).post("/v1/profiles", "application/yaml", Api.ascii(PROFILE)).is(201);

    Answer asked = activate(alice(0)).is(202);
    assertThat(asked.json().path("status").asString()).isEqualTo("pending");
    assertThat(asked.json().path("content").path("version").asInt()).isEqualTo(2);
    decide(alice(1), asked, "approval").isProblem(403, "/forbidden");
    bobThere
        .postJson(asked.header("Location") + "/approval", Map.of("sha256", "0".repeat(64)))
        .isProblem(409, "/conflict");
    TRIAL.trial().enroller().get(asked.header("Location")).isProblem(403, "/forbidden");
    assertThat(alice(1).get("/v1/profiles").text()).doesNotContain("\"watched\"");
    JsonNode done = decide(bobThere, asked, "approval").is(200).json();
    assertThat(done.path("status").asString()).isEqualTo("done");
    assertThat(done.path("decision").path("by").asString()).isEqualTo("bob");
    for (int node = 0; node < 2; node++) {
      int at = node;
      Duration took =
          Poll.until(
              "node " + node + " has it",
              WITHIN,
              () -> alice(at).get("/v1/profiles").text().contains("\"watched\""));
      Evidence.note("an approved profile was in force on node " + node + " after " + took);
    }
    assertThat(decide(bobHere, asked, "approval").is(200).json()).isEqualTo(done);
    assertThat(LedgerRows.count(TRIAL.trial(), "SELECT count(*) FROM profile_activation")).isOne();

    endpoint(bobThere);
    credentials(bobHere);
    bulk(bobThere);
    launcher(bob);
  }

  private static Answer activateEndpoint(Api by) {
    return by.with("Content-Type", Api.JSON)
        .send("PUT", "/v1/endpoints/watched/active", BodyPublishers.ofString("{\"version\":2}"));
  }

  private static void endpoint(Api bob) {
    alice(0).post("/v1/endpoints", "application/yaml", Api.ascii(ENDPOINT)).is(201);
    Answer asked = activateEndpoint(alice(1)).is(202);
    assertThat(asked.json().path("action").asString()).isEqualTo("endpoint-activation");
    assertThat(asked.json().path("content").path("sha256").asString())
        .isEqualTo(HexFormat.of().formatHex(AcmeClient.sha256(Api.ascii(ENDPOINT))));
    decide(alice(0), asked, "approval").isProblem(403, "/forbidden");
    alice(0).anonymous().get("/acme/watched/directory").is(404);

    assertThat(decide(bob, asked, "approval").is(200).json().path("status").asString())
        .isEqualTo("done");

    for (int node = 0; node < 2; node++) {
      int at = node;
      Poll.until(
          "node " + at + " serves it",
          WITHIN,
          () -> alice(at).anonymous().get("/acme/watched/directory").status() == 200);
    }
    Answer off = alice(0).delete("/v1/endpoints/watched/active").is(202);
    assertThat(off.json().path("content").path("file").asString()).isEqualTo("none");
    alice(0).delete(off.header("Location")).is(200);
  }

  /** By a key that who asks does not have, or not at all. */
  private static void credentials(Api bob) {
    registerToken(alice(1), "carol", List.of("OFFICER")).isProblem(422, "/token-not-approvable");
    registerToken(alice(0), "carol", List.of("AUDITOR", "ADMIN"))
        .isProblem(422, "/token-not-approvable");
    Person person = Person.enrolled("carol");
    Answer asked = register(alice(1), "carol", List.of("OFFICER"), person).is(202);
    assertThat(asked.json().path("content").path("roles").toString()).contains("OFFICER");
    assertThat(asked.json().path("content").path("sha256").asString())
        .isEqualTo(person.fingerprint());
    assertThat(asked.json().has("token")).isFalse();
    Api carol = person.at(0);
    carol.get("/v1/capacity").isProblem(401, "/unauthenticated");

    decide(bob, asked, "approval").is(200);

    Poll.until("it works", WITHIN, () -> carol.get("/v1/capacity").status() == 200);
    register(alice(1), "carol", List.of("OFFICER"), person).isProblem(409, "/conflict");
    registerToken(alice(0), "dora", List.of("AUDITOR")).is(201);
    Person eve = Person.enrolled("eve");
    Answer withdrawn = register(alice(0), "eve", List.of("ADMIN"), eve).is(202);
    bob.delete(withdrawn.header("Location")).isProblem(403, "/forbidden");
    alice(1).delete(withdrawn.header("Location")).is(200);
    decide(bob, withdrawn, "approval").isProblem(409, "/conflict");
    Answer refused = register(alice(0), "eve", List.of("ADMIN"), eve).is(202);
    assertThat(decide(bob, refused, "refusal").is(200).json().path("status").asString())
        .isEqualTo("refused");
  }

  private static void bulk(Api bob) {
    Map<String, String> selection = Map.of("requester", "nobody-yet");
    Answer shown =
        alice(0)
            .postJson(
                "/v1/revocations",
                Map.of("selection", selection, "reason", "superseded", "dryRun", true))
            .is(200);
    Answer asked =
        alice(0)
            .postJson(
                "/v1/revocations",
                Map.of(
                    "selection",
                    selection,
                    "reason",
                    "superseded",
                    "dryRun",
                    false,
                    "confirmation",
                    shown.json().path("confirmation").asString()))
            .is(202);
    assertThat(asked.header("Location")).startsWith("/v1/approvals/");
    assertThat(startsOfJobs()).isZero();

    JsonNode done = decide(bob, asked, "approval").is(200).json();
    decide(bob, asked, "approval").is(200);

    assertThat(startsOfJobs()).isOne();
    Poll.until(
        "the job ends",
        WITHIN,
        () ->
            bob.get(done.path("detail").asString())
                .is(200)
                .json()
                .path("status")
                .asString()
                .equals("done"));
  }

  private static void launcher(Person bob) throws Exception {
    Trial trial = TRIAL.trial();
    Path chain = Csr.write(trial.folder(), bob.chain());
    assertThat(trial.sluice("profile", "file", "watched").run().ok().toString())
        .contains("approval show");
    JsonNode waiting = alice(0).get("/v1/approvals").is(200).json().path(0);
    assertThat(waiting.path("status").asString()).isEqualTo("pending");
    // No node has a file of that name: the approver learns that nothing issues under it then.
    assertThat(waiting.path("content").path("file").asString()).isEqualTo("none");
    String id = waiting.path("id").asString();
    assertThat(trial.sluice("approval", "list").run().ok().text()).contains(id + "  profile-act");
    trial
        .sluice(
            "approval",
            "approve",
            id,
            waiting.path("sha256").asString(),
            "--client-cert",
            chain.toString(),
            "--client-key",
            bob.csr().key().toString())
        .run()
        .ok();
    Poll.until(
        "the profile is gone again",
        WITHIN,
        () -> !alice(1).get("/v1/profiles").text().contains("\"watched\""));
  }
}
