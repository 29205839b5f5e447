package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpTimeoutException;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Clients of one ACME account that send every request again, to the next node, until it is
 * answered. Thread-safe.
 */
final class StubbornOrders {

  /** No promise, only an end. */
  private static final Duration ENDED_WITHIN = Duration.ofMinutes(5);

  /**
   * How an order ended, as its client saw it.
   *
   * @param key SHA-256 of the public key, which no other order has, in hexadecimal digits
   * @param status of the order
   * @param reason why it is invalid; empty if none was given
   * @param serial of the certificate that was downloaded, as 38 hexadecimal digits; empty without
   */
  record Ended(String key, String status, String reason, String serial) {}

  private final IntFunction<Api> nodes;
  private final AcmeClient account;
  private final AtomicInteger turn = new AtomicInteger();
  private final AtomicInteger unanswered = new AtomicInteger();
  private final Set<String> cut = ConcurrentHashMap.newKeySet();
  private final Set<String> late = ConcurrentHashMap.newKeySet();
  private final AtomicInteger refusedNonces = new AtomicInteger();

  /**
   * @param nodes the node for a number of a request
   * @param account a registered account, whose own nonces are not used
   */
  StubbornOrders(IntFunction<Api> nodes, AcmeClient account) {
    this.nodes = nodes;
    this.account = account;
  }

  /** Returns how many requests got no answer at all. */
  int unanswered() {
    return unanswered.get();
  }

  /** The nonces of the signed requests whose connection ended without an answer. */
  Set<String> cut() {
    return Set.copyOf(cut);
  }

  /** The nonces of the signed requests that were not answered in time. */
  Set<String> late() {
    return Set.copyOf(late);
  }

  /** Returns how many requests were refused for their nonce. */
  int refusedNonces() {
    return refusedNonces.get();
  }

  /** Orders a certificate for a name and a key of its own, and follows the order to its end. */
  Ended order(String name, KeyPair key, byte[] csr) {
    Answer made =
        insist(
                account.url("newOrder"),
                Map.of("identifiers", List.of(Map.of("type", "dns", "value", name))))
            .is(201);
    String url = made.header("Location");
    Answer _ =
        insist(made.json().path("finalize").asString(), Map.of("csr", AcmeClient.encode(csr)))
            .is(200);
    AtomicReference<@Nullable JsonNode> last = new AtomicReference<>();
    Poll.until(
        url + " has ended",
        ENDED_WITHIN,
        () -> {
          JsonNode body = insist(url, null).is(200).json();
          last.set(body);
          return !body.path("status").asString().equals("processing");
        });
    JsonNode order = Optional.ofNullable(last.get()).orElseThrow();
    String status = order.path("status").asString();
    String serial = "";
    if (status.equals("valid")) {
      byte[] chain = insist(order.path("certificate").asString(), null).is(200).body();
      X509Certificate certificate = Answer.certificate(chain);
      assertThat(certificate.getPublicKey()).isEqualTo(key.getPublic());
      serial = "%038x".formatted(certificate.getSerialNumber());
    }
    return new Ended(keyOf(key), status, order.path("error").path("detail").asString(""), serial);
  }

  static String keyOf(KeyPair key) {
    return HexFormat.of().formatHex(AcmeClient.sha256(key.getPublic().getEncoded()));
  }

  /** Sends a request until its answer does not ask to send it again. */
  private Answer insist(String url, @Nullable Object payload) {
    AtomicReference<@Nullable Answer> last = new AtomicReference<>();
    Poll.until(
        url + " is answered",
        ENDED_WITHIN,
        () -> {
          Answer answer = ask(url, payload);
          last.set(answer);
          return answer != null && !isTransient(answer);
        });
    return Optional.ofNullable(last.get()).orElseThrow();
  }

  private @Nullable Answer ask(String url, @Nullable Object payload) {
    Api node = nodes.apply(turn.getAndIncrement());
    String nonce = "";
    try {
      Answer head =
          node.send("HEAD", AcmeClient.path(account.url("newNonce")), BodyPublishers.noBody());
      if (head.status() != 200) {
        return head;
      }
      nonce = head.header("Replay-Nonce");
      Map<String, String> header =
          Map.of("alg", "ES256", "nonce", nonce, "url", url, "kid", account.account());
      return new AcmeClient(node, account).send(url, header, payload);
    } catch (UncheckedIOException e) {
      unanswered.incrementAndGet();
      if (!nonce.isEmpty()) {
        (e.getCause() instanceof HttpTimeoutException ? late : cut).add(nonce);
      }
      return null;
    }
  }

  private boolean isTransient(Answer answer) {
    boolean isNonce = answer.status() == 400 && answer.text().contains(":badNonce\"");
    if (isNonce) {
      refusedNonces.incrementAndGet();
    }
    return isNonce || answer.status() == 429 || answer.status() == 503;
  }
}
