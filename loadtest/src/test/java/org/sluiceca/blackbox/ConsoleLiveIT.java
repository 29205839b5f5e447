package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** One page of one node sees all nodes of its database, and nothing is written without a page. */
@ResourceLock(value = TrialExtension.TWO_NODES, mode = READ)
class ConsoleLiveIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.sharedPair();

  private static final Pattern CSRF = Pattern.compile("name=\"csrf\" value=\"([\\w-]+)\"");

  private static final Pattern NODES =
      Pattern.compile("<tbody data-list=\"nodes\">(.*?)</tbody>", Pattern.DOTALL);

  private static final String ROWS = "SELECT count(*) FROM node_second";

  private static final String RECENT = ROWS + " WHERE second > now() - interval '5 seconds'";

  private static Api signedIn(int node) {
    String token =
        TRIAL
            .trial()
            .api(node, "admin")
            .postJson(
                "/v1/credentials",
                Map.of("requester", "console-nodes", "roles", List.of("AUDITOR")))
            .is(201)
            .json()
            .path("token")
            .asString();
    Api browser = TRIAL.trial().api(node, "admin").anonymous();
    Answer page = browser.get("/console/sign-in").is(200);
    Matcher csrf = CSRF.matcher(page.text());
    assertThat(csrf.find()).isTrue();
    String form =
        "csrf=" + csrf.group(1) + "&token=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
    Answer signedIn =
        browser
            .with("Cookie", cookie(page, "__Host-sluice-sign-in"))
            .post("/console/sign-in", "application/x-www-form-urlencoded", Api.ascii(form))
            .is(303);
    return browser.with("Cookie", cookie(signedIn, "__Host-sluice-console"));
  }

  private static String cookie(Answer answer, String name) {
    return answer.headers("Set-Cookie").stream()
        .filter(header -> header.startsWith(name + "=") && !header.contains("Max-Age=0"))
        .map(header -> header.split(";", 2)[0])
        .findFirst()
        .orElseThrow();
  }

  /** The names and states of the rows of the page's part on all nodes. */
  private static List<String> nodes(Api browser) {
    Matcher part = NODES.matcher(browser.get("/console/live").is(200).text());
    assertThat(part.find()).isTrue();
    return Stream.of(part.group(1).split("</tr>", -1))
        .filter(row -> row.contains("data-field=\"name\""))
        .map(row -> field(row, "name") + " " + field(row, "state"))
        .toList();
  }

  private static String field(String row, String name) {
    Matcher field = Pattern.compile("data-field=\"" + name + "\">([^<]*)<").matcher(row);
    assertThat(field.find()).isTrue();
    return field.group(1);
  }

  private static long count(String sql) {
    return LedgerRows.count(TRIAL.trial(), sql);
  }

  @Test
  void pageOfOneNode_seesBoth_andRowsStopWithoutAPage() {
    Api browser = signedIn(0);
    assertThat(count(RECENT)).as("rows without a page").isZero();
    long since = System.nanoTime();

    Poll.until(
        "the page of node 0 has both nodes",
        Duration.ofSeconds(30),
        () -> {
          List<String> rows = nodes(browser);
          return rows.size() == 2
              && rows.stream().noneMatch(row -> row.matches(".*(silent|heard|measuring).*"));
        });
    Evidence.note(
        "both nodes were on the page of one after "
            + Evidence.millis(Duration.ofNanos(System.nanoTime() - since)));
    assertThat(nodes(browser)).allMatch(row -> row.matches("node-[01] (idle|calm|busy)"));
    assertThat(count("SELECT count(DISTINCT node) FROM node_second")).isEqualTo(2);
    assertThat(browser.get("/console/live/hour").is(200).text()).contains("data-point=\"");

    // 30 s after the page was loaded last, then 20 s until the others believe it.
    Poll.until("no node writes without a page", Duration.ofSeconds(90), () -> count(RECENT) == 0);
    long rows = count(ROWS);
    assertThat(count("SELECT count(*) FROM (SELECT DISTINCT second, node FROM node_second) n"))
        .isEqualTo(rows);
    // The nodes are alive all the same.
    Csr csr = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "nodes.example.com");
    TRIAL.trial().enroller().enroll("tls-server", csr.pemBytes()).is(201);
    assertThat(count(ROWS)).isEqualTo(rows);
  }
}
