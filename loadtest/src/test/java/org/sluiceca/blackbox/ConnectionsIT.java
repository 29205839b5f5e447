package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * As many TLS connections as a node takes, and some more: the limit holds, the longest-idle ones
 * are closed for the new ones, memory stays bounded, and every connection that is open is served.
 * The limit follows the heap: {@code SLUICE_TEST_NODE_HEAP=256m} tries with more than 10,000
 * (docs/performance/CONNECTIONS.md).
 */
class ConnectionsIT {

  private static final String HEAP =
      Optional.ofNullable(System.getenv("SLUICE_TEST_NODE_HEAP")).orElse("128m");

  @RegisterExtension
  static final TrialExtension TRIAL =
      TrialExtension.own(
          folder ->
              new Trial.Options(
                      1,
                      List.of("--node-heap", HEAP),
                      Map.of(
                          // Longer than it takes to open them all.
                          "SERVER_TOMCAT_KEEP_ALIVE_TIMEOUT",
                          "10m",
                          // The heap alone decides.
                          "SERVER_TOMCAT_MAX_CONNECTIONS",
                          "100000"))
                  .with(Trial.AS_SHIPPED));

  /** How many come too late. */
  private static final int TOO_MANY = 50;

  /** Of those that are open; the others rest. */
  private static final double BUSY_PART = 0.6;

  private static final Duration BUSY_FOR = Duration.ofSeconds(8);

  /** One request in this number is an enrollment. */
  private static final int ENROLL_EACH = 4;

  private static final int CSRS = 16;

  /** Handshakes under way at once: a crowd, not a herd. */
  private static final int AT_ONCE = 16;

  /** What a connection has from its beginning to its first request before it counts as idle. */
  private static final Duration UNUSED_MIN = Duration.ofSeconds(1);

  private static final int TRIES_MAX = 5;

  /** Less than full: what else is connected to the node must not make it full. */
  private static final int ROOM = 10;

  /** What native memory, code and stacks add to the heap (docs/performance/CONNECTIONS.md). */
  private static final long BESIDE_HEAP_KIB = 220 * 1024;

  /**
   * The JIT compilers of a node that was just started and is busy take 30 MB and more, which they
   * give back within half a minute. What connections keep stays as long as they are open.
   */
  private static final Duration COMPILED_WITHIN = Duration.ofMinutes(3);

  /** Files that are no connections: jars, the database's sockets, the token. */
  private static final int OTHER_FILES = 500;

  private static final byte[] READ =
      Api.ascii("HEAD /v1/profiles HTTP/1.1\r\nHost: localhost\r\n\r\n");

  private final Queue<PooledTls> open = new ConcurrentLinkedQueue<>();
  private final Queue<Duration> refused = new ConcurrentLinkedQueue<>();
  private final NodeProcess node = new NodeProcess(TRIAL.trial());

  @Test
  void connections_beyondTheLimit_longestIdleClosedAndAllServed() throws Exception {
    SSLContext context = Api.context(TRIAL.trial().data().resolve("root.pem"));
    context.getClientSessionContext().setSessionCacheSize(1);
    List<byte[]> enrollments = enrollments();
    int max = (int) node.https("ca_connections_max");
    assertThat(Math.min(node.filesMax(), NodeProcess.ownFilesMax()))
        .as("ulimit -n of the node and of this process")
        .isGreaterThan(max + OTHER_FILES);
    List<Long> residentKib = new ArrayList<>(List.of(node.residentKib()));
    try (PooledTls early = PooledTls.open(TRIAL.trial().https(0), context)) {
      assertThat(early.ask(READ).status()).isEqualTo(200);

      Duration took = fill(max - ROOM, context);
      // It was idle for longest, and is not any more.
      assertThat(early.ask(READ).status()).isEqualTo(200);
      fill(ROOM + TOO_MANY, context);

      assertThat(refused).isEmpty();
      int evicted = forgetEvicted();
      assertThat(evicted).isGreaterThanOrEqualTo(TOO_MANY);
      assertThat(node.https("ca_connections_evicted_total")).isGreaterThanOrEqualTo(evicted);
      assertThat(open.size()).isBetween(max - 3, max - 1);
      assertThat(early.ask(enrollments.getFirst()).status()).isEqualTo(201);
      residentKib.add(node.residentKib());
      Evidence.note(
          "%d TLS connections on a heap of %s in %s, %d idle ones closed for others"
              .formatted(open.size() + 1, HEAP, Evidence.millis(took), evicted));

      int before = open.size();
      leaveAndComeAgain(max, context);
      assertThat(open).hasSize(before);

      keepBusy(enrollments);
      residentKib.add(node.residentKib());
      Poll.until(
          "what all connections keep, with those that were busy, is within the limit",
          COMPILED_WITHIN,
          Duration.ofSeconds(1),
          () -> node.residentKib() < heapKib() + BESIDE_HEAP_KIB);
      assertThat(node.https("ca_connections_open")).isGreaterThanOrEqualTo(before - busyCount());
      assertThat(early.ask(READ).status()).isEqualTo(200);
    } finally {
      for (PooledTls connection : open) {
        connection.close();
      }
    }
    Evidence.note(
        "resident before, with all idle, after %d were busy: %s MB; heap used %.0f MB"
            .formatted(
                busyCount(),
                residentKib.stream().map(kib -> kib / 1024).toList(),
                node.heapUsed() / 1e6));
    assertThat(TRIAL.trial().read("node-0.log") + TRIAL.trial().read("node-0.out"))
        .doesNotContain("OutOfMemoryError");
    Poll.until(
        "the places are free again",
        Duration.ofSeconds(60),
        () -> node.https("ca_connections_open") < 10);
  }

