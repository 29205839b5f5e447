package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Clients that enroll in rounds, each request under a key of its own, and repeat until they have
 * their certificates, whatever dies meanwhile.
 */
final class CrashLoad implements AutoCloseable {

  static final String KEY_PREFIX = "crash-";

  private static final HexFormat HEX = HexFormat.of();

  private static final int CLIENTS = 6;

  /** The share of a round's enrollments that ends before the next kill: one in this many. */
  private static final int DONE_BEFORE = 4;

  /** Clients in a loop without pause would take the processor from the nodes that start. */
  private static final Duration REPEAT_PAUSE = Duration.ofMillis(500);

  /** Longer than a start and a take-over together: no promise, only an end. */
  private static final Duration ISSUED_WITHIN = CrashNode.START_MAX.plusMinutes(1);

  /** What a client was given under its key; the certificate in hexadecimal. */
  record Given(String serial, String certificate) {}

  private final Trial trial;
  private final int nodes;
  private final byte[] csr;
  private final int enrollments;
  private final ConcurrentMap<String, Given> given = new ConcurrentHashMap<>();
  private final AtomicInteger unanswered = new AtomicInteger();
  private final List<Future<?>> sent = new ArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private int rounds;

  /** Rounds of this many enrollments. */
  CrashLoad(Trial trial, int nodes, byte[] csr, int enrollments) {
    this.trial = trial;
    this.nodes = nodes;
    this.csr = csr.clone();
    this.enrollments = enrollments;
  }

  int rounds() {
    return rounds;
  }

  /** Returns how many requests got no answer at all. */
  int unanswered() {
    return unanswered.get();
  }

  /** Returns what was given to each client, by key. */
  Map<String, Given> given() {
    return Map.copyOf(given);
  }

  /** Begins a round, calls {@code strike} in its midst, and leaves the rest of it running. */
  void begin(Runnable strike) {
    rounds++;
    Semaphore clients = new Semaphore(CLIENTS);
    AtomicInteger done = new AtomicInteger();
    AtomicBoolean isArmed = new AtomicBoolean();
    for (int i = 0; i < enrollments; i++) {
      int first = i;
      String key = KEY_PREFIX + rounds + "-" + i;
      sent.add(
          threads.submit(
              () -> {
                clients.acquireUninterruptibly();
                try {
                  enrollUntilIssued(first, key);
                  if (done.incrementAndGet() == enrollments / DONE_BEFORE) {
                    strike.run();
                    isArmed.set(true);
                  }
                } finally {
                  clients.release();
                }
              }));
    }
    await("the load of round " + rounds + " runs", ISSUED_WITHIN, isArmed::get);
  }

  /** Waits for what the load brings about; fails at once if a client met what it must not meet. */
  void await(String what, Duration longest, BooleanSupplier isSo) {
    Poll.until(
        what,
        longest,
        () -> {
          failIfAnyFailed();
          return isSo.getAsBoolean();
        });
  }

  /** Waits until every client of every round has its certificate. */
  void awaitAll() {
    await(
        "every client has its certificate",
        ISSUED_WITHIN,
        () -> sent.stream().allMatch(Future::isDone));
    failIfAnyFailed();
    assertThat(given).hasSize(rounds * enrollments);
  }

  /** A client of a node that enrolls under {@code key} and takes the certificate as DER. */
  Api client(int number, String key) {
    return trial
        .api(number % nodes, "enroll")
        .with("Accept", "application/pkix-cert", "Prefer", "wait=2", "Idempotency-Key", key);
  }

  Answer enroll(Api client) {
    return client.enroll("tls-server", csr);
  }

  static String hex(Answer answer) {
    return HEX.formatHex(answer.body());
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }

  private void failIfAnyFailed() {
    for (Future<?> enrollment : sent) {
      if (enrollment.state() == Future.State.FAILED) {
        throw new AssertionError("an enrollment failed", enrollment.exceptionNow());
      }
    }
  }

  private void enrollUntilIssued(int first, String key) {
    AtomicInteger tries = new AtomicInteger(first);
    Poll.until(
        key + " is issued",
        ISSUED_WITHIN,
        REPEAT_PAUSE,
        () -> {
          try {
            Answer answer = enroll(client(tries.getAndIncrement(), key));
            if (answer.status() == 201) {
              given.put(key, new Given(answer.locationEnd(), hex(answer)));
              return true;
            }
            assertThat(answer.status()).as(answer.toString()).isIn(202, 409, 503);
          } catch (UncheckedIOException e) {
            unanswered.incrementAndGet();
          }
          return false;
        });
  }
}
