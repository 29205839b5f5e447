package org.sluiceca.load.day;

import static java.util.Comparator.comparingLong;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.sluiceca.load.call.Http;
import org.sluiceca.load.call.Wait;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.day.state.MarkFigures.Crl;
import org.sluiceca.load.judge.Percentiles;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.watch.NodeAddresses;
import org.sluiceca.load.watch.TrialNodes;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Revokes all certificates of a requester, as an officer would, and looks at the CRL. Used by one
 * thread.
 */
record RevocationLoad(HttpClient client, TrialNodes nodes, NodeAddresses doors, DayLedger ledger) {

  /** A job does some 2,000/s; as long again on a machine that others use, and more. */
  private static final Duration JOB_LIMIT = Duration.ofMinutes(30);

  private static final Duration CRL_LIMIT = Duration.ofMinutes(3);
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** A dry run reads the ledger from end to end; a node gives it ten minutes. */
  private static final Duration COUNT_LIMIT = Duration.ofMinutes(11);

  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Duration SHORT_LOOK = Duration.ofMillis(20);
  private static final String PATH = "/v1/revocations";

  /** What a node says of each CRL. */
  private static final Pattern LOGGED =
      Pattern.compile("CRL ([0-9]+) of issuing: ([0-9]+) entries in ([0-9]+) ms");

  private static final JsonMapper JSON = JsonMapper.shared();

  /**
   * Revokes in bulk what a requester still has, then some certificates one after another; blocks
   * until the CRL has them all.
   *
   * @param singles serial numbers, one at least
   * @throws TrialException if the service does not do it in time
   */
  Crl revoke(String requester, List<String> singles) throws IOException {
    String selection = "{\"selection\":{\"requester\":\"" + requester + "\"},\"reason\":";
    JsonNode shown = dryRun(selection);
    long count = shown.path("count").asLong();
    long began = System.nanoTime();
    if (count > 0) {
      carryOut(
          selection
              + Text.format(
                  "\"cessationOfOperation\",\"dryRun\":false,\"confirmation\":\"%s\"}",
                  shown.path("confirmation").asString()),
          count);
    }
    double bulkSeconds = count == 0 ? Double.NaN : (System.nanoTime() - began) / 1e9;
    Wait.require(CRL_LIMIT, LOOK, "the CRL has not all revocations", this::isCrlComplete);
    List<Double> seconds = new ArrayList<>();
    for (String serial : singles) {
      seconds.add(publish(serial));
    }
    Wait.require(CRL_LIMIT, LOOK, "the CRL has not all revocations", this::isCrlComplete);
    byte[] crl = crl();
    return new Crl(
        count,
        bulkSeconds,
        crl.length,
        entries(crl),
        ledger.revocations(),
        signMillis(singles.size()),
        median(seconds));
  }

  private JsonNode dryRun(String selection) {
    String body = selection + "\"cessationOfOperation\",\"dryRun\":true}";
    HttpResponse<String> answer = post(body, COUNT_LIMIT);
    if (answer.statusCode() != 200) {
      throw new TrialException("no dry run: " + answer.statusCode() + " " + answer.body());
    }
    return JSON.readTree(answer.body());
  }

  private void carryOut(String body, long count) {
    HttpResponse<String> started = post(body, LIMIT);
    if (started.statusCode() != 202) {
      throw new TrialException("not started: " + started.statusCode() + " " + started.body());
    }
    String job = started.headers().firstValue("Location").orElseThrow();
    Wait.require(
        JOB_LIMIT,
        LOOK,
        "the revocations are not done",
        () -> {
          JsonNode state = JSON.readTree(send(https(job).build()).body());
          if (state.path("status").asString().equals("failed")) {
            throw new TrialException("the job failed: " + state);
          }
          return state.path("status").asString().equals("done")
              && state.path("revoked").asLong() + state.path("alreadyRevoked").asLong() == count;
        });
  }

  private HttpResponse<String> post(String body, Duration limit) {
    return send(
        https(PATH)
            .timeout(limit)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build());
  }

  /** Returns after how many seconds another CRL was there. */
  private double publish(String serial) {
    String tag = head().headers().firstValue("ETag").orElse("");
    doors.revoke(0, serial);
    long began = System.nanoTime();
    Wait.require(
        CRL_LIMIT,
        SHORT_LOOK,
        "no CRL after a revocation",
        () -> !head().headers().firstValue("ETag").orElse(tag).equals(tag));
    return (System.nanoTime() - began) / 1e9;
  }

  private boolean isCrlComplete() {
    byte[] crl = crl();
    return crl.length > 0 && entries(crl) == ledger.revocations();
  }

  private static long entries(byte[] crl) {
    try {
      X509CRL read =
          (X509CRL)
              CertificateFactory.getInstance("X.509").generateCRL(new ByteArrayInputStream(crl));
      return read.getRevokedCertificates() == null ? 0 : read.getRevokedCertificates().size();
    } catch (GeneralSecurityException e) {
      throw new TrialException("not a CRL", e);
    }
  }

  private URI crlUri() {
    return URI.create("http://127.0.0.1:" + nodes.httpPort(0) + "/crl/issuing.crl");
  }

  private HttpResponse<Void> head() {
    return Http.send(
        client,
        HttpRequest.newBuilder(crlUri())
            .timeout(LIMIT)
            .method("HEAD", BodyPublishers.noBody())
            .build(),
        BodyHandlers.discarding());
  }

  /** Empty while there is none. */
  private byte[] crl() {
    HttpResponse<byte[]> answer =
        Http.send(
            client,
            HttpRequest.newBuilder(crlUri()).timeout(LIMIT).build(),
            BodyHandlers.ofByteArray());
    return answer.statusCode() == 200 ? answer.body() : new byte[0];
  }

  /** The median of what the nodes say of the last CRLs; NaN if they say nothing. */
  private double signMillis(int last) throws IOException {
    List<MatchResult> logged = new ArrayList<>();
    for (int node = 0; node < nodes.count(); node++) {
      Path log = nodes.file("node-" + node + ".log");
      LOGGED
          .matcher(Files.readString(log, StandardCharsets.ISO_8859_1))
          .results()
          .forEach(logged::add);
    }
    return median(
        logged.stream()
            .sorted(comparingLong((MatchResult each) -> Long.parseLong(each.group(1))).reversed())
            .limit(last)
            .map(each -> Double.valueOf(each.group(3)))
            .toList());
  }

  private static double median(List<Double> values) {
    return new Percentiles(values.stream().mapToDouble(Double::doubleValue)).at(0.5);
  }

  private HttpRequest.Builder https(String path) {
    return HttpRequest.newBuilder(URI.create("https://localhost:" + nodes.httpsPort() + path))
        .timeout(LIMIT)
        .header("Authorization", "Bearer " + nodes.read("admin.token"));
  }

  private HttpResponse<String> send(HttpRequest request) {
    return Http.send(client, request, BodyHandlers.ofString());
  }
}
