package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A client of ACME without a credential sends whatever it can at one endpoint, from one network.
 * What it uses is bounded, and others' requests succeed meanwhile.
 */
class AcmeAbuseIT {

  private static final NameServer DNS = new NameServer();
  private static final int HTTP_PORT = Ports.NODES.free(2);
  private static final String JOSE = "application/jose+json";

  /** The beginning of a record of 16,384 octets. */
  private static final byte[] CLIENT_HELLO = {0x16, 3, 1, 0x40, 0, 1, 0, 0x3F, (byte) 0xFC, 3, 3};

  private static final int ATTACKERS = 8;
  private static final int SLOW_CONNECTIONS = 20;
  private static final int HONEST = 20;

  /** As the service has them: of a network at an endpoint within an hour, and at once. */
  private static final int ACCOUNTS_MAX = 100;

  private static final int ORDERS_MAX = 1_000;
  private static final int PROOFS_MAX = 400;

  @RegisterExtension
  static final TrialExtension TRIAL =
      TrialExtension.own(
          folder ->
              Trial.Options.nodes(1)
                  .also("--acme-http-port", String.valueOf(HTTP_PORT))
                  .also("--acme-tls-port", String.valueOf(HTTP_PORT + 1))
                  .also("--acme-resolver", DNS.address()));

  private static ServerSocket stubborn;

  private final Map<String, AtomicInteger> answers = new ConcurrentHashMap<>();

