package org.sluiceca.blackbox;

import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.sluiceca.load.acme.AccountKey;
import org.sluiceca.load.acme.Jws;
import tools.jackson.databind.JsonNode;

/** A client of ACME that says exactly what a test wants it to say. For one thread. */
final class AcmeClient {

  private static final String JOSE = "application/jose+json";

  private final Api api;
  private final JsonNode directory;
  private KeyPair key;
  private @Nullable String account;
  private String nonce = "";

  AcmeClient(Api api, String directory) {
    this.api = api;
    this.directory = api.get(path(directory)).is(200).json();
    this.key = newKey();
  }

  /** Another client at another node or of another account, with the same directory. */
  AcmeClient(Api api, AcmeClient other) {
    this.api = api;
    this.directory = other.directory;
    this.key = other.key;
    this.account = other.account;
  }

  static KeyPair newKey() {
    return AccountKey.newPair();
  }

  String url(String resource) {
    return directory.path(resource).asString();
  }

  JsonNode directory() {
    return directory;
  }

  String account() {
    return String.valueOf(account);
  }

  /** Takes an account that {@link #byKey} has made. */
  void account(String url) {
    account = url;
  }

  KeyPair key() {
    return key;
  }

  void key(KeyPair next) {
    key = next;
  }

  String freshNonce() {
    return api.send("HEAD", path(url("newNonce")), BodyPublishers.noBody())
        .is(200)
        .header("Replay-Nonce");
  }

  /** Registers with an external account binding. */
  Answer register(String kid, String hmacKey) {
    Map<String, Object> payload = new LinkedHashMap<>();
    payload.put("termsOfServiceAgreed", true);
    payload.put("contact", List.of("mailto:ops@corp.example"));
    payload.put("externalAccountBinding", binding(kid, hmacKey, url("newAccount")));
    Answer answer = byKey(url("newAccount"), payload);
    if (answer.status() == 201 || answer.status() == 200) {
      account = answer.header("Location");
    }
    return answer;
  }

  /** Registers where no binding is asked for. */
  Answer register() {
    Answer answer = byKey(url("newAccount"), Map.of("termsOfServiceAgreed", true)).is(201);
    account = answer.header("Location");
    return answer;
  }

  /** What proves that the account has seen a token (RFC 8555 8.1). */
  String keyAuthorization(String token) {
    return new AccountKey(key).keyAuthorization(token);
  }

  /** The record that proves a name by dns-01 (RFC 8555 8.4). */
  String dnsProof(String token) {
    return encode(sha256(Api.ascii(keyAuthorization(token))));
  }

  Map<String, String> binding(String kid, String hmacKey, String url) {
    return new AccountKey(key).bound(kid, hmacKey, url).members();
  }

  /** A request that the account signs; null is POST-as-GET. */
  Answer post(String url, @Nullable Object payload) {
    return send(url, header(url, Map.of("kid", account())), payload);
  }

  /** A request that the key signs itself. */
  Answer byKey(String url, @Nullable Object payload) {
    return send(url, header(url, Map.of("jwk", jwk(key))), payload);
  }

  Map<String, Object> header(String url, Map<String, ?> signer) {
    Map<String, Object> header = new LinkedHashMap<>();
    header.put("alg", "ES256");
    header.put("nonce", nonce.isEmpty() ? freshNonce() : nonce);
    header.put("url", url);
    header.putAll(signer);
    return header;
  }

  /** Sends what the header says, whatever it says. */
  Answer send(String url, Map<String, ?> header, @Nullable Object payload) {
    Answer answer =
        api.post(
            path(url),
            JOSE,
            Answer.json(jws(header, payload, key)).getBytes(StandardCharsets.UTF_8));
    nonce = answer.header("Replay-Nonce");
    return answer;
  }

  static Map<String, String> jws(Map<String, ?> header, @Nullable Object payload, KeyPair by) {
    String said = payload == null ? "" : Answer.json(payload);
    return new AccountKey(by).sign(Answer.json(header), said).members();
  }

  static Map<String, String> jwk(KeyPair pair) {
    return new AccountKey(pair).jwk();
  }

  static String encode(byte[] octets) {
    return Jws.encoded(octets);
  }

  static byte[] sha256(byte[] octets) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(octets);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** Makes an order for DNS names. */
  Answer order(String... names) {
    return post(
        url("newOrder"),
        Map.of(
            "identifiers",
            Arrays.stream(names).map(name -> Map.of("type", "dns", "value", name)).toList()));
  }

  /** A whole enrollment; returns the order as it is in the end. */
  JsonNode enroll(byte[] csr, String... names) {
    Answer order = order(names).is(201);
    return finish(order.header("Location"), order.json().path("finalize").asString(), csr);
  }

  JsonNode finish(String order, String finalizing, byte[] csr) {
    var _ = post(finalizing, Map.of("csr", encode(csr))).is(200);
    return after(order, "processing");
  }

  /** What is at a URL as soon as its status is no longer {@code status}; asks for a minute. */
  JsonNode after(String url, String status) {
    JsonNode body = post(url, null).is(200).json();
    long end = System.nanoTime() + 60_000_000_000L;
    while (body.path("status").asString().equals(status) && System.nanoTime() < end) {
      LockSupport.parkNanos(100_000_000);
      body = post(url, null).is(200).json();
    }
    return body;
  }

  /** The path of a URL: the port of the node is that of the API. */
  static String path(String url) {
    URI uri = URI.create(url);
    return uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
  }
}
