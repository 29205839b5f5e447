package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;

/**
 * All that {@link AcmeIT} asks of two nodes, once more through nginx, which sends each request to
 * the other node than the one before; and certbot and lego through it.
 */
@ResourceLock(TrialExtension.TWO_NODES)
class AcmeProxyIT extends AcmeIT {

  /** Of each node, by all tests of this class together; some 150 were seen. */
  private static final int REQUESTS_LEAST = 50;

  private static final AtomicReference<@Nullable RoundRobin> FRONT = new AtomicReference<>();

  @BeforeAll
  static void start() {
    Optional<Path> nginx = Checkout.tool("nginx");
    assumeTrue(nginx.isPresent(), "nginx is not installed");
    FRONT.set(RoundRobin.start(nginx.orElseThrow(), TRIAL.trial(), TrialExtension.FRONT_PORT));
  }

  /** A test of one node alone would pass as well: both must have served. */
  @AfterAll
  static void bothNodesServed() {
    RoundRobin front = FRONT.getAndSet(null);
    if (front == null) {
      return;
    }
    try (front) {
      for (int node = 0; node < 2; node++) {
        String address = "127.0.0.1:" + TRIAL.trial().https(node).getPort();
        assertThat(front.nodes().stream().filter(address::equals).count())
            .as("requests of node %d", node)
            .isGreaterThanOrEqualTo(REQUESTS_LEAST);
      }
      assertThat(front.lines()).noneMatch(line -> line.matches("\\S+ 50[0-9] .*"));
    }
  }

  private static RoundRobin front() {
    return Optional.ofNullable(FRONT.get()).orElseThrow();
  }

  @Override
  Api anonymous(int node) {
    return front().api();
  }

  @Test
  void requests_oneAfterTheOther_nodesInTurn() {
    AcmeClient client = registered();
    int before = front().lines().size();
    for (int i = 0; i < 10; i++) {
      client.post(client.account(), null).is(200);
    }
    Poll.until(
        "nginx has written its log",
        Duration.ofSeconds(10),
        () -> front().lines().size() >= before + 10);
    List<String> nodes = front().nodes();
    for (int i = before + 1; i < nodes.size(); i++) {
      assertThat(nodes.get(i)).isNotEqualTo(nodes.get(i - 1));
    }
  }

  /** RFC 8555 6.5 binds a nonce to no account: it is good once, for the first that sends it. */
  @Test
  void nonce_spentByAnotherAccount_badNonceAndTheFreshOneWorks() {
    AcmeClient owner = registered();
    AcmeClient thief = registered();
    String url = owner.url("newOrder");
    Map<String, Object> order = order("stolen.example.com");
    Map<String, Object> own = owner.header(url, Map.of("kid", owner.account()));
    Map<String, Object> stolen = thief.header(url, Map.of("kid", thief.account()));
    stolen.put("nonce", own.get("nonce"));
    thief.send(url, stolen, order).is(201);

    assertProblem(owner.send(url, own, order), 400, "badNonce");

    owner.post(url, order).is(201);
  }

  /** A nonce is spent by a signed request alone: reading it does not spoil it. */
  @Test
  void nonce_inARequestSignedByAnotherKey_staysGood() {
    AcmeClient owner = registered();
    AcmeClient liar = registered();
    String url = owner.url("newOrder");
    Map<String, Object> own = owner.header(url, Map.of("kid", owner.account()));
    liar.send(url, own, order("liar.example.com")).is(400);

    owner.send(url, own, order("owner.example.com")).is(201);
  }

  /** A crash of PostgreSQL or a fail-over empties the tables of nonces. */
  @Test
  void nonce_fromBeforeACrashOfTheDatabase_refusedOnceThenAllIsWell() {
    AcmeClient client = registered();
    String url = client.url("newOrder");
    Map<String, Object> stale = client.header(url, Map.of("kid", client.account()));
    LedgerRows.execute(TRIAL.trial(), "TRUNCATE acme_nonce, acme_nonce_epoch");

    assertProblem(client.send(url, stale, order("stale.example.com")), 400, "badNonce");

    for (int i = 0; i < 6; i++) {
      client.post(url, order("s" + i + ".example.com")).is(201);
    }
  }

  private static Map<String, Object> order(String name) {
    return Map.of("identifiers", List.of(Map.of("type", "dns", "value", name)));
  }

  @Test
  void certbot_accountCertificateRenewalRevocation() throws Exception {
    Optional<Path> certbot = Checkout.tool("certbot");
    assumeTrue(certbot.isPresent(), "certbot is not installed");
    Path folder = TrialExtension.newFolder();
    try {
      programs(folder).lifeOfCertbot(certbot.orElseThrow(), "certbot.proxy.example.com");
    } finally {
      Trial.delete(folder);
    }
  }

  @Test
  void lego_accountCertificateRenewalRevocation() throws Exception {
    Optional<Path> lego = Checkout.tool("lego");
    assumeTrue(lego.isPresent(), "lego is not installed");
    Path folder = TrialExtension.newFolder();
    try {
      programs(folder).lifeOfLego(lego.orElseThrow(), "lego.proxy.example.com");
    } finally {
      Trial.delete(folder);
    }
  }

  private static AcmePrograms programs(Path folder) {
    JsonNode eab = eab();
    assertThat(eab.path("directory").asString())
        .startsWith("https://localhost:" + TrialExtension.FRONT_PORT + "/");
    return AcmePrograms.of(eab, front().certificate(), folder);
  }
}
