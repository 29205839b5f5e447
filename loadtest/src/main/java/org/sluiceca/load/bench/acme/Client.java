package org.sluiceca.load.bench.acme;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.sluiceca.load.acme.AccountKey;
import org.sluiceca.load.acme.Answer;
import org.sluiceca.load.acme.Connection;
import org.sluiceca.load.acme.ProofPages;
import tools.jackson.databind.JsonNode;

/**
 * One client: a connection and an account, which takes one certificate after another (RFC 8555
 * 7.4). Takes each nonce from the answer before. For one thread.
 */
final class Client implements AutoCloseable {

  /** Between two looks at what is not there yet; clients of the field wait for a second or more. */
  private static final Duration POLL = Duration.ofMillis(20);

  private static final int POLLS_MAX = 1_000;

  /** A nonce may be too old after a pause. */
  private static final int NONCES_MAX = 3;

  private final Authority authority;
  private final ProofPages proofs;
  private final Connection connection;
  private AccountKey key = new AccountKey();
  private String signer = "";
  private int orders;
  private Optional<String> nonce = Optional.empty();
  private Steps steps = new Steps();
  private CountDownLatch stop = new CountDownLatch(1);

  Client(Authority authority, ProofPages proofs) {
    this.authority = authority;
    this.proofs = proofs;
    this.connection = authority.connect();
  }

  /** Connects, and makes the first account: a load is measured without both. */
  void begin() throws IOException {
    // A server may have ended a connection that was idle while others had their turn.
    connection.close();
    nonce = Optional.of(fresh());
    ensureAccount();
  }

  /** Makes an account, unless this one may make more orders. */
  void ensureAccount() throws IOException {
    if (!signer.isEmpty() && orders < authority.ordersOfAccount()) {
      return;
    }
    key = new AccountKey();
    String binding =
        authority
            .binding()
            .map(
                by ->
                    ",\"externalAccountBinding\":"
                        + key.bound(by.kid(), by.hmacKey(), authority.newAccount().toString())
                            .json())
            .orElse("");
    signer = key.named();
    Answer made =
        signed(authority.newAccount(), "{\"termsOfServiceAgreed\":true" + binding + "}", 201);
    signer = "\"kid\":\"" + location(made) + "\"";
    orders = 0;
  }

  /**
   * Gets a certificate.
   *
   * @param csr in base64url
   * @param measured takes the time of each step
   * @param stopped ends a wait for the next poll, and so this call
   * @throws IOException if there is none, or the load has been stopped
   */
  void certificate(String name, String csr, Steps measured, CountDownLatch stopped)
      throws IOException {
    steps = measured;
    stop = stopped;
    orders++;
    Answer made =
        step(
            Step.NEW_ORDER,
            authority.newOrder(),
            "{\"identifiers\":[{\"type\":\"dns\",\"value\":\"" + name + "\"}]}",
            201);
    URI order = URI.create(location(made));
    JsonNode body = made.json();
    if (authority.isProven()) {
      prove(URI.create(body.path("authorizations").path(0).asString()));
    } else {
      require(body, "ready");
    }
    URI finish = URI.create(body.path("finalize").asString());
    step(Step.FINALIZE, finish, "{\"csr\":\"" + csr + "\"}", 200);
    // Also if the answer to finalize was enough: certbot and others always ask once more.
    JsonNode valid = await(Step.POLL, order, false);
    Answer chain = step(Step.DOWNLOAD, URI.create(valid.path("certificate").asString()), "", 200);
    if (!chain.header("content-type").orElse("").startsWith("application/pem-certificate-chain")) {
      throw new IOException("no chain of certificates: " + chain.text());
    }
  }

  private void prove(URI authorization) throws IOException {
    JsonNode pending = step(Step.AUTHORIZATION, authorization, "", 200).json();
    for (JsonNode challenge : pending.path("challenges")) {
      if (challenge.path("type").asString().equals("http-01")) {
        String token = challenge.path("token").asString();
        proofs.put(token, key.keyAuthorization(token));
        try {
          URI url = URI.create(challenge.path("url").asString());
          JsonNode begun = step(Step.CHALLENGE, url, "{}", 200).json();
          boolean isSeen = begun.path("status").asString().equals("valid");
          JsonNode _ = await(Step.AUTHORIZATION_POLL, authorization, !isSeen);
        } finally {
          proofs.remove(token);
        }
        return;
      }
    }
    throw new IOException("no http-01 is offered");
  }

  private JsonNode await(Step step, URI url, boolean isLater) throws IOException {
    boolean waits = isLater;
    for (int i = 0; i < POLLS_MAX; i++) {
      if (waits) {
        pause();
      }
      waits = true;
      JsonNode now = step(step, url, "", 200).json();
      String status = now.path("status").asString();
      if (status.equals("valid")) {
        return now;
      }
      if (!status.equals("pending") && !status.equals("processing") && !status.equals("ready")) {
        throw new IOException(url + " is " + now);
      }
    }
    throw new IOException(url + " is not valid after " + POLLS_MAX + " looks");
  }

  private void pause() throws IOException {
    try {
      if (stop.await(POLL.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new IOException("stopped");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private Answer step(Step step, URI url, String payload, int status) throws IOException {
    long began = System.nanoTime();
    Answer answer = signed(url, payload, status);
    steps.add(step, System.nanoTime() - began);
    return answer;
  }

  private Answer signed(URI url, String payload, int status) throws IOException {
    Answer answer = null;
    for (int i = 0; i < NONCES_MAX; i++) {
      String spent = nonce.isPresent() ? nonce.get() : fresh();
      nonce = Optional.empty();
      answer = connection.post(url, key.request(signer, spent, url.toString(), payload));
      nonce = answer.header("replay-nonce");
      if (answer.status() == status) {
        return answer;
      }
      if (!answer.isBadNonce()) {
        break;
      }
    }
    throw new IOException(url + ": " + (answer == null ? "no answer" : answer.text()));
  }

  private String fresh() throws IOException {
    return connection
        .head(authority.newNonce())
        .header("replay-nonce")
        .orElseThrow(() -> new IOException("no nonce from " + authority.newNonce()));
  }

  private static String location(Answer answer) throws IOException {
    return answer.header("location").orElseThrow(() -> new IOException("no Location"));
  }

  private static void require(JsonNode order, String status) throws IOException {
    if (!order.path("status").asString().equals(status)) {
      throw new IOException("the order is not " + status + " but " + order);
    }
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
