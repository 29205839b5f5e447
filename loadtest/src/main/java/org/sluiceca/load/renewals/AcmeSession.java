package org.sluiceca.load.renewals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
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
  private static final String BAD_NONCE = "urn:ietf:params:acme:error:badNonce";

  /** An integer of a P-256 point. */
  private static final int COORDINATE_OCTETS = 32;

  private final HttpClient client;
  private final TrialNodes nodes;
  private final JsonNode directory;
  private final KeyPair key;
  private final String account;
  private final ConcurrentLinkedQueue<String> nonces = new ConcurrentLinkedQueue<>();

  /** An answer, whatever its status. */
  record Reply(int status, String body, Optional<String> location, Optional<Duration> retryAfter) {

    static Reply of(HttpResponse<String> answer) {
      return new Reply(
          answer.statusCode(),
          answer.body(),
          answer.headers().firstValue("Location"),
          answer.headers().firstValue("Retry-After").map(Long::parseLong).map(Duration::ofSeconds));
    }

    JsonNode json() {
      return JSON.readTree(body);
    }
  }

  /**
   * Registers an account with the trial's binding.
   *
   * @throws TrialException if the node refuses it
   */
  AcmeSession(HttpClient client, TrialNodes nodes) throws GeneralSecurityException {
    this.client = client;
    this.nodes = nodes;
    JsonNode binding = JSON.readTree(nodes.read("acme-eab.json"));
    this.directory = get(0, binding.path("directory").asString()).json();
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    this.key = generator.generateKeyPair();
    String url = url("newAccount");
    Map<String, Object> wanted =
        Map.of("termsOfServiceAgreed", true, "externalAccountBinding", bound(binding, url));
    Reply registered = post(0, url, Map.of("jwk", jwk()), wanted);
    this.account =
        registered
            .location()
            .orElseThrow(() -> new TrialException("no account: " + registered.body()));
  }

  /** Returns the URL of a resource of the directory. */
  String url(String resource) {
    return directory.path(resource).asString();
  }

  /** Sends a request that the account signs; without a payload it is POST-as-GET. */
  Reply post(int node, String url, @Nullable Object payload) {
    return post(node, url, Map.of("kid", account), payload);
  }

  /** Asks a node for what needs no account. */
  Reply get(int node, String url) {
    HttpRequest request = request(node, path(url)).GET().build();
    return Reply.of(Http.send(client, request, BodyHandlers.ofString()));
  }

  private Reply post(int node, String url, Map<String, Object> signer, @Nullable Object payload) {
    Reply reply = posted(node, url, signer, payload);
    // The nonces of one that has waited too long: those of the answers are fresh.
    while (reply.status() == 400 && reply.body().contains(BAD_NONCE)) {
      reply = posted(node, url, signer, payload);
    }
    return reply;
  }

  private Reply posted(int node, String url, Map<String, Object> signer, @Nullable Object payload) {
    Map<String, Object> header = new LinkedHashMap<>();
    header.put("alg", "ES256");
    header.put("nonce", nonce(node));
    header.put("url", url);
    header.putAll(signer);
    String first = encode(JSON.writeValueAsBytes(header));
    String second = payload == null ? "" : encode(JSON.writeValueAsBytes(payload));
    String body =
        JSON.writeValueAsString(
            Map.of("protected", first, "payload", second, "signature", sign(first + "." + second)));
    HttpRequest request =
        request(node, path(url))
            .header("Content-Type", "application/jose+json")
            .POST(BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> answer = Http.send(client, request, BodyHandlers.ofString());
    answer.headers().firstValue("Replay-Nonce").ifPresent(nonces::add);
    return Reply.of(answer);
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

  private Map<String, String> bound(JsonNode binding, String url) throws GeneralSecurityException {
    Map<String, String> header =
        Map.of("alg", "HS256", "kid", binding.path("kid").asString(), "url", url);
    String first = encode(JSON.writeValueAsBytes(header));
    String second = encode(JSON.writeValueAsBytes(jwk()));
    Mac mac = Mac.getInstance("HmacSHA256");
    byte[] shared = Base64.getUrlDecoder().decode(binding.path("hmacKey").asString());
    mac.init(new SecretKeySpec(shared, "HmacSHA256"));
    byte[] tag = mac.doFinal((first + "." + second).getBytes(StandardCharsets.US_ASCII));
    return Map.of("protected", first, "payload", second, "signature", encode(tag));
  }

  private Map<String, String> jwk() {
    ECPublicKey point = (ECPublicKey) key.getPublic();
    return Map.of(
        "crv",
        "P-256",
        "kty",
        "EC",
        "x",
        encode(coordinate(point.getW().getAffineX().toByteArray())),
        "y",
        encode(coordinate(point.getW().getAffineY().toByteArray())));
  }

  private static byte[] coordinate(byte[] number) {
    byte[] octets = new byte[COORDINATE_OCTETS];
    int length = Math.min(number.length, octets.length);
    System.arraycopy(number, number.length - length, octets, octets.length - length, length);
    return octets;
  }

  private String sign(String text) {
    try {
      Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
      signature.initSign(key.getPrivate());
      signature.update(text.getBytes(StandardCharsets.US_ASCII));
      return encode(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK signs so", e);
    }
  }

  static String encode(byte[] octets) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(octets);
  }
}
