package org.sluiceca.load.renewals;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.sluiceca.load.acme.AccountKey;
import org.sluiceca.load.acme.Answer;
import org.sluiceca.load.call.Http;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.watch.TrialNodes;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An account of ACME (RFC 8555), shared by the clients of a herd, at all nodes of a trial.
 * Thread-safe; every call blocks for its answer, 45 s at most.
 */
final class AcmeSession {

  private static final Duration LIMIT = Duration.ofSeconds(45);
  private static final JsonMapper JSON = JsonMapper.shared();

  private final HttpClient client;
  private final TrialNodes nodes;
  private final JsonNode directory;
  private final AccountKey key = new AccountKey();
  private final String account;
  private final ConcurrentLinkedQueue<String> nonces = new ConcurrentLinkedQueue<>();

  /**
   * Registers an account with the trial's binding.
   *
   * @throws TrialException if the node refuses it
   */
  AcmeSession(HttpClient client, TrialNodes nodes) throws IOException {
    this.client = client;
    this.nodes = nodes;
    JsonNode binding = JSON.readTree(nodes.read("acme-eab.json"));
    this.directory = get(0, binding.path("directory").asString()).json();
    String url = url("newAccount");
    String kid = binding.path("kid").asString();
    String bound = key.bound(kid, binding.path("hmacKey").asString(), url).json();
    String wanted = "{\"termsOfServiceAgreed\":true,\"externalAccountBinding\":" + bound + "}";
    Answer registered = post(0, url, key.named(), wanted);
    this.account =
        registered
            .header("location")
            .orElseThrow(() -> new TrialException("no account: " + registered.body()));
  }

  /** Returns the URL of a resource of the directory. */
  String url(String resource) {
    return directory.path(resource).asString();
  }

  /** Sends a request that the account signs; without a payload it is POST-as-GET. */
  Answer post(int node, String url, @Nullable Object payload) {
    String text = payload == null ? "" : JSON.writeValueAsString(payload);
    return post(node, url, "\"kid\":\"" + account + "\"", text);
  }

  /** Asks a node for what needs no account. */
  Answer get(int node, String url) {
    HttpRequest request = request(node, path(url)).GET().build();
    return Answer.of(Http.send(client, request, BodyHandlers.ofString()));
  }

  private Answer post(int node, String url, String signer, String payload) {
    Answer answer = posted(node, url, signer, payload);
    // The nonces of one that has waited too long: those of the answers are fresh.
    while (answer.isBadNonce()) {
      answer = posted(node, url, signer, payload);
    }
    return answer;
  }

  private Answer posted(int node, String url, String signer, String payload) {
    String body = key.request(signer, nonce(node), url, payload).json();
    HttpRequest request =
        request(node, path(url))
            .header("Content-Type", "application/jose+json")
            .POST(BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> answer = Http.send(client, request, BodyHandlers.ofString());
    answer.headers().firstValue("Replay-Nonce").ifPresent(nonces::add);
    return Answer.of(answer);
  }

  private String nonce(int node) {
    String kept = nonces.poll();
    if (kept != null) {
      return kept;
    }
    HttpRequest request =
        request(node, path(url("newNonce"))).method("HEAD", BodyPublishers.noBody()).build();
    return Http.send(client, request, BodyHandlers.ofString())
        .headers()
        .firstValue("Replay-Nonce")
        .orElseThrow(() -> new TrialException("node " + node + " gives no nonce"));
  }

  private HttpRequest.Builder request(int node, String path) {
    return HttpRequest.newBuilder(
            URI.create("https://localhost:" + (nodes.httpsPort() + node) + path))
        .timeout(LIMIT);
  }

  private static String path(String url) {
    return URI.create(url).getRawPath();
  }
}
