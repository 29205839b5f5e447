package org.sluiceca.load.drive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.sluiceca.load.plan.Offer;

/** Two clients of three sessions at each node, over real connections to nodes that stand in. */
@Execution(ExecutionMode.CONCURRENT)
class ClosedLoopTest {

  private static final int SESSIONS = 2 * 3;
  private static final long STRETCH_NANOS = TimeUnit.SECONDS.toNanos(4);
  private static final long SERVICE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final String ISSUED =
      "HTTP/1.1 201 Created\r\nLocation: /v1/certificates/%s\r\nContent-Length: 0";
  private static final String REFUSED =
      "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0";

  @TempDir
  @SuppressWarnings("NullAway.Init") // Set before each test.
  private Path folder;

  private static String issued(StubNodes.Asked asked) {
    LockSupport.parkNanos(SERVICE_NANOS);
    return ISSUED.formatted(asked.key());
  }

  /** No node answers before all of its sessions have asked. */
  private static Function<StubNodes.Asked, String> onceAllHaveAsked() {
    List<CountDownLatch> asking =
        Stream.generate(() -> new CountDownLatch(SESSIONS)).limit(3).toList();
    return asked -> {
      CountDownLatch all = asking.get(asked.node());
      all.countDown();
      try {
        assertThat(all.await(60, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return issued(asked);
    };
  }

  /** Runs a stretch of four seconds before that number of nodes, and looks at what came of it. */
  private void run(
      int nodes, int askedNodes, Function<StubNodes.Asked, String> answering, Look look)
      throws IOException, GeneralSecurityException {
    try (StubNodes stub = new StubNodes(nodes, folder, answering);
        Targets targets = new Targets(stub.factory(), 1, 1000, stub::door)) {
      targets.aim(List.of(0, 1, 2).subList(0, nodes));
      Sender.Account account = new Sender.Account("token", Offer.PROFILE);
      Sender sender =
          new Sender(
              targets,
              new Sender.Letter("run", 10, Map.of("c-1", account, "c-2", account), List.of("csr")));
      try (OpenLoop loop = new OpenLoop(sender)) {
        long from = System.nanoTime();
        Offer offer =
            new Offer(
                "c",
                Double.POSITIVE_INFINITY,
                Offer.PROFILE,
                Optional.of(new Offer.Loop(2, 3, askedNodes)));
        OpenLoop.Stretch stretch =
            new OpenLoop.Stretch("p", List.of(offer), 20, true, 1, from, from + STRETCH_NANOS);
        new ClosedLoop(loop, sender).begin(stretch, List.of(0, 1, 2).subList(0, nodes));
        loop.run(stretch);
        assertThat(loop.awaitQuiet(Duration.ofSeconds(60))).isTrue();
        look.at(stub, sender.journal());
      }
    }
  }

  @FunctionalInterface
  private interface Look {
    void at(StubNodes nodes, List<Exchange> journal);
  }

  @Test
  void sessions_eachAsksOneNode_neverMoreAtATimeThanThereAre()
      throws IOException, GeneralSecurityException {
    run(
        3,
        0,
        onceAllHaveAsked(),
        (stub, journal) -> {
          assertThat(journal).allMatch(Exchange::isIssued);
          for (int node = 0; node < 3; node++) {
            assertThat(stub.waitingMost(node)).isEqualTo(SESSIONS);
          }
          Map<String, Integer> nodes =
              stub.asked().stream()
                  .collect(Collectors.toMap(StubNodes.Asked::key, StubNodes.Asked::node));
          assertThat(journal).allMatch(e -> nodes.getOrDefault(e.request().key(), -1) == e.node());
          assertThat(journal.stream().map(e -> e.request().requester()).distinct())
              .containsExactlyInAnyOrder("c-1", "c-2");
        });
  }

  /** A session that has its certificate asks for the next at once: no request is late. */
  @Test
  void latency_isThatOfTheService() throws IOException, GeneralSecurityException {
    run(
        1,
        0,
        ClosedLoopTest::issued,
        (stub, journal) -> {
          assertThat(journal).hasSizeGreaterThan(2 * SESSIONS);
          assertThat(journal).allMatch(e -> e.latencyMillis() >= 20);
        });
  }

  @Test
  void nodesOfTheOffer_othersAreNotAsked() throws IOException, GeneralSecurityException {
    run(
        3,
        1,
        ClosedLoopTest::issued,
        (stub, journal) ->
            assertThat(stub.asked()).isNotEmpty().allMatch(asked -> asked.node() == 0));
  }

  /** Every key is refused once; its session comes again a second later, with the same. */
  @Test
  void refused_comesAgainAsTold_withTheSameKey() throws IOException, GeneralSecurityException {
    Set<String> refused = ConcurrentHashMap.newKeySet();
    run(
        1,
        0,
        asked -> refused.add(asked.key()) ? REFUSED : ISSUED.formatted(asked.key()),
        (stub, journal) -> {
          List<Exchange> again = journal.stream().filter(e -> e.request().attempt() == 1).toList();
          assertThat(again).isNotEmpty().allMatch(Exchange::isIssued);
          assertThat(again)
              .allSatisfy(
                  e -> {
                    Exchange first =
                        journal.stream()
                            .filter(f -> f.request().key().equals(e.request().key()))
                            .filter(f -> f.request().attempt() == 0)
                            .findFirst()
                            .orElseThrow();
                    assertThat(first.isRefused()).isTrue();
                    assertThat(e.dueNanos() - first.doneNanos())
                        .isGreaterThanOrEqualTo(TimeUnit.SECONDS.toNanos(1));
                  });
        });
  }
}
