package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Three nodes, one token, one ledger: what one of them held when it died is finished by others. */
class ClusterIT {

  private static final int NODES = 3;
  private static final int VICTIM = 1;
  private static final int SURVIVOR = 2;
  private static final int ENROLLMENTS = 300;
  private static final int CLIENTS = 24;

  /**
   * The bound of docs/ISSUANCE-CYCLE.md for the intents that a killed node held. Until the load is
   * over, the machine decides how long its own take.
   */
  private static final Duration FINISHED_WITHIN = Duration.ofSeconds(30);

  @RegisterExtension
  static final TrialExtension TRIAL =
      TrialExtension.own(
          folder -> {
            SoftToken token = SoftToken.make(folder.resolve("token"));
            return Trial.Options.token(NODES, token, token.hangingModule());
          });

  private final ConcurrentMap<String, String> certificates = new ConcurrentHashMap<>();
  private final AtomicInteger refusedConnections = new AtomicInteger();

  private static SoftToken token() {
    return new SoftToken(TRIAL.trial().folder().resolve("token"));
  }

  private static Csr csr() {
    return Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "cluster.example.com");
  }

  @Test
  void killedNode_itsIntentsAreFinishedByOthers_nothingIsLostOrDoubled() {
    List<Api> nodes =
        IntStream.range(0, NODES).mapToObj(node -> TRIAL.trial().api(node, "enroll")).toList();
    byte[] csr = csr().pemBytes();
    nodes.forEach(node -> node.enroll("tls-server", csr).is(201));

    List<String> held;
    long killedAt;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      startLoad(threads, nodes, csr);
      Poll.until("the load runs", Duration.ofMinutes(2), () -> certificates.size() > 50);
      token().hang();
      held = promise(nodes.get(VICTIM), csr);
      Poll.until(
          "the victim is signing", Duration.ofMinutes(2), () -> inflight(nodes.get(VICTIM)) > 0);
      TRIAL.trial().kill(VICTIM);
      killedAt = System.nanoTime();
      assertThat(LedgerRows.pendingIntents(TRIAL.trial())).isGreaterThanOrEqualTo(held.size());
      token().release();
    }
    Evidence.note(
        "node killed under load: %d certificates, %d requests met the dead node"
            .formatted(certificates.size(), refusedConnections.get()));

    Poll.until(
        "every intent has an outcome",
        FINISHED_WITHIN,
        () -> LedgerRows.pendingIntents(TRIAL.trial()) == 0);
    Duration took = Duration.ofNanos(System.nanoTime() - killedAt);

    Evidence.note(
        "intents of the killed node finished %s after the kill; %d taken over"
            .formatted(Evidence.millis(took), LedgerRows.takenOver(TRIAL.trial())));
    assertThat(LedgerRows.takenOver(TRIAL.trial())).isPositive();
    assertThat(LedgerRows.outcomes(TRIAL.trial(), "abandoned")).isZero();
    assertNothingLost(nodes.get(SURVIVOR), held);
    assertThat(LedgerRows.keysWithTwoCertificates(TRIAL.trial())).isZero();
    nodes.get(SURVIVOR).enroll("tls-server", csr).is(201);
  }

  /** Some hundred enrollments, each repeated under its own key until it has its certificate. */
  private void startLoad(ExecutorService threads, List<Api> nodes, byte[] csr) {
    Semaphore clients = new Semaphore(CLIENTS);
    for (int i = 0; i < ENROLLMENTS; i++) {
      int first = i % NODES;
      String key = "load-" + i;
      threads.execute(
          () -> {
            clients.acquireUninterruptibly();
            try {
              enrollUntilIssued(nodes, first, key, csr);
            } finally {
              clients.release();
            }
          });
    }
  }

  private void enrollUntilIssued(List<Api> nodes, int first, String key, byte[] csr) {
    AtomicInteger tries = new AtomicInteger(first);
    Poll.until(
        key + " is issued",
        Duration.ofMinutes(2),
        () -> {
          Api node = nodes.get(tries.getAndIncrement() % NODES);
          try {
            Answer answer =
                node.with("Idempotency-Key", key, "Prefer", "wait=2").enroll("tls-server", csr);
            if (answer.status() == 201) {
              certificates.put(key, answer.locationEnd());
              return true;
            }
            // While the token hangs the line is full: of all, or of this requester alongside
            // another.
            assertThat(answer.status()).as(answer.toString()).isIn(202, 409, 429, 503);
          } catch (UncheckedIOException e) {
            refusedConnections.incrementAndGet();
          }
          return false;
        });
  }

  /** Orders that the node has promised and cannot sign, because the token hangs. */
  private static List<String> promise(Api node, byte[] csr) {
    return IntStream.range(0, 6)
        .mapToObj(
            i ->
                node.with(
                        "Prefer", "respond-async", "Idempotency-Key", UUID.randomUUID().toString())
                    .enroll("device", csr)
                    .is(202)
                    .locationEnd())
        .toList();
  }

  private static int inflight(Api node) {
    return node.get("/v1/capacity").is(200).json().path("hsms").path(0).path("inflight").asInt();
  }

  private void assertNothingLost(Api survivor, List<String> held) {
    assertThat(certificates).hasSize(ENROLLMENTS);
    assertThat(Map.copyOf(certificates).values().stream().distinct()).hasSize(ENROLLMENTS);
    for (String serial : certificates.values()) {
      survivor.get("/v1/certificates/" + serial).is(200);
    }
    for (String order : held) {
      assertThat(survivor.get("/v1/orders/" + order).is(200).json().path("status").asString())
          .isEqualTo("issued");
      survivor.get("/v1/certificates/" + order).is(200);
    }
  }
}
