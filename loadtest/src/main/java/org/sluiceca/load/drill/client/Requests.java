package org.sluiceca.load.drill.client;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;

/**
 * What clients ask for, by number: the same number is the same request, under the same
 * Idempotency-Key.
 *
 * @param token of a requester
 * @param run begins every Idempotency-Key
 * @param csrs in base64, used in turns
 */
public record Requests(String token, String run, List<String> csrs) {

  String key(int number) {
    return run + "-" + number;
  }

  HttpRequest.Builder of(int number, int port, Duration patience) {
    String csr = csrs.get(number % csrs.size());
    return HttpRequest.newBuilder(URI.create("https://localhost:" + port + "/v1/certificates"))
        .timeout(patience)
        .header("Authorization", "Bearer " + token)
        .header("Content-Type", "application/json")
        .header("Accept", "application/pkix-cert")
        .header("Idempotency-Key", key(number))
        .POST(BodyPublishers.ofString("{\"profile\":\"tls-server\",\"csr\":\"" + csr + "\"}"));
  }
}
