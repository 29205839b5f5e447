package org.sluiceca.client.observe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.sluiceca.client.OneNodeTest;

/** {@code capacity} and {@code expiry}. */
class ObserveTest extends OneNodeTest {
  static final String CAPACITY =
      "{\"lanes\":[{\"name\":\"interactive\",\"depth\":12,\"capacity\":244,"
          + "\"oldestAgeSeconds\":0.021,\"ratePerSecond\":812.5,\"etaSeconds\":0.015},"
          + "{\"name\":\"bulk\",\"depth\":1,\"capacity\":2,\"etaSeconds\":0.25}],"
          + "\"backlog\":{\"orders\":120000,\"ratePerSecond\":640.0,\"etaSeconds\":187.5},"
          + "\"hsms\":[{\"name\":\"rack-1\",\"state\":\"ready\",\"breaker\":\"closed\","
          + "\"preference\":\"preferred\",\"region\":\"\",\"inflight\":7,\"limit\":8,"
          + "\"utilization\":0.875,\"capacityPerSecond\":1250.0},"
          + "{\"name\":\"rack-2\",\"state\":\"lost\",\"inflight\":0,\"limit\":8}]}";

  @Test
  void capacity_lanesHsmsAndBacklog() {
    server.answers("200 - " + CAPACITY);

    assertThat(run.call("capacity")).isZero();

    assertThat(run.out().lines())
        .containsExactly(
            "LANE         DEPTH  CAPACITY  OLDEST  RATE/S  ETA",
            "interactive  12     244       0.02 s  812.5   0.02 s",
            "bulk         1      2         -       -       0.25 s",
            "",
            "HSM     STATE  BREAKER  PREFERENCE  REGION  IN FLIGHT  LIMIT  USED  CAPACITY/S",
            "rack-1  ready  closed   preferred   -       7          8      88%   1250.0",
            "rack-2  lost   -        -           -       0          8      -     -",
            "",
            "backlog of all nodes: 120000 orders, 640.0/s, ETA 187.50 s");
  }

  @Test
  void capacity_json_oneDocument() {
    server.answers("200 - " + CAPACITY);

    assertThat(run.call("capacity", "--json")).isZero();

    assertThat(run.out().lines()).hasSize(1);
    assertThat(run.out()).startsWith("{\"lanes\":[");
  }

  @Test
  void capacity_hostile_isShortAndPlain() {
    String name = "x\\u001b[2J" + "y".repeat(5000);
    String lane = "{\"name\":\"" + name + "\",\"depth\":1e300,\"capacity\":\"9\"}";
    server.answers("200 - {\"lanes\":[" + (lane + ",").repeat(600) + lane + "],\"hsms\":7}");

    assertThat(run.call("capacity")).isZero();

    assertThat(run.out()).contains("x?[2Jyyy").doesNotContain("\u001b");
    assertThat(run.out().lines()).hasSizeLessThan(510).allMatch(l -> l.length() < 200);
  }

  @Test
  void expiry_countsAndTheSearchThatListsThem() {
    server.answers(
        "200 - {\"from\":\"2026-11-22\",\"before\":\"2027-01-22\",\"complete\":true,\"lines\":[{"
            + "\"week\":\"2026-11-19\",\"profile\":\"tls-server\",\"requester\":\"web\\u001b\","
            + "\"certificates\":120,\"revoked\":3}]}");

    assertThat(run.call("expiry", "--within", "60")).isZero();

    assertThat(server.seen())
        .containsExactly("GET /v1/reports/expiry?withinDays=60 Bearer admin null");
    assertThat(run.out().lines())
        .containsExactly(
            "WEEK        PROFILE     REQUESTER  CERTIFICATES  REVOKED",
            "2026-11-19  tls-server  web?       120           3");
    assertThat(run.err())
        .contains("sluice find --as-admin --status valid --expires-within 61")
        .doesNotContain("cut off");
  }

  @Test
  void expiry_csv_aHeaderAndTheLines() {
    server.answers(
        "200 - {\"complete\":true,\"lines\":[{\"week\":\"2026-11-19\",\"profile\":\"p\","
            + "\"requester\":\"@web\",\"certificates\":120,\"revoked\":3}]}");

    assertThat(run.call("expiry", "--csv", "--quiet")).isZero();
    assertThat(run.call("expiry", "--csv", "--json")).isEqualTo(2);

    assertThat(run.out())
        .isEqualTo("week,profile,requester,certificates,revoked\r\n2026-11-19,p,'@web,120,3\r\n");
  }

  @Test
  void expiry_incomplete_isSaidEvenIfQuiet() {
    server.answers("200 - {\"complete\":false,\"lines\":[]}");

    assertThat(run.call("expiry", "--json", "--quiet")).isZero();

    assertThat(run.out()).isEqualTo("{\"complete\":false,\"lines\":[]}\n");
    assertThat(run.err()).isEqualTo("sluice: the report is cut off: ask for fewer days\n");
  }
}
