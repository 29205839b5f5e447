package org.sluiceca.blackbox;

import java.io.Closeable;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a script of ACME needs: clients of one server, and a transcript of what it was answered. For
 * one thread.
 */
final class AcmeScript {

  /**
   * A server of ACME.
   *
   * @param open a client of it
   * @param directory of the endpoint that has names proven and makes accounts for all
   * @param bound a client of the server that asks for bindings
   * @param boundDirectory of the endpoint that makes accounts by bindings alone
   * @param kid of a binding there
   * @param hmacKey of that binding
   */
  record Server(
      Api open, String directory, Api bound, String boundDirectory, String kid, String hmacKey) {}

  private final Server server;
  private final List<Exchange> transcript = new ArrayList<>();
  private final Set<String> names = new HashSet<>();

  AcmeScript(Server server) {
    this.server = server;
  }

  Server server() {
    return server;
  }

  List<Exchange> transcript() {
    return List.copyOf(transcript);
  }

  /** A client without an account at the open endpoint. */
  AcmeClient client() {
    return new AcmeClient(server.open(), server.directory());
  }

  AcmeClient registered() {
    AcmeClient client = client();
    var _ = client.register();
    return client;
  }

  /** A client of the same server with the account of another, and with its own nonces. */
  AcmeClient as(AcmeClient other) {
    return new AcmeClient(server.open(), other);
  }

  /** Keeps an answer under a name of its own. */
  Answer note(String request, Answer answer) {
    add(Exchange.of(request, answer));
    return answer;
  }

  /** The same for an answer that depends on how far the server has come. */
  Answer unsettled(String request, Answer answer) {
    add(Exchange.of(request, answer).unsettled());
    return answer;
  }

  private void add(Exchange exchange) {
    if (!names.add(exchange.request())) {
      throw new AssertionError("twice: " + exchange.request());
    }
    transcript.add(exchange);
  }

  /** Sends a request without a signature. */
  Answer plain(String method, String url) {
    return server.open().send(method, AcmeClient.path(url), BodyPublishers.noBody());
  }

  /** Sends octets as they are. */
  Answer raw(String url, String contentType, String body) {
    return server
        .open()
        .post(AcmeClient.path(url), contentType, body.getBytes(StandardCharsets.UTF_8));
  }

  static List<Map<String, String>> identifiers(String type, String... values) {
    return Arrays.stream(values).map(value -> Map.of("type", type, "value", value)).toList();
  }

  static Answer order(AcmeClient client, List<Map<String, String>> identifiers) {
    return client.post(client.url("newOrder"), Map.of("identifiers", identifiers));
  }

  static JsonNode challenge(JsonNode authorization, String type) {
    return authorization
        .path("challenges")
        .valueStream()
        .filter(challenge -> challenge.path("type").asString().equals(type))
        .findFirst()
        .orElseThrow(() -> new AssertionError(type + " is not offered: " + authorization));
  }

  static String authorization(Answer order) {
    return order.json().path("authorizations").path(0).asString();
  }

  /** Puts a proof of http-01 where every name of the script leads. */
  static Closeable page(AcmeClient client, JsonNode challenge) throws IOException {
    String token = challenge.path("token").asString();
    return ProofServers.proof(ProofServers.MACHINE, token, client.keyAuthorization(token));
  }

  /**
   * Has an order's one name proven by http-01 if it is not yet; returns the order as it is then.
   */
  JsonNode proven(AcmeClient client, Answer order) throws IOException {
    String url = authorization(order);
    JsonNode authorization = client.post(url, null).is(200).json();
    if (authorization.path("status").asString().equals("pending")) {
      JsonNode challenge = challenge(authorization, "http-01");
      try (Closeable _ = page(client, challenge)) {
        var _ = client.post(challenge.path("url").asString(), Map.of()).is(200);
        JsonNode after = client.after(url, "pending");
        if (!after.path("status").asString().equals("valid")) {
          throw new AssertionError(after);
        }
      }
    }
    return client.post(order.header("Location"), null).is(200).json();
  }

  /** Orders and downloads a certificate for one name; returns its DER. */
  byte[] certificate(AcmeClient client, KeyPair key, String name) throws Exception {
    Answer order = order(client, identifiers("dns", name)).is(201);
    JsonNode ready = proven(client, order);
    JsonNode done =
        client.finish(
            order.header("Location"),
            ready.path("finalize").asString(),
            Pkcs10.naming(key, "DNS:" + name));
    return Answer.certificate(client.post(done.path("certificate").asString(), null).is(200).body())
        .getEncoded();
  }

  /** The rest of the script means nothing without this. */
  static void status(String expected, JsonNode body) {
    if (!body.path("status").asString().equals(expected)) {
      throw new AssertionError("not " + expected + ": " + body);
    }
  }

  static Map<String, Object> csr(byte @Nullable [] der) {
    return der == null ? Map.of() : Map.of("csr", AcmeClient.encode(der));
  }
}
