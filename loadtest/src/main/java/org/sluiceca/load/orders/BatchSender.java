package org.sluiceca.load.orders;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends one requester's orders, batch by batch, to one node after another. What a batch does not
 * confirm is sent again, under the same key. Thread-safe.
 */
final class BatchSender implements Runnable {

  /** Some 3 MB; a node that dies costs no more than that. */
  private static final int LINES = 2_000;

  private static final Duration LIMIT = Duration.ofMinutes(5);

  /** A node that refuses connections is dead or starting. */
  private static final Duration PAUSE = Duration.ofMillis(500);

  private static final JsonMapper JSON = JsonMapper.shared();

  private final HttpClient client;
  private final IntSupplier port;
  private final String token;
  private final String keyPrefix;
  private final List<String> requests;

  /** The numbers of orders that are not confirmed. */
  private final NavigableSet<Integer> open = new ConcurrentSkipListSet<>();

  /** How many results of each status there were. */
  private final Map<Integer, Integer> statuses = new ConcurrentHashMap<>();

  /**
   * Sends to whatever port is next.
   *
   * @param keyPrefix what its Idempotency-Keys begin with
   * @param requests PKCS#10 in base64, used in turns
   */
  BatchSender(
      HttpClient client,
      IntSupplier port,
      String token,
      String keyPrefix,
      List<String> requests,
      int count) {
    this.client = client;
    this.port = port;
    this.token = token;
    this.keyPrefix = keyPrefix;
    this.requests = requests;
    IntStream.range(0, count).forEach(open::add);
  }

  /** Sends until all orders are confirmed, or it is interrupted. */
  @Override
  public void run() {
    try {
      sendAll();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void sendAll() throws InterruptedException {
    while (!open.isEmpty()) {
      try {
        send(open.stream().limit(LINES).toList());
      } catch (IOException e) {
        Thread.sleep(PAUSE);
      }
    }
  }

  /** Returns how many orders are not confirmed. */
  int open() {
    return open.size();
  }

  Map<Integer, Integer> statuses() {
    return Map.copyOf(statuses);
  }

  private void send(List<Integer> batch) throws IOException, InterruptedException {
    StringBuilder lines = new StringBuilder();
    for (int order : batch) {
      lines
          .append("{\"id\":\"")
          .append(order)
          .append("\",\"profile\":\"tls-server\",\"csr\":\"")
          .append(requests.get(order % requests.size()))
          .append("\",\"idempotencyKey\":\"")
          .append(keyPrefix)
          .append(order)
          .append("\"}\n");
    }
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("https://localhost:" + port.getAsInt() + "/v1/certificates:batch"))
            .timeout(LIMIT)
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/x-ndjson")
            .header("Prefer", "respond-async")
            .POST(BodyPublishers.ofString(lines.toString()))
            .build();
    HttpResponse<InputStream> answer = client.send(request, BodyHandlers.ofInputStream());
    try (BufferedReader results =
        new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
      if (answer.statusCode() != 200) {
        int ignored = statuses.merge(answer.statusCode(), 1, Integer::sum);
        Thread.sleep(PAUSE);
        return;
      }
      for (String line = results.readLine(); line != null; line = results.readLine()) {
        note(JSON.readTree(line));
      }
    }
  }

  /** 201: an earlier batch was not heard to the end, or the certificate is there already. */
  private void note(JsonNode result) {
    int status = result.path("status").asInt();
    var ignored = statuses.merge(status, 1, Integer::sum);
    if ((status == 201 || status == 202) && result.has("id")) {
      open.remove(Integer.parseInt(result.path("id").asString()));
    }
  }
}
