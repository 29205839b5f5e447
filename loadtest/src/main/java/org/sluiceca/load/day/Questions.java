package org.sluiceca.load.day;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.sluiceca.load.call.Http;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.day.state.DayPlan;
import org.sluiceca.load.day.state.MarkFigures.Latency;
import org.sluiceca.load.judge.Percentiles;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.soak.OcspClient;
import org.sluiceca.load.soak.judge.OcspJudge;
import org.sluiceca.load.watch.TrialNodes;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Asks node 0 one question after another, each about certificates chosen at random among all that
 * are stored, and judges the answers. Used by one thread.
 */
final class Questions {

  private static final int COUNT = 300;

  /** A report counts all that expire; its line is one for each week, profile and requester. */
  private static final int REPORTS = 20;

  /** Unmeasured: the node's code for it is compiled, and the database has read its indexes. */
  private static final double WARM_UP_SHARE = 0.5;

  /** Of each kind; what takes longer is asked less often. */
  private static final long KIND_NANOS = TimeUnit.SECONDS.toNanos(60);

  private static final int DESCRIBED_MAX = 200;

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final JsonMapper JSON = JsonMapper.shared();

  private final HttpClient client;
  private final String https;
  private final String http;
  private final String token;
  private final OcspClient party;
  private final Random random;
  private final Map<String, Latency> latencies = new LinkedHashMap<>();
  private final List<String> serials = new ArrayList<>();

  Questions(HttpClient client, TrialNodes nodes, OcspClient party, long seed) {
    this.client = client;
    this.https = "https://localhost:" + nodes.httpsPort();
    this.http = "http://127.0.0.1:" + nodes.httpPort(0);
    this.token = nodes.read("admin.token");
    this.party = party;
    this.random = new Random(seed);
  }

  /**
   * Asks everything; blocks for minutes at most.
   *
   * @param mark its index, whose revocations are done
   * @return by kind of question
   */
  Map<String, Latency> ask(DayPlan plan, int mark) {
    long stored = plan.marks().get(mark);
    List<String> asking = plan.asking(mark);
    measure(
        "by exact name",
        COUNT,
        () -> search("san=" + CsrGenerator.name(number(stored))),
        this::isOne);
    if (serials.isEmpty()) {
      throw new TrialException("no certificate is found by its name");
    }
    // Of those that the search for exact names has found.
    measure(
        "by serial number",
        COUNT,
        () -> get("/v1/certificates/" + serials.get(random.nextInt(serials.size()))),
        answer -> answer.statusCode() == 200);
    measure(
        "by prefix of a name",
        COUNT,
        () -> search("san=" + CsrGenerator.prefix(number(stored)) + "*"),
        this::hasSome);
    measure(
        "by requester, valid",
        COUNT,
        () -> search("status=valid&requester=" + asking.get(random.nextInt(asking.size()))),
        this::hasSome);
    if (plan.toRevoke(mark) > 0) {
      measure(
          "by requester, revoked",
          COUNT,
          () -> search("status=revoked&requester=" + DayPlan.revokedRequester(mark)),
          this::hasSome);
    }
    measure(
        "expiry report",
        REPORTS,
        () -> get("/v1/reports/expiry?withinDays=120"),
        answer -> counted(answer) >= stored);
    status();
    return latencies;
  }

  private long number(long stored) {
    return random.nextLong(stored);
  }

  private HttpRequest search(String query) {
    return get("/v1/certificates?" + query);
  }

  private HttpRequest get(String path) {
    return HttpRequest.newBuilder(URI.create(https + path))
        .timeout(LIMIT)
        .header("Authorization", "Bearer " + token)
        .build();
  }

  /** One name is in one certificate. */
  private boolean isOne(HttpResponse<byte[]> answer) {
    JsonNode found = JSON.readTree(answer.body()).path("certificates");
    if (answer.statusCode() != 200 || found.size() != 1) {
      return false;
    }
    serials.add(found.path(0).path("serial").asString());
    return true;
  }

  private boolean hasSome(HttpResponse<byte[]> answer) {
    return answer.statusCode() == 200
        && !JSON.readTree(answer.body()).path("certificates").isEmpty();
  }

  /** The single requests' are among them. */
  private static long counted(HttpResponse<byte[]> answer) {
    long sum = 0;
    if (answer.statusCode() == 200) {
      for (JsonNode line : JSON.readTree(answer.body()).path("lines")) {
        sum += line.path("certificates").asLong();
      }
    }
    return sum;
  }

  /** Half of the time is for those that the responder has to sign, each asked for once. */
  private void status() {
    List<String> asked = serials.stream().distinct().limit(COUNT).toList();
    List<String> turn = new ArrayList<>(asked);
    Supplier<HttpRequest> next = () -> ocsp(turn.removeFirst());
    measure("OCSP, first time", (int) (asked.size() / (1 + WARM_UP_SHARE)), next, this::isStatus);
    Supplier<HttpRequest> again = () -> ocsp(asked.get(random.nextInt(asked.size())));
    measure("OCSP, again", COUNT, again, this::isStatus);
  }

  private HttpRequest ocsp(String serial) {
    return HttpRequest.newBuilder(URI.create(http + "/ocsp"))
        .timeout(LIMIT)
        .header("Content-Type", "application/ocsp-request")
        .header("X-Asked", serial)
        .POST(BodyPublishers.ofByteArray(party.request(serial)))
        .build();
  }

  /** Signed by the responder, about that certificate, which may be one of those revoked. */
  private boolean isStatus(HttpResponse<byte[]> answer) {
    String serial = answer.request().headers().firstValue("X-Asked").orElseThrow();
    try {
      return answer.statusCode() == 200
          && party
              .read(answer.body(), serial, Instant.now())
              .filter(said -> said.status() != OcspJudge.Status.UNKNOWN)
              .isPresent();
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private void measure(
      String kind, int count, Supplier<HttpRequest> next, Predicate<HttpResponse<byte[]>> judge) {
    int wrong = 0;
    String firstWrong = "";
    List<Double> millis = new ArrayList<>();
    long end = System.nanoTime() + KIND_NANOS;
    int warmUp = (int) (WARM_UP_SHARE * count);
    for (int i = 0; i < warmUp + count && System.nanoTime() < end; i++) {
      HttpRequest request = next.get();
      long began = System.nanoTime();
      HttpResponse<byte[]> answer = send(request);
      double took = (System.nanoTime() - began) / 1e6;
      if (!judge.test(answer)) {
        firstWrong =
            wrong == 0 ? described(answer.statusCode(), answer.body(), i, took) : firstWrong;
        wrong++;
      }
      if (i >= warmUp) {
        millis.add(took);
      }
    }
    latencies.put(kind, latency(millis, wrong, firstWrong));
  }

  /** Returns the percentiles of times in milliseconds. */
  static Latency latency(List<Double> millis, int wrong, String firstWrong) {
    Percentiles of = new Percentiles(millis.stream().mapToDouble(Double::doubleValue));
    return new Latency(millis.size(), of.at(0.5), of.at(0.99), of.at(1), wrong, firstWrong);
  }

  /** Status and beginning of an answer, so that a run of hours need not be repeated to know it. */
  static String described(int status, byte[] body, int before, double millis) {
    String text = new String(body, StandardCharsets.UTF_8);
    return Text.format(
        "%d after %d others, in %.0f ms: %s",
        status,
        before,
        millis,
        text.substring(0, Math.min(text.length(), DESCRIBED_MAX)).replaceAll("\\s+", " "));
  }

  private HttpResponse<byte[]> send(HttpRequest request) {
    return Http.send(client, request, BodyHandlers.ofByteArray());
  }
}
