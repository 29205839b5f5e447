package org.sluiceca.load.soak;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.sluiceca.load.soak.SoakTerms.Scope;
import org.sluiceca.load.soak.judge.Lives;
import org.sluiceca.load.soak.judge.Look;
import org.sluiceca.load.soak.judge.SilenceJudge;

/**
 * Fetches one node's CRLs and asks its OCSP responder, again and again, one request after the
 * other, until it is asked to end.
 */
final class Watcher implements Runnable {

  /** A node that is stopped takes connections and says nothing. */
  private static final Duration LIMIT = Duration.ofSeconds(4);

  private static final Duration ROUND = Duration.ofMillis(700);

  /** Asked about in a round. */
  private static final int CERTIFICATES = 6;

  private final int node;
  private final URI base;
  private final HttpClient client;
  private final Judges party;
  private final AtomicBoolean isOver = new AtomicBoolean();
  private final AtomicLong answers = new AtomicLong();
  private final AtomicLong unanswered = new AtomicLong();
  private int turn;

  /** The ingest and the judges, which all nodes share. */
  record Judges(ResponseIngest ingest, SilenceJudge silence, Sample sample, Lives lives) {}

  /** Watches a node whose plain port is at {@code base}. */
  Watcher(int node, URI base, HttpClient client, Judges party) {
    this.node = node;
    this.base = base;
    this.client = client;
    this.party = party;
  }

  @Override
  public void run() {
    try {
      while (!isOver.get()) {
        long began = System.nanoTime();
        for (Scope scope : party.ingest().scopes()) {
          crl(scope, false);
          crl(scope, true);
        }
        for (int number : party.sample().some(CERTIFICATES)) {
          ocsp(number);
        }
        long left = ROUND.toNanos() - (System.nanoTime() - began);
        Thread.sleep(Duration.ofNanos(Math.max(0, left)));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void end() {
    isOver.set(true);
  }

  /** Returns how many answers there were. */
  long answers() {
    return answers.get();
  }

  /** Returns how many requests a living node did not answer, or by {@code tryLater}. */
  long unanswered() {
    return unanswered.get();
  }

  private void crl(Scope scope, boolean isDelta) throws InterruptedException {
    Instant sent = Instant.now();
    HttpRequest request = request(isDelta ? scope.deltaPath() : scope.path()).build();
    Optional<HttpResponse<byte[]>> answer = send(request, sent);
    answer.ifPresent(a -> party.ingest().crl(scope, isDelta, look(sent), a.statusCode(), a.body()));
  }

  private void ocsp(int number) throws InterruptedException {
    byte[] der = party.ingest().question(number);
    String base64 = Base64.getEncoder().encodeToString(der);
    turn++;
    HttpRequest request =
        turn % 2 == 0
            ? request("/ocsp/" + URLEncoder.encode(base64, StandardCharsets.US_ASCII)).build()
            : request("/ocsp")
                .header("Content-Type", "application/ocsp-request")
                .POST(BodyPublishers.ofByteArray(der))
                .build();
    Instant sent = Instant.now();
    Optional<HttpResponse<byte[]>> answer = send(request, sent);
    answer.ifPresent(
        a -> party.ingest().ocsp(number, look(sent), a.statusCode(), a.body(), () -> missed(sent)));
  }

  private Look look(Instant sent) {
    return new Look(node, sent, Instant.now());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(base.resolve(path)).timeout(LIMIT);
  }

  private Optional<HttpResponse<byte[]>> send(HttpRequest request, Instant sent)
      throws InterruptedException {
    try {
      HttpResponse<byte[]> answer = client.send(request, BodyHandlers.ofByteArray());
      long ignored = answers.incrementAndGet();
      party.silence().answered(look(sent));
      return Optional.of(answer);
    } catch (IOException e) {
      party.silence().unanswered(look(sent));
      missed(sent);
      return Optional.empty();
    }
  }

  /** Counts it, unless the node dies or wakes: no answer is expected of it then. */
  private void missed(Instant sent) {
    if (party.lives().isSteadySince(node, sent.minus(LIMIT))) {
      long ignored = unanswered.incrementAndGet();
    }
  }
}
