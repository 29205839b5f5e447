package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.cert.CRLException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;

/** Revocation of many on two nodes: what was shown is on both CRLs, and nothing else. */
@ResourceLock(TrialExtension.TWO_NODES)
class BulkRevocationIT {

  private static final Pattern CONFIRMATION = Pattern.compile("--confirm ([0-9a-f]{64})");

  private static final String PATH = "/v1/revocations";
  private static final String SERVER = "tls-server";
  private static final String CLIENT = "tls-client";
  private static final Duration DONE_WITHIN = Duration.ofMinutes(3);
  private static final Duration PUBLISHED_WITHIN = Duration.ofSeconds(60);

  /** After a node was killed, another one waits for its lease. */
  private static final Duration TAKEN_OVER_WITHIN = Duration.ofMinutes(4);

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.sharedPair();

  @Test
  void revoke_whatADryRunShowed_allAndOnlyThoseOnBothCrls() {
    Api web = requester("bulk-web", List.of(SERVER, CLIENT));
    Api other = requester("bulk-other", List.of(SERVER));
    Set<BigInteger> servers = enroll(web, SERVER, 25);
    Set<BigInteger> clients = enroll(web, CLIENT, 20);
    Set<BigInteger> others = enroll(other, SERVER, 15);

    Answer shown = dryRun(0, Map.of("requester", "bulk-web")).is(200);
    assertThat(shown.json().path("count").asInt()).isEqualTo(45);
    assertThat(shown.json().path("byProfile").path(SERVER).asInt()).isEqualTo(25);
    assertThat(shown.json().path("byProfile").path(CLIENT).asInt()).isEqualTo(20);
    assertThat(shown.json().path("byRequester").path("bulk-web").asInt()).isEqualTo(45);
    Set<BigInteger> later = enroll(web, SERVER, 3);
    Answer narrower =
        dryRun(1, Map.of("requester", "bulk-web", "profile", CLIENT, "issuer", "issuing")).is(200);
    assertThat(narrower.json().path("count").asInt()).isEqualTo(20);
    assertThat(revokedAmong(0, servers)).isEmpty();

    Answer started = run(1, Map.of("requester", "bulk-web"), confirmation(shown)).is(202);
    Answer again = run(0, Map.of("requester", "bulk-web"), confirmation(shown)).is(202);

    assertThat(again.header("Location")).isEqualTo(started.header("Location"));
    JsonNode done = awaitDone(started.header("Location"), DONE_WITHIN);
    assertThat(done.path("status").asString()).isEqualTo("done");
    assertThat(done.path("selected").asInt()).isEqualTo(45);
    assertThat(done.path("revoked").asInt()).isEqualTo(45);
    Set<BigInteger> wanted = new TreeSet<>(servers);
    wanted.addAll(clients);
    for (int node = 0; node < 2; node++) {
      int at = node;
      Poll.until(
          "all on the CRL of node " + node,
          PUBLISHED_WITHIN,
          () -> revokedAmong(at, wanted).equals(wanted));
      assertThat(revokedAmong(node, others)).isEmpty();
      assertThat(revokedAmong(node, later)).isEmpty();
    }
    Answer next = dryRun(0, Map.of("requester", "bulk-web")).is(200);
    assertThat(next.json().path("count").asInt()).isEqualTo(3);
    Evidence.append("revocation.txt", "in bulk: " + done);
  }

  /** The node that took it dies at once; the other one carries it out. */
  @Test
  void revoke_nodeKilled_carriedOutByTheOther() {
    Api web = requester("bulk-crash", List.of(SERVER));
    Set<BigInteger> serials = enroll(web, SERVER, 10);
    Answer shown = dryRun(1, Map.of("requester", "bulk-crash")).is(200);

    Answer started = run(1, Map.of("requester", "bulk-crash"), confirmation(shown)).is(202);
    TRIAL.trial().kill(1);

    JsonNode done = awaitDone(started.header("Location"), TAKEN_OVER_WITHIN);
    assertThat(done.path("revoked").asInt()).isEqualTo(10);
    Poll.until("all on the CRL", PUBLISHED_WITHIN, () -> revokedAmong(0, serials).equals(serials));
    TRIAL.trial().up().ok();
  }

  @Test
  void revoke_notConfirmed_refusedAndNothingRevoked() {
    Api web = requester("bulk-safe", List.of(SERVER));
    Set<BigInteger> serials = enroll(web, SERVER, 2);
    Map<String, String> selection = Map.of("requester", "bulk-safe");
    String confirmation = confirmation(dryRun(0, selection).is(200));

    post(0, selection, false, null).isProblem(409, "/conflict");
    run(0, selection, "0".repeat(64)).isProblem(409, "/conflict");
    run(0, Map.of("requester", "bulk-web"), confirmation).isProblem(409, "/conflict");
    run(0, Map.of("profile", SERVER), confirmation).isProblem(409, "/conflict");
    post(0, selection, true, confirmation).isProblem(409, "/conflict");

    assertThat(revokedAmong(0, serials)).isEmpty();
    officer(0).get(PATH + "/00000000-0000-4000-8000-000000000000").isProblem(404, "/not-found");
    officer(0).get(PATH + "/x").isProblem(404, "/not-found");
  }

