package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What one node issues, the other finds; and each finds what it may. */
@ResourceLock(value = TrialExtension.TWO_NODES, mode = READ)
class FindIT {

  /** The goal at full issuance is 2 s; what is measured is printed. */
  private static final Duration FOUND_WITHIN = Duration.ofSeconds(60);

  private static final String NEXT = "next";

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.sharedPair();

  private static Api officer(int node) {
    return TRIAL.trial().api(node, "admin");
  }

  private static Api requester(int node) {
    return TRIAL.trial().api(node, "enroll");
  }

  private static String enroll(int node, String host) {
    Csr csr = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, host);
    return requester(node).enroll("tls-server", csr.pemBytes()).is(201).locationEnd();
  }

  private static Api stranger() {
    Answer registered =
        officer(0)
            .postJson(
                "/v1/credentials",
                Map.of(
                    "requester",
                    "stranger",
                    "roles",
                    List.of("REQUESTER"),
                    "profiles",
                    List.of("tls-server")))
            .is(201);
    return officer(1).anonymous().with(Api.bearer(registered.json().path("token").asString()));
  }

  /** The serial numbers on all pages, in their order. */
  private static List<String> find(Api api, String query) {
    List<String> found = new ArrayList<>();
    String cursor = "";
    for (int pages = 0; pages < 1_000; pages++) {
      JsonNode page = api.get(Api.CERTIFICATES + "?" + query + cursor).is(200).json();
      page.path("certificates").forEach(c -> found.add(c.path("serial").asString()));
      if (!page.has(NEXT)) {
        return found;
      }
      cursor = "&cursor=" + page.path(NEXT).asString();
    }
    throw new AssertionError("no end of pages");
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Test
  void enrolledAtOneNode_foundAtTheOther_byWhoMay() {
    String serial = enroll(0, "found.example.com");

    Duration took =
        Poll.until(
            "found at node 1",
            FOUND_WITHIN,
            () -> find(officer(1), "san=found.example.com").contains(serial));
    Evidence.note(
        "a certificate of node 0 was found at node 1 " + Evidence.millis(took) + " later");

    for (String query :
        List.of(
            "san=FOUND.example.com",
            "san=" + encoded("found.*"),
            "subject=found.example.com",
            "profile=tls-server&san=found.example.com",
            "status=valid&subject=" + encoded("found*"))) {
      assertThat(find(officer(1), query)).as(query).containsExactly(serial);
      assertThat(find(requester(1), query)).as(query).containsExactly(serial);
      assertThat(find(stranger(), query)).as(query).isEmpty();
    }
    assertThat(find(officer(1), "san=" + encoded("found%"))).isEmpty();
    stranger().get(Api.CERTIFICATES + "?requester=demo-enroll").isProblem(403, "/forbidden");
    officer(1).anonymous().get(Api.CERTIFICATES).isProblem(401, "/unauthenticated");
  }

  @Test
  void revoked_foundAsRevokedAtOnce() {
    String serial = enroll(0, "revoked.example.com");
    Poll.until("found", FOUND_WITHIN, () -> !find(officer(1), "san=revoked.example.com").isEmpty());

    officer(0)
        .postJson(
            Api.CERTIFICATES + "/" + serial + "/revocation", Map.of("reason", "keyCompromise"))
        .is(200);

    JsonNode found =
        officer(1)
            .get(Api.CERTIFICATES + "?san=revoked.example.com")
            .is(200)
            .json()
            .path("certificates")
            .path(0);
    assertThat(found.path("status").asString()).isEqualTo("revoked");
    assertThat(found.path("reason").asString()).isEqualTo("keyCompromise");
    assertThat(find(officer(1), "san=revoked.example.com&status=valid")).isEmpty();
    assertThat(find(officer(1), "status=revoked")).contains(serial);
  }

  @Test
  void manyOfBothNodes_allOnPages_onceEach() {
    List<String> serials =
        IntStream.range(0, 20).mapToObj(i -> enroll(i % 2, "page" + i + ".example.com")).toList();
    Poll.until(
        "all are found",
        FOUND_WITHIN,
        () -> find(officer(0), "limit=200&san=" + encoded("page*")).size() == serials.size());

    for (String query :
        List.of("limit=3&san=" + encoded("page*"), "limit=7", "limit=7&status=valid")) {
      List<String> found = find(officer(1), query);
      assertThat(found).as(query).doesNotHaveDuplicates().containsAll(serials);
    }
  }

  @Test
  void oddQueries_400WithTheReason() {
    for (String query :
        List.of(
            "subjet=x",
            "limit=0",
            "limit=1&limit=2",
            "status=gone",
            "cursor=x",
            "san=",
            "san=a*.b")) {
      officer(0).get(Api.CERTIFICATES + "?" + query).isProblem(400, "/malformed-request");
    }
  }

  @Test
  void expiryReport_countsWhatWasIssued() {
    String serial = enroll(0, "report.example.com");
    Poll.until(
        "found", FOUND_WITHIN, () -> find(officer(0), "san=report.example.com").contains(serial));

    JsonNode report = officer(1).get("/v1/reports/expiry?withinDays=366").is(200).json();

    long certificates =
        report
            .path("lines")
            .valueStream()
            .filter(l -> l.path("profile").asString().equals("tls-server"))
            .mapToLong(l -> l.path("certificates").asLong())
            .sum();
    assertThat(certificates).isPositive();
    assertThat(report.path("complete").asBoolean()).isTrue();
    requester(0).get("/v1/reports/expiry").isProblem(403, "/forbidden");
    officer(0).get("/v1/reports/expiry?withinDays=0").isProblem(400, "/malformed-request");
  }

  @Test
  void launcher_findsAsTableAndJson() {
    String serial = enroll(0, "launcher.example.com");
    Poll.until(
        "found", FOUND_WITHIN, () -> find(officer(0), "san=launcher.example.com").contains(serial));

    String table =
        TRIAL.trial().sluice("find", "--san", "launcher.*", "--status", "valid").run().ok().text();
    String json =
        TRIAL
            .trial()
            .sluice(
                "find", "--subject", "launcher.example.com", "--expires-within", "400", "--json")
            .run()
            .ok()
            .text();

    String below =
        TRIAL.trial().sluice("find", "--san", "*.example.com", "--json").run().ok().text();

    assertThat(table).contains(serial, "valid", "tls-server");
    assertThat(json).contains("\"serial\":\"" + serial + "\"");
    // Of however many pages: one object a line.
    assertThat(below.lines().map(JsonMapper.shared()::readTree))
        .anyMatch(found -> found.path("serial").asString().equals(serial));
  }
}