  /** Opens that number, some at once; returns how long it took. */
  private Duration fill(int count, SSLContext context) throws InterruptedException {
    long start = System.nanoTime();
    Semaphore places = new Semaphore(AT_ONCE);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < count; i++) {
        places.acquire();
        threads.execute(
            () -> {
              try {
                connect(context);
              } finally {
                places.release();
              }
            });
      }
    }
    return since(start);
  }

  /**
   * As a client would, again where the handshake took so long that the node counts the connection
   * as idle ({@code IdleConnections}): then it is the machine that is slow.
   */
  private void connect(SSLContext context) {
    for (int tried = 1; ; tried++) {
      long start = System.nanoTime();
      try {
        PooledTls connection = PooledTls.open(TRIAL.trial().https(0), context);
        assertThat(connection.ask(READ).status()).isEqualTo(200);
        open.add(connection);
        return;
      } catch (IOException e) {
        Duration took = since(start);
        if (took.compareTo(UNUSED_MIN) < 0 || tried == TRIES_MAX) {
          refused.add(took);
          return;
        }
      }
    }
  }

  /** Asks on each; returns how many the node had closed. */
  private int forgetEvicted() throws IOException {
    List<PooledTls> gone = new ArrayList<>();
    for (PooledTls connection : open) {
      try {
        assertThat(connection.ask(READ).status()).isEqualTo(200);
      } catch (IOException e) {
        gone.add(connection);
      }
    }
    open.removeAll(gone);
    for (PooledTls connection : gone) {
      connection.close();
    }
    return gone.size();
  }

  private void leaveAndComeAgain(int max, SSLContext context) throws Exception {
    for (int i = 0; i < TOO_MANY; i++) {
      open.remove().close();
    }
    Poll.until(
        "places are free",
        Duration.ofSeconds(60),
        () -> node.https("ca_connections_open") <= max - TOO_MANY);
    fill(TOO_MANY, context);
  }

  /** Many at once, each in a closed loop, while the others rest. */
  private void keepBusy(List<byte[]> enrollments) throws Exception {
    SortedMap<Integer, LongAdder> statuses = new ConcurrentSkipListMap<>();
    Queue<Long> nanos = new ConcurrentLinkedQueue<>();
    long start = System.nanoTime();
    List<PooledTls> busy = open.stream().limit(busyCount()).toList();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Object>> loops = new ArrayList<>();
      for (int i = 0; i < busy.size(); i++) {
        PooledTls connection = busy.get(i);
        int first = i;
        loops.add(
            () -> {
              for (int n = first; since(start).compareTo(BUSY_FOR) < 0; n++) {
                long asked = System.nanoTime();
                byte[] request =
                    n % ENROLL_EACH == 0 ? enrollments.get(n / ENROLL_EACH % CSRS) : READ;
                PooledTls.Reply reply = connection.ask(request);
                nanos.add(System.nanoTime() - asked);
                statuses.computeIfAbsent(reply.status(), s -> new LongAdder()).increment();
                assertThat(reply.status()).as(reply.head()).isIn(200, 201, 202, 429, 503);
                if (reply.status() >= 429) {
                  assertThat(reply.header("retry-after")).as(reply.head()).isPresent();
                }
                if (reply.header("connection").isPresent()) {
                  break;
                }
              }
              return connection;
            });
      }
      for (Future<Object> one : threads.invokeAll(loops)) {
        one.get();
      }
    }
    long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
    Evidence.note(
        "%d of them busy for %s, an enrollment in %d requests: answers by status %s, p50 %s, p99 %s, max %s"
            .formatted(
                busy.size(),
                Evidence.millis(since(start)),
                ENROLL_EACH,
                statuses,
                millis(sorted, 0.5),
                millis(sorted, 0.99),
                millis(sorted, 1)));
    assertThat(busy).hasSizeGreaterThan(100);
    assertThat(statuses).containsKeys(200, 201);
  }

  private int busyCount() {
    return (int) (BUSY_PART * open.size());
  }

  private static List<byte[]> enrollments() {
    Path folder = TRIAL.trial().folder();
    String token = TRIAL.trial().read("enroll.token").strip();
    List<byte[]> all = new ArrayList<>();
    for (int i = 0; i < CSRS; i++) {
      byte[] csr = Csr.openssl(folder, Csr.KeyType.EC_P256, "c" + i + ".example.com").der();
      byte[] head =
          Api.ascii(
              "POST /v1/certificates?profile=tls-server HTTP/1.1\r\nHost: localhost\r\n"
                  + "Content-Type: application/pkcs10\r\nAccept: application/pkix-cert\r\n"
                  + "Authorization: Bearer %s\r\nContent-Length: %d\r\n\r\n"
                      .formatted(token, csr.length));
      byte[] request = Arrays.copyOf(head, head.length + csr.length);
      System.arraycopy(csr, 0, request, head.length, csr.length);
      all.add(request);
    }
    return all;
  }

  private static Duration since(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos);
  }

  private static String millis(long[] sorted, double part) {
    return Evidence.millis(Duration.ofNanos(sorted[(int) ((sorted.length - 1) * part)]));
  }

  private static long heapKib() {
    return Long.parseLong(HEAP.replace("m", "")) * 1024;
  }
}