  @Test
  void revoke_emptyOrOddSelection_refused() {
    dryRun(0, Map.of()).isProblem(400, "/malformed-request");
    dryRun(0, Map.of("issuedAfter", "2026-01-31T12:00:00Z")).isProblem(400, "/malformed-request");
    dryRun(0, Map.of("requester", "")).isProblem(400, "/malformed-request");
    dryRun(0, Map.of("requester", "*")).isProblem(400, "/malformed-request");
    dryRun(0, Map.of("requestor", "web")).isProblem(400, "/malformed-request");
    dryRun(0, Map.of("profile", SERVER, "issuedAfter", "yesterday"))
        .isProblem(400, "/malformed-request");
    dryRun(
            0,
            Map.of(
                "profile",
                SERVER,
                "issuedAfter",
                "2026-01-31T12:00:00Z",
                "issuedBefore",
                "2026-01-31T12:00:00Z"))
        .isProblem(409, "/conflict");
    officer(0)
        .postJson(PATH, Map.of("selection", Map.of("profile", SERVER), "reason", "superseded"))
        .isProblem(400, "/malformed-request");
  }

  @Test
  void revoke_notAnOfficer_forbidden() {
    Map<String, Object> wish = wish(Map.of("profile", SERVER), true, null);

    requester("bulk-nobody", List.of(SERVER)).postJson(PATH, wish).isProblem(403, "/forbidden");
    credential("bulk-auditor", List.of("AUDITOR"), List.of())
        .postJson(PATH, wish)
        .isProblem(403, "/forbidden");
    officer(0).anonymous().postJson(PATH, wish).isProblem(401, "/unauthenticated");
    credential("bulk-auditor", List.of("AUDITOR"), List.of())
        .get(PATH + "/00000000-0000-4000-8000-000000000000")
        .isProblem(404, "/not-found");
    requester("bulk-nobody", List.of(SERVER))
        .get(PATH + "/00000000-0000-4000-8000-000000000000")
        .isProblem(403, "/forbidden");
  }

  @Test
  void launcher_revokeAll_onlyWhatItHasShown() {
    Api web = requester("bulk-cli", List.of(SERVER));
    Set<BigInteger> serials = enroll(web, SERVER, 4);
    String[] all = {"revoke-all", "--requester", "bulk-cli", "--reason", "superseded"};

    Program.Ended shown = TRIAL.trial().sluice(all).run();
    assertThat(shown.status()).isOne();
    Matcher confirmation = CONFIRMATION.matcher(shown.errors());
    assertThat(confirmation.find()).as(shown.errors()).isTrue();
    assertThat(revokedAmong(0, serials)).isEmpty();
    List<String> confirmed = new ArrayList<>(List.of(all));
    confirmed.addAll(List.of("--confirm", confirmation.group(1)));
    Program.Ended done = TRIAL.trial().sluice(confirmed.toArray(String[]::new)).run().ok();

    assertThat(done.errors()).contains("revoked 4 (superseded)");
    Poll.until("all on the CRL", PUBLISHED_WITHIN, () -> revokedAmong(0, serials).equals(serials));
  }

  private static JsonNode awaitDone(String location, Duration longest) {
    Poll.until(
        location + " ends",
        longest,
        () ->
            !Set.of("pending", "running")
                .contains(officer(0).get(location).is(200).json().path("status").asString()));
    return officer(0).get(location).is(200).json();
  }

  private static Answer dryRun(int node, Map<String, String> selection) {
    return post(node, selection, true, null);
  }

  private static Answer run(int node, Map<String, String> selection, String confirmation) {
    return post(node, selection, false, confirmation);
  }

  private static Answer post(
      int node, Map<String, String> selection, boolean isDry, @Nullable String confirmation) {
    return officer(node).postJson(PATH, wish(selection, isDry, confirmation));
  }

  private static Map<String, Object> wish(
      Map<String, String> selection, boolean isDry, @Nullable String confirmation) {
    Map<String, Object> wish = new HashMap<>();
    wish.put("selection", selection);
    wish.put("reason", "keyCompromise");
    wish.put("dryRun", isDry);
    if (confirmation != null) {
      wish.put("confirmation", confirmation);
    }
    return wish;
  }

  private static String confirmation(Answer shown) {
    return shown.json().path("confirmation").asString();
  }

  private static Set<BigInteger> enroll(Api api, String profile, int number) {
    Csr csr = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "www.example.com");
    Set<BigInteger> serials = new TreeSet<>();
    for (int i = 0; i < number; i++) {
      serials.add(api.enroll(profile, csr.pemBytes()).is(201).certificate().getSerialNumber());
    }
    return serials;
  }

  private static Api officer(int node) {
    return TRIAL.trial().api(node, "admin");
  }

  private static Api requester(String name, List<String> profiles) {
    return credential(name, List.of("REQUESTER"), profiles);
  }

  private static Api credential(String name, List<String> roles, List<String> profiles) {
    Answer registered =
        officer(0)
            .postJson(
                "/v1/credentials", Map.of("requester", name, "roles", roles, "profiles", profiles))
            .is(201);
    return officer(0).anonymous().with(Api.bearer(registered.json().path("token").asString()));
  }

  private static Set<BigInteger> revokedAmong(int node, Set<BigInteger> serials) {
    byte[] der = Api.plain(TRIAL.trial().plain(node)).get("/crl/issuing.crl").is(200).body();
    try {
      X509CRL crl =
          (X509CRL)
              CertificateFactory.getInstance("X.509").generateCRL(new ByteArrayInputStream(der));
      Set<? extends X509CRLEntry> entries = crl.getRevokedCertificates();
      return entries == null
          ? Set.of()
          : entries.stream()
              .map(X509CRLEntry::getSerialNumber)
              .filter(serials::contains)
              .collect(Collectors.toCollection(TreeSet::new));
    } catch (CRLException | CertificateException e) {
      throw new AssertionError(e);
    }
  }
}
