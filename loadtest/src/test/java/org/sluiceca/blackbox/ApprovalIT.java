package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** Four eyes over two nodes: asked for on one, approved on the other, done once, seen by both. */
class ApprovalIT {

  @RegisterExtension
  static final TrialExtension TRIAL = TrialExtension.own(folder -> Trial.Options.nodes(2));

  /** Some seconds on a machine at rest; the evidence tells what it was. */
  private static final Duration WITHIN = Duration.ofSeconds(60);

  private static final Map<String, String> FOUR_EYES =
      Map.of("SLUICE_APPROVAL_ACTIONS", "profile-activation,bulk-revocation,credential-admin");

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

  private static Api alice(int node) {
    return TRIAL.trial().api(node, "admin");
  }

  private static Answer register(Api by, String name, List<String> roles) {
    return by.postJson("/v1/credentials", Map.of("requester", name, "roles", roles));
  }

  private static Api bearing(Answer answer, int node) {
    return alice(node).anonymous().with(Api.bearer(answer.json().path("token").asString()));
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
    Answer registered = register(alice(0), "bob", List.of("ADMIN", "OFFICER")).is(201);
    TRIAL.trial().down().ok();
    TRIAL.trial().up(FOUR_EYES).ok();
    // Node 1 was told of nothing, as if it had been forgotten: it must be no way around.
    TRIAL.trial().kill(1);
    TRIAL.trial().up().ok();
    Api bobHere = bearing(registered, 0);
    Api bobThere = bearing(registered, 1);
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

    credentials(bobHere);
    bulk(bobThere);
    launcher(registered);
  }

  /** The token is shown to who asked, and is worth nothing until another has agreed. */
  private static void credentials(Api bob) {
    Answer asked = register(alice(1), "carol", List.of("OFFICER")).is(202);
    assertThat(asked.json().path("content").path("roles").toString()).contains("OFFICER");
    Api carol = bearing(asked, 0);
    carol.get("/v1/capacity").isProblem(401, "/unauthenticated");
    assertThat(alice(0).get(asked.header("Location")).is(200).json().has("token")).isFalse();

    decide(bob, asked, "approval").is(200);

    Poll.until("it works", WITHIN, () -> carol.get("/v1/capacity").status() == 200);
    register(alice(0), "dora", List.of("AUDITOR")).is(201);
    Answer withdrawn = register(alice(0), "eve", List.of("ADMIN")).is(202);
    bob.delete(withdrawn.header("Location")).isProblem(403, "/forbidden");
    alice(1).delete(withdrawn.header("Location")).is(200);
    decide(bob, withdrawn, "approval").isProblem(409, "/conflict");
    Answer refused = register(alice(0), "eve", List.of("ADMIN")).is(202);
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

  private static void launcher(Answer registered) throws Exception {
    Trial trial = TRIAL.trial();
    java.nio.file.Path token =
        Files.writeString(
            trial.folder().resolve("bob.token"), registered.json().path("token").asString());
    assertThat(trial.sluice("profile", "file", "watched").run().ok().toString())
        .contains("approval show");
    JsonNode waiting = alice(0).get("/v1/approvals").is(200).json().path(0);
    assertThat(waiting.path("status").asString()).isEqualTo("pending");
    String id = waiting.path("id").asString();
    assertThat(trial.sluice("approval", "list").run().ok().text()).contains(id + "  profile-act");
    trial
        .sluice(
            "approval",
            "approve",
            id,
            waiting.path("sha256").asString(),
            "--token-file",
            token.toString())
        .run()
        .ok();
    Poll.until(
        "the profile is gone again",
        WITHIN,
        () -> !alice(1).get("/v1/profiles").text().contains("\"watched\""));
  }
}