  /** Every name leads to a machine that takes connections and never answers. */
  @BeforeAll
  static void listen() throws IOException {
    DNS.silent("silent.example");
    stubborn = new ServerSocket();
    stubborn.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), HTTP_PORT));
  }

  @AfterAll
  static void close() throws IOException {
    stubborn.close();
    DNS.close();
  }

  private static JsonNode eab() {
    return JsonMapper.shared().readTree(TRIAL.trial().read("acme-eab.json"));
  }

  private static String openDirectory() {
    return eab().path("directory").asString().replace("/trial/", "/trial-challenge/");
  }

  /** A client whose connections come from another network than the other clients'. */
  private static Api from(String address) {
    Api any = TRIAL.trial().api(0, "enroll").anonymous();
    return new Api(
        any.base(),
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .localAddress(InetAddress.ofLiteral(address))
            .sslContext(Api.context(TRIAL.trial().data().resolve("root.pem")))
            .build(),
        List.of());
  }

  @Test
  @Timeout(300)
  void attack_500OfEach_othersSucceedAndItIsBounded() throws Exception {
    attack("127.0.7.1", 500);
  }

  @Test
  @Tag("nightly")
  @Timeout(1_800)
  void attack_10000OfEach_othersSucceedAndItIsBounded() throws Exception {
    attack("127.0.8.1", 10_000);
  }

  private void attack(String address, int ofEach) throws Exception {
    List<Long> quiet = honest();
    NodeProcess node = new NodeProcess(TRIAL.trial());
    double heapBefore = node.heapUsed();
    AtomicBoolean isOver = new AtomicBoolean();
    List<Long> attacked = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> attackers = new ArrayList<>();
      for (int i = 0; i < ATTACKERS; i++) {
        attackers.add(threads.submit(() -> attacker(address, ofEach / ATTACKERS)));
      }
      for (int i = 0; i < SLOW_CONNECTIONS; i++) {
        threads.execute(() -> slow(address, isOver));
      }
      try {
        do {
          attacked.addAll(honest());
        } while (attackers.stream().anyMatch(attacker -> !attacker.isDone()));
        for (Future<?> attacker : attackers) {
          attacker.get();
        }
      } finally {
        isOver.set(true);
      }
    }

    Evidence.note(
        "ACME abuse of %d of each from %s: %s; others' p99 %d ms, without it %d ms; heap %.0f to %.0f MB"
            .formatted(
                ofEach,
                address,
                new TreeMap<>(answers),
                p99(attacked),
                p99(quiet),
                heapBefore / 1e6,
                node.heapUsed() / 1e6));
    assertBounded(address);
  }

  private void assertBounded(String address) {
    String network = address.substring(0, address.lastIndexOf('.')) + ".0/24";
    assertThat(rows("acme_account", "network = '" + network + "'"))
        .isBetween(1L, (long) ACCOUNTS_MAX + ATTACKERS);
    assertThat(rows("certificate_request", "network = '" + network + "'"))
        .isBetween(1L, (long) ORDERS_MAX + ATTACKERS);
    assertThat(
            rows("request_authorization", "status = 'processing' AND network = '" + network + "'"))
        .isLessThanOrEqualTo(PROOFS_MAX + ATTACKERS);
    assertThat(answers.keySet().stream().filter(answer -> answer.endsWith(" 500"))).isEmpty();
    assertThat(answers).containsKeys("register 201", "register 429", "order 201");
    assertThat(TRIAL.trial().read("node-0.log") + TRIAL.trial().read("node-0.out"))
        .doesNotContain("OutOfMemoryError");
  }

  private static long rows(String table, String where) {
    return LedgerRows.count(TRIAL.trial(), "SELECT count(*) FROM " + table + " WHERE " + where);
  }

  private static long p99(List<Long> nanos) {
    List<Long> sorted = nanos.stream().sorted().toList();
    return sorted.get((int) Math.ceil(sorted.size() * 0.99) - 1) / 1_000_000;
  }

  /** Certificates by REST and by ACME at another endpoint; each has to be issued. */
  private static List<Long> honest() throws Exception {
    byte[] csr =
        Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "honest.example.com").der();
    Api enroller = TRIAL.trial().enroller();
    AcmeClient client = new AcmeClient(enroller.anonymous(), eab().path("directory").asString());
    client.register(eab().path("kid").asString(), eab().path("hmacKey").asString()).is(201);
    List<Long> nanos = new ArrayList<>();
    for (int i = 0; i < HONEST; i++) {
      long begun = System.nanoTime();
      enroller.enroll("tls-server", csr).is(201);
      nanos.add(System.nanoTime() - begun);
      begun = System.nanoTime();
      JsonNode order = client.enroll(csr, "honest.example.com");
      nanos.add(System.nanoTime() - begun);
      assertThat(order.path("status").asString()).as("%s", order).isEqualTo("valid");
    }
    return nanos;
  }

  private void attacker(String address, int times) {
    Api api = from(address);
    AcmeClient known = new AcmeClient(api, openDirectory());
    count("register", known.byKey(known.url("newAccount"), Map.of()));
    String kid = known.byKey(known.url("newAccount"), Map.of()).header("Location");
    List<byte[]> bad = bad(known, kid);
    String order = AcmeClient.path(known.url("newOrder"));
    for (int i = 0; i < times; i++) {
      int number = i;
      attempt(() -> register(new AcmeClient(api, known)));
      attempt(() -> order(known, kid, number));
      attempt(
          () ->
              count(
                  "bad " + number % bad.size(),
                  api.post(order, JOSE, bad.get(number % bad.size()))));
    }
  }

  private void register(AcmeClient fresh) {
    fresh.key(AcmeClient.newKey());
    count("register", fresh.byKey(fresh.url("newAccount"), Map.of()));
  }

  /** The node may close a connection of which it has had enough, behind its answer or without. */
  private void attempt(Runnable act) {
    try {
      act.run();
    } catch (UncheckedIOException e) {
      answers.computeIfAbsent("closed", key -> new AtomicInteger()).incrementAndGet();
    }
  }

  /** An order for names that are slow to prove, and all of its challenges at once. */
  private void order(AcmeClient client, String kid, int number) {
    String below = number % 2 == 0 ? ".silent.example" : ".stubborn.example";
    Answer order =
        post(
            client,
            kid,
            client.url("newOrder"),
            Map.of("identifiers", List.of(Map.of("type", "dns", "value", "n" + number + below))));
    count("order", order);
    if (order.status() != 201) {
      return;
    }
    JsonNode authorization =
        post(client, kid, order.json().path("authorizations").path(0).asString(), null).json();
    String challenge =
        authorization
            .path("challenges")
            .valueStream()
            .filter(offered -> offered.path("type").asString().equals("http-01"))
            .findFirst()
            .orElseThrow()
            .path("url")
            .asString();
    count("challenge", post(client, kid, challenge, Map.of()));
  }

  private static Answer post(AcmeClient client, String kid, String url, @Nullable Object payload) {
    return client.send(url, client.header(url, Map.of("kid", kid)), payload);
  }

  /** Requests that are refused, each at another step. */
  private static List<byte[]> bad(AcmeClient client, String kid) {
    String url = client.url("newOrder");
    Map<String, Object> payload =
        Map.of("identifiers", List.of(Map.of("type", "dns", "value", "bad.stubborn.example")));
    Map<String, Object> right = client.header(url, Map.of("kid", kid));
    Map<String, Object> otherUrl = new TreeMap<>(right);
    otherUrl.put("url", client.url("keyChange"));
    Map<String, Object> otherNonce = new TreeMap<>(right);
    otherNonce.put("nonce", "A".repeat(83));
    return List.of(
        ascii(Answer.json(AcmeClient.jws(right, payload, AcmeClient.newKey()))),
        // The first time it is right, and then its nonce was used.
        ascii(Answer.json(AcmeClient.jws(right, payload, client.key()))),
        ascii(Answer.json(AcmeClient.jws(otherUrl, payload, client.key()))),
        ascii(Answer.json(AcmeClient.jws(otherNonce, payload, client.key()))),
        ascii("{\"a\":".repeat(10_000)),
        ascii(" ".repeat(65_000)),
        ascii("x".repeat(200_000)));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * A connection whose client sends a ClientHello octet by octet, until the node has had enough.
   */
  private static void slow(String address, AtomicBoolean isOver) {
    Api any = TRIAL.trial().api(0, "enroll");
    while (!isOver.get()) {
      try (Socket socket = new Socket()) {
        socket.bind(new InetSocketAddress(InetAddress.ofLiteral(address), 0));
        socket.connect(new InetSocketAddress(any.base().getHost(), any.base().getPort()));
        for (int i = 0; i < 600 && !isOver.get(); i++) {
          socket.getOutputStream().write(i < CLIENT_HELLO.length ? CLIENT_HELLO[i] : 0);
          socket.getOutputStream().flush();
          LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
        }
      } catch (IOException e) {
        // Closed by the node: the next one.
      }
    }
  }

  private void count(String act, Answer answer) {
    answers
        .computeIfAbsent(act + " " + answer.status(), key -> new AtomicInteger())
        .incrementAndGet();
  }
}
