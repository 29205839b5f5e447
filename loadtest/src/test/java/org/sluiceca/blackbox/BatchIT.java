package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Many certificates in one request: every line has its own result, whatever the others hold. */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class BatchIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  private static final String BATCH = "/v1/certificates:batch";
  private static final String NDJSON = "application/x-ndjson";
  private static final String STATUS = "status";
  private static final int MANY = 300;

  /** A body may stand still for ten seconds, and what was accepted is finished within twenty. */
  private static final int LIMIT_MILLIS = 40_000;

  private static final Pattern UNDER_WAY = Pattern.compile("(?m)^ca_batches(\\{[^}]*})? 2\\.0$");

  @Test
  void lines_soundOnes_eachIssuedOnce() {
    Csr csr = csr();
    String lines =
        IntStream.range(0, MANY)
            .mapToObj(i -> line("id-" + i, csr, null))
            .collect(Collectors.joining());

    Map<String, JsonNode> results = byId(send(lines));

    assertThat(results).hasSize(MANY);
    assertThat(results.values())
        .allSatisfy(r -> assertThat(r.path(STATUS).asInt()).as(r.toString()).isEqualTo(201));
    assertThat(results.values().stream().map(r -> r.path("serial").asString()).distinct())
        .hasSize(MANY);
    JsonNode one = of(results, "id-17");
    Answer read = TRIAL.trial().enroller().get(one.path("location").asString()).is(200);
    assertThat(read.json().path("certificate")).isEqualTo(one.path("certificate"));
    assertThat(read.json().path("chain")).isEqualTo(one.path("chain")).isNotEmpty();
  }

  /** The worst that a line can be, between sound ones. */
  @Test
  void lines_badOnes_failAlone() {
    Csr csr = csr();
    List<String> bad =
        List.of(
            "{",
            "null",
            "[]",
            "\"text\"",
            "{\"profile\":\"tls-server\"}",
            "{\"id\":7,\"profile\":\"tls-server\",\"csr\":\"\"}",
            "{\"id\":\"\",\"profile\":\"tls-server\",\"csr\":\"\"}",
            "{\"profile\":\"tls-server\",\"csr\":\"x\",\"other\":1}",
            "{\"profile\":\"tls-server\",\"csr\":\"AAAA\"}",
            line("no-profile", csr, null).replace("tls-server", "nowhere").strip(),
            line("ceremony", csr, null).replace("tls-server", "sub-ca").strip(),
            "\u0000\u0001",
            "{\"csr\":\"" + "A".repeat(70_000) + "\"}",
            "A".repeat(200_000));
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < bad.size(); i++) {
      lines.append(bad.get(i)).append('\n').append("  \n").append(line("good-" + i, csr, null));
    }

    List<JsonNode> results = send(lines.toString());

    assertThat(results).hasSize(2 * bad.size());
    Map<Integer, Integer> statuses =
        results.stream()
            .collect(Collectors.toMap(r -> r.path("line").asInt(), r -> r.path(STATUS).asInt()));
    for (int i = 0; i < bad.size(); i++) {
      assertThat(statuses.get(3 * i + 1)).as(bad.get(i)).isBetween(400, 422);
      assertThat(statuses.get(3 * i + 3)).isEqualTo(201);
    }
    assertThat(statuses.get(3 * (bad.size() - 1) + 1)).isEqualTo(413);
    assertThat(results)
        .filteredOn(r -> r.path(STATUS).asInt() >= 400)
        .allSatisfy(
            r -> {
              assertThat(r.path("problem").path("type").asString()).startsWith("/problems/");
              assertThat(r.path("problem").path("detail").asString()).isNotBlank();
            });
  }

  /** A batch that broke off is sent again with the same keys: nothing is issued twice. */
  @Test
  void lines_sentAgainWithTheirKeys_theSameCertificates() {
    Csr csr = csr();
    String lines =
        IntStream.range(0, 40)
            .mapToObj(i -> line("id-" + i, csr, "again-" + i))
            .collect(Collectors.joining());
    Map<String, JsonNode> first = byId(send(lines));

    Map<String, JsonNode> second = byId(send(lines));

    assertThat(second).hasSameSizeAs(first);
    second.forEach(
        (id, result) -> {
          assertThat(result.path("replayed").asBoolean()).as(result.toString()).isTrue();
          assertThat(result.path("serial")).isEqualTo(of(first, id).path("serial"));
        });
    assertThat(send(line("other", csr(), "again-1")).getFirst().path(STATUS).asInt())
        .isEqualTo(422);
  }

  @Test
  void lines_withoutTheLastLineFeed_andNone() {
    assertThat(send(line("only", csr(), null).strip())).hasSize(1);
    assertThat(send("")).isEmpty();
    assertThat(send("\n\n \r\n")).isEmpty();
  }

  @Test
  void batch_notAllowed_refusedAsAWhole() {
    byte[] line = line("x", csr(), null).getBytes(StandardCharsets.UTF_8);
    Api api = TRIAL.trial().enroller();

    api.anonymous().post(BATCH, NDJSON, line).isProblem(401, "/unauthenticated");
    TRIAL.trial().api(0, "admin").post(BATCH, NDJSON, line).isProblem(403, "/forbidden");
    api.post(BATCH, Api.JSON, line).isProblem(415, "/unsupported-media-type");
    api.with("Accept", "application/pkix-cert")
        .post(BATCH, NDJSON, line)
        .isProblem(406, "/not-acceptable");
    api.get(BATCH).isProblem(405, "/method-not-allowed");
  }

  /** A client that stops in the middle of a line hears of what came before. */
  @Test
  void batch_standsStill_isEndedAndEarlierLinesAreAnswered() throws IOException {
    try (Socket client = begin()) {
      chunk(client, line("before", csr(), null) + "{\"id\":\"never");

      List<JsonNode> results = results(client);

      assertThat(of(byId(results), "before").path(STATUS).asInt()).isEqualTo(201);
      JsonNode last = results.getLast();
      assertThat(last.path("line").asInt()).isEqualTo(2);
      assertThat(last.path("problem").path("type").asString())
          .isIn("/problems/malformed-request", "/problems/request-timeout");
    }
  }

  /** The third of one requester has to wait; other requests do not notice. */
  @Test
  void batch_manyAtOnce_boundedAndOthersServed() throws IOException {
    Api api = TRIAL.trial().enroller().with("Content-Type", NDJSON);
    try (Socket one = begin();
        Socket two = begin()) {
      Poll.until(
          "two are under way",
          Duration.ofSeconds(60),
          () -> {
            goOn(one);
            goOn(two);
            // By the meter: a batch that asks would take a place before these two have theirs.
            return UNDER_WAY
                .matcher(Api.plain(TRIAL.trial().management(0)).get("/actuator/prometheus").text())
                .find();
          });

      Answer third = api.send("POST", BATCH, BodyPublishers.noBody());

      third.isProblem(503, "#temporary-reduced-capacity");
      assertThat(third.header("Retry-After")).isEqualTo("30");
      TRIAL.trial().enroller().enroll("tls-server", csr().pemBytes()).is(201);
      for (Socket batch : List.of(one, two)) {
        chunk(batch, line("late", csr(), null));
        chunk(batch, "");
        assertThat(results(batch)).hasSize(1);
      }
    }
  }

  /** A batch whose body is still to come; an HTTP client would hold back what is not much yet. */
  private static Socket begin() throws IOException {
    Trial trial = TRIAL.trial();
    Socket socket = RawHttp.open(trial.https(0), trial.data().resolve("root.pem"));
    socket.setSoTimeout(LIMIT_MILLIS);
    write(
        socket,
        "POST "
            + BATCH
            + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: "
            + NDJSON
            + "\r\nAuthorization: Bearer "
            + trial.read("enroll.token").strip()
            + "\r\nTransfer-Encoding: chunked\r\n\r\n");
    return socket;
  }

  private static void chunk(Socket socket, String text) throws IOException {
    write(socket, Integer.toHexString(text.length()) + "\r\n" + text + "\r\n");
  }

  /** A blank line counts for nothing, save that the body does not stand still. */
  private static void goOn(Socket socket) {
    try {
      chunk(socket, "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
  }

  private static List<JsonNode> results(Socket socket) {
    RawHttp.Reply reply = RawHttp.read(socket);
    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    return reply
        .text()
        .lines()
        .filter(line -> line.startsWith("{"))
        .map(line -> JsonMapper.shared().readTree(line))
        .toList();
  }

  private static Csr csr() {
    return Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "batch.example.com");
  }

  private static String line(String id, Csr csr, @Nullable String key) {
    Map<String, String> line = new TreeMap<>();
    line.put("id", id);
    line.put("profile", "tls-server");
    line.put("csr", new String(csr.pemBytes(), StandardCharsets.US_ASCII));
    if (key != null) {
      line.put("idempotencyKey", key);
    }
    return Answer.json(line) + "\n";
  }

  private static List<JsonNode> send(String lines) {
    return lines(
        TRIAL.trial().enroller().post(BATCH, NDJSON, lines.getBytes(StandardCharsets.UTF_8)));
  }

  private static List<JsonNode> lines(Answer answer) {
    answer.is(200);
    assertThat(answer.header("Content-Type")).startsWith(NDJSON);
    return new String(answer.body(), StandardCharsets.UTF_8)
        .lines()
        .map(line -> JsonMapper.shared().readTree(line))
        .toList();
  }

  private static JsonNode of(Map<String, JsonNode> results, String id) {
    return Objects.requireNonNull(results.get(id), id);
  }

  private static Map<String, JsonNode> byId(List<JsonNode> results) {
    return results.stream()
        .filter(r -> r.has("id"))
        .collect(Collectors.toMap(r -> r.path("id").asString(), Function.identity()));
  }
}
