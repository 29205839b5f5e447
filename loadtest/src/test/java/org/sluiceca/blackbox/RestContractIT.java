package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;

/**
 * Replay, orders, pages of lists and public documents, as docs/protocols/REST.md describes them.
 */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class RestContractIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  /** RFC 8288. */
  private static final Pattern NEXT = Pattern.compile("<([^>]+)>; rel=\"next\"");

  private static Api enroller() {
    return TRIAL.trial().enroller();
  }

  private static Csr csr() {
    return Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "contract.example.com");
  }

  private static Api keyed() {
    return enroller().with("Idempotency-Key", UUID.randomUUID().toString());
  }

  @Test
  void everyAnswer_hasRequestIdOfItsOwn() {
    Answer first = enroller().get("/v1/profiles").is(200);
    Answer second = enroller().get("/v1/profiles").is(200);

    assertThat(first.header("X-Request-Id")).isNotBlank();
    assertThat(second.header("X-Request-Id"))
        .isNotBlank()
        .isNotEqualTo(first.header("X-Request-Id"));
  }

  @Test
  void enroll_sameKeySamePayload_replaysTheFirstAnswer() {
    Csr csr = csr();
    Api keyed = keyed();
    Answer first = keyed.enroll("tls-server", csr.pemBytes()).is(201);

    Answer second = keyed.enroll("tls-server", csr.pemBytes()).is(201);

    assertThat(first.header("Idempotency-Replayed")).isEmpty();
    assertThat(second.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(second.header("Location")).isEqualTo(first.header("Location"));
    assertThat(second.json()).isEqualTo(first.json());
  }

  @Test
  void enroll_sameKeyOtherPayload_422() {
    Api keyed = keyed();
    keyed.enroll("tls-server", csr().pemBytes()).is(201);

    keyed.enroll("tls-server", csr().pemBytes()).isProblem(422, "/idempotency-key-reused");
  }

  @Test
  void enroll_malformedKey_400() {
    Api odd = enroller().with("Idempotency-Key", "a b");
    odd.enroll("tls-server", csr().pemBytes()).isProblem(400, "/malformed-request");
    Api longest = enroller().with("Idempotency-Key", "a".repeat(256));
    longest.enroll("tls-server", csr().pemBytes()).isProblem(400, "/malformed-request");
  }

  @Test
  void enroll_racesWithOneKey_oneCertificate() throws InterruptedException {
    Csr csr = csr();
    Api keyed = keyed();

    List<Answer> answers = race(16, () -> keyed.enroll("tls-server", csr.pemBytes()));

    // 409 while the first is in progress, its replay afterwards.
    assertThat(answers).allMatch(a -> a.status() == 201 || a.status() == 409);
    answers.stream()
        .filter(a -> a.status() == 409)
        .forEach(a -> a.isProblem(409, "/idempotency-key-in-progress"));
    assertThat(answers.stream().filter(a -> a.status() == 201).map(Answer::locationEnd).distinct())
        .hasSize(1);
    assertThat(
            answers.stream()
                .filter(a -> a.status() == 201 && a.header("Idempotency-Replayed").isEmpty()))
        .hasSizeLessThanOrEqualTo(1);
    Answer later = keyed.enroll("tls-server", csr.pemBytes()).is(201);
    assertThat(later.header("Idempotency-Replayed")).isEqualTo("true");
    Evidence.note(
        "16 racing requests with one Idempotency-Key: %d answered 409, one certificate"
            .formatted(answers.stream().filter(a -> a.status() == 409).count()));
  }

  private static List<Answer> race(int count, Callable<Answer> request)
      throws InterruptedException {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Answer>> all =
          threads.invokeAll(IntStream.range(0, count).mapToObj(i -> request).toList());
      return all.stream().map(RestContractIT::result).toList();
    }
  }

  private static Answer result(Future<Answer> future) {
    try {
      return future.get();
    } catch (ExecutionException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void enroll_respondAsync_orderBecomesIssued() {
    for (String preference : List.of("respond-async", "wait=0", "wait=0, respond-async")) {
      Answer accepted =
          enroller().with("Prefer", preference).enroll("tls-client", csr().pemBytes());

      // "201 if signed in time": with no time at all the race is open, and both keep the promise.
      assertThat(accepted.status()).as(accepted.toString()).isIn(201, 202);
      String serial = accepted.locationEnd();
      if (accepted.status() == 202) {
        assertThat(accepted.header("Location")).isEqualTo("/v1/orders/" + serial);
        assertThat(Integer.parseInt(accepted.header("Retry-After"))).isBetween(1, 60);
        assertThat(accepted.json().path("status").asString()).isEqualTo("pending");
      }
      Poll.until(
          "order " + serial,
          Duration.ofSeconds(60),
          () -> order(serial).path("status").asString().equals("issued"));
      assertThat(order(serial).path("certificate").asString())
          .isEqualTo("/v1/certificates/" + serial);
      enroller().get("/v1/certificates/" + serial).is(200);
    }
  }

  private static JsonNode order(String id) {
    Answer answer = enroller().get("/v1/orders/" + id).is(200);
    JsonNode order = answer.json();
    // Retry-After while pending.
    assertThat(answer.header("Retry-After").isEmpty())
        .isEqualTo(!order.path("status").asString().equals("pending"));
    return order;
  }

  @Test
  void issuersAndProfiles_areKnownWithoutCredential() {
    Api anonymous = enroller().anonymous();

    JsonNode issuers = anonymous.get("/v1/issuers").is(200).json();
    Answer chain = anonymous.get("/v1/issuers/issuing/chain.pem").is(200);
    Answer issuer = anonymous.get("/issuers/issuing.cer").is(200);
    JsonNode profiles = anonymous.get("/v1/profiles").is(200).json();

    assertThat(issuers.valueStream().map(i -> i.path("name").asString())).contains("issuing");
    assertThat(chain.text()).isEqualToIgnoringWhitespace(TRIAL.trial().read("chain.pem"));
    assertThat(issuer.header("Content-Type")).startsWith("application/pkix-cert");
    assertThat(Answer.certificate(issuer.body()))
        .isEqualTo(Answer.certificate(Api.ascii(TRIAL.trial().read("chain.pem"))));
    assertThat(profiles.valueStream().map(p -> p.path("name").asString()))
        .contains("tls-server", "tls-client", "device", "short-lived", "sub-ca");
  }

  @Test
  void capacity_ofRequester_namesLaneAndToken() {
    JsonNode capacity = enroller().get("/v1/capacity").is(200).json();

    assertThat(capacity.path("lanes").path(0).path("capacity").asInt()).isPositive();
    assertThat(capacity.path("hsms").path(0).path("state").asString()).isEqualTo("ready");
  }

  @Test
  void openApi_isServedToEverybody() {
    JsonNode document = enroller().anonymous().get("/v3/api-docs").is(200).json();

    assertThat(document.path("openapi").asString()).startsWith("3.1");
    assertThat(document.path("paths").has("/v1/certificates")).isTrue();
    assertThat(document.path("paths").has("/v1/orders/{id}")).isTrue();
  }

  @Test
  void credentials_pagesByLink_eachOnce() {
    List<String> before =
        texts(TRIAL.trial().api(0, "admin").get("/v1/credentials").is(200).json(), "id");

    assertThat(pages("/v1/credentials?limit=1", "id", 2)).containsAll(before);
  }

  /** A page has 1,000 of them. */
  @Test
  void acmeBindings_pagesByLink_eachOnce() {
    LedgerRows.execute(
        TRIAL.trial(),
        """
        INSERT INTO acme_binding (kid, endpoint, requester, names, profiles, hmac_key, is_single,
          created_by, expires_at)
        SELECT 'page-' || n, 'pages', 'pages', '{*.pages.example}', '{}', '\\x00', true, 'test',
          now() + interval '1 day'
        FROM generate_series(1, 1000) n
        """);
    try {
      assertThat(pages("/v1/acme-bindings", "kid", 2))
          .filteredOn(kid -> kid.startsWith("page-"))
          .hasSize(1_000);
    } finally {
      LedgerRows.execute(TRIAL.trial(), "DELETE FROM acme_binding WHERE endpoint = 'pages'");
    }
  }

  /** A page has 100 of them. */
  @Test
  void requests_pagesByLink_eachOnce() {
    LedgerRows.execute(
        TRIAL.trial(),
        """
        INSERT INTO certificate_request (id, endpoint, requester, actor, profile, identifiers,
          expires_at, has_proofs, csr, finalized_at, tried_at, refusal, refusal_detail)
        SELECT decode(md5('page-' || n), 'hex'), 'pages', 'pages', decode(md5('pages'), 'hex'),
          'tls-server', '{dns:pages.example.com}', now() + interval '1 day', false, '\\x00',
          now(), now(), 'not_allowed', 'for a test of pages'
        FROM generate_series(1, 150) n
        """);
    try {
      assertThat(pages("/v1/requests?state=refused", "id", 2)).hasSizeGreaterThanOrEqualTo(150);
    } finally {
      LedgerRows.execute(TRIAL.trial(), "DELETE FROM certificate_request WHERE endpoint = 'pages'");
    }
  }

  /**
   * Follows the links through {@code atLeast} pages or more; fails if two pages have the same
   * entry.
   */
  private static List<String> pages(String path, String key, int atLeast) {
    List<String> all = new ArrayList<>();
    String next = path;
    int pages = 0;
    while (!next.isEmpty()) {
      Answer page = TRIAL.trial().api(0, "admin").get(next).is(200);
      all.addAll(texts(page.json(), key));
      pages++;
      Matcher link = NEXT.matcher(page.header("Link"));
      next = link.matches() ? link.group(1) : "";
      assertThat(all).as("%s, %d pages", path, pages).doesNotHaveDuplicates();
    }
    assertThat(pages).isGreaterThanOrEqualTo(atLeast);
    return all;
  }

  private static List<String> texts(JsonNode list, String key) {
    return list.valueStream().map(entry -> entry.path(key).asString()).toList();
  }
}
