package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.sluiceca.blackbox.DatabaseProxy.Holds;
import org.sluiceca.blackbox.DatabaseProxy.When;

/**
 * SIGKILL of nodes and of PostgreSQL at each border between two steps, under load: what was
 * answered is there afterwards, and every promise is kept.
 */
class CrashIT {

  private static final HexFormat HEX = HexFormat.of();

  private static final int NODES = 2;
  private static final int ENROLLMENTS = 80;
  private static final int CLIENTS = 12;

  /** So many of a round's enrollments are done before the next thing dies. */
  private static final int DONE_BEFORE = 20;

  private static final Duration STRUCK_WITHIN = Duration.ofSeconds(30);
  private static final Duration ISSUED_WITHIN = Duration.ofSeconds(90);

  /** CONTRACT: the intents that a killed node held are finished within 30 s. */
  private static final Duration FINISHED_WITHIN = Duration.ofSeconds(30);

  @RegisterExtension
  static final TrialExtension TRIAL =
      TrialExtension.own(
          folder -> {
            SoftToken token = SoftToken.make(folder.resolve("token"));
            return Trial.Options.token(NODES, token, token.hangingModule());
          });

  /** What a client was given under its key. */
  private record Given(String serial, String certificate) {}

  private final ConcurrentMap<String, Given> given = new ConcurrentHashMap<>();
  private final AtomicInteger unanswered = new AtomicInteger();
  private final List<CrashNode> nodes = new ArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Future<?>> enrollments = new ArrayList<>();
  private int rounds;

  @Test
  void killedAtEveryBorder_nothingAnsweredIsLost_everyPromiseIsKept() throws InterruptedException {
    byte[] csr =
        Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "crash.example.com").pemBytes();
    int databasePort = Integer.parseInt(TRIAL.trial().read("postgres.port").strip());
    try {
      for (int node = 0; node < NODES; node++) {
        nodes.add(CrashNode.adopt(TRIAL.trial(), node, databasePort));
      }
      nodes.forEach(CrashNode::awaitReady);

      for (When when : When.values()) {
        killNodesAt(when, csr);
      }
      killNodesInTheToken(csr);
      for (When when : List.of(When.COMMIT_SENT, When.COMMIT_ANSWERED)) {
        for (Holds holds : Holds.values()) {
          killPostgresAt(holds, when, csr);
        }
      }

      awaitEnrollments();
      Duration took =
          Poll.until(
              "every intent has an outcome",
              FINISHED_WITHIN,
              () -> LedgerRows.pendingIntents(TRIAL.trial()) == 0);
      assertNothingLost(csr);
      Evidence.note(
          "crashes: %d rounds of SIGKILL at a border, %d certificates answered, none lost"
              .formatted(rounds, given.size()));
      Evidence.note(
          "crashes: %d requests without answer, %d taken over, the last intent finished %s later"
              .formatted(
                  unanswered.get(), LedgerRows.takenOver(TRIAL.trial()), Evidence.millis(took)));
      assertDamageIsNoticed(csr);
    } finally {
      threads.shutdownNow();
      nodes.forEach(CrashNode::close);
    }
  }

  /** One node dies at a commit of intents, the other at one of outcomes. */
  private void killNodesAt(When when, byte[] csr) {
    round(
        csr,
        () -> {
          CrashNode recorder = nodes.getFirst();
          recorder.proxy().arm(Holds.INTENT, when, recorder::kill);
          CrashNode decider = nodes.getLast();
          decider.proxy().arm(Holds.OUTCOME, when, decider::kill);
        },
        () -> {
          for (CrashNode victim : nodes) {
            Poll.until(when + " strikes", STRUCK_WITHIN, victim.proxy()::hasStruck);
            victim.awaitEnd();
          }
          restartTheDead();
        });
  }

  /** A node dies before C_Sign, and one after it. */
  private void killNodesInTheToken(byte[] csr) {
    for (String when : List.of("before", "after")) {
      Path file = new SoftToken(TRIAL.trial().folder().resolve("token")).killFile(when);
      round(
          csr,
          () -> create(file),
          () -> {
            Poll.until(when + " C_Sign", STRUCK_WITHIN, () -> Files.notExists(file));
            Poll.until(
                "a node is dead",
                STRUCK_WITHIN,
                () -> !nodes.stream().allMatch(CrashNode::isAlive));
            restartTheDead();
          });
    }
  }

  /** Every process of the server dies at once; the launcher starts it on the same files. */
  private void killPostgresAt(Holds holds, When when, byte[] csr) {
    DatabaseProxy proxy = nodes.getFirst().proxy();
    round(
        csr,
        () -> proxy.arm(holds, when, CrashIT::killPostgres),
        () -> {
          Poll.until(holds + " " + when + " strikes", STRUCK_WITHIN, proxy::hasStruck);
          // Else the launcher would find everything well, for the probe asks every few seconds.
          Poll.until(
              "the nodes miss their database",
              STRUCK_WITHIN,
              () -> nodes.stream().noneMatch(CrashNode::isReady));
          TRIAL.trial().up().ok();
          nodes.forEach(CrashNode::awaitReady);
        });
  }

  /** Begins a load, strikes in its midst, and brings back what died; the load goes on. */
  private void round(byte[] csr, Runnable strike, Runnable recover) {
    rounds++;
    Semaphore clients = new Semaphore(CLIENTS);
    AtomicInteger done = new AtomicInteger();
    AtomicBoolean isArmed = new AtomicBoolean();
    for (int i = 0; i < ENROLLMENTS; i++) {
      int first = i;
      String key = "crash-" + rounds + "-" + i;
      enrollments.add(
          threads.submit(
              () -> {
                clients.acquireUninterruptibly();
                try {
                  enrollUntilIssued(first, key, csr);
                  if (done.incrementAndGet() == DONE_BEFORE) {
                    strike.run();
                    isArmed.set(true);
                  }
                } finally {
                  clients.release();
                }
              }));
    }
    Poll.until("the load of round " + rounds + " runs", ISSUED_WITHIN, isArmed::get);
    recover.run();
  }

  private void awaitEnrollments() throws InterruptedException {
    for (Future<?> enrollment : enrollments) {
      try {
        enrollment.get(ISSUED_WITHIN.toSeconds(), TimeUnit.SECONDS);
      } catch (ExecutionException | TimeoutException e) {
        throw new AssertionError("an enrollment without its certificate", e);
      }
    }
  }

  private void enrollUntilIssued(int first, String key, byte[] csr) {
    AtomicInteger tries = new AtomicInteger(first);
    Poll.until(
        key + " is issued",
        ISSUED_WITHIN,
        () -> {
          try {
            Answer answer = api(tries.getAndIncrement(), key).enroll("tls-server", csr);
            if (answer.status() == 201) {
              given.put(key, new Given(answer.locationEnd(), HEX.formatHex(answer.body())));
              return true;
            }
            assertThat(answer.status()).as(answer.toString()).isIn(202, 409, 503);
          } catch (UncheckedIOException e) {
            unanswered.incrementAndGet();
          }
          return false;
        });
  }

  private Api api(int number, String key) {
    return TRIAL
        .trial()
        .api(number % NODES, "enroll")
        .with("Accept", "application/pkix-cert", "Prefer", "wait=2", "Idempotency-Key", key);
  }

  private void restartTheDead() {
    List<CrashNode> dead = nodes.stream().filter(n -> !n.isAlive()).toList();
    dead.forEach(CrashNode::start);
    dead.forEach(CrashNode::awaitReady);
  }

  private static void killPostgres() {
    try {
      long postmaster =
          Long.parseLong(
              Files.readAllLines(TRIAL.trial().data().resolve("postgres/data/postmaster.pid"))
                  .getFirst()
                  .strip());
      ProcessHandle server = ProcessHandle.of(postmaster).orElseThrow();
      List<ProcessHandle> backends = server.descendants().toList();
      server.destroyForcibly();
      backends.forEach(ProcessHandle::destroyForcibly);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void create(Path file) {
    try {
      Files.createFile(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void assertNothingLost(byte[] csr) {
    assertThat(given).hasSize(rounds * ENROLLMENTS);
    assertThat(given.values().stream().map(Given::serial).distinct()).hasSameSizeAs(given.keySet());
    assertThat(LedgerRows.pendingIntents(TRIAL.trial())).isZero();
    assertThat(LedgerRows.outcomes(TRIAL.trial(), "abandoned")).isZero();
    assertThat(LedgerRows.keysWithTwoCertificates(TRIAL.trial())).isZero();
    assertThat(LedgerRows.issuedUnder(TRIAL.trial(), "crash-")).isEqualTo(given.size());
    given.forEach(
        (key, was) -> {
          Api node = api(0, key);
          Answer read = node.get(Api.CERTIFICATES + "/" + was.serial()).is(200);
          assertThat(HEX.formatHex(read.body())).isEqualTo(was.certificate());
          Answer again = node.enroll("tls-server", csr).is(201);
          assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
          assertThat(HEX.formatHex(again.body())).isEqualTo(was.certificate());
        });
  }

  /** The check above fails on an outcome that is gone, and on one that was changed. */
  private void assertDamageIsNoticed(byte[] csr) {
    String serial = given.values().iterator().next().serial();
    String flip =
        "UPDATE outcome SET signature = set_byte(signature, 20, get_byte(signature, 20) # 1)"
            + " WHERE encode(serial, 'hex') = ?";
    LedgerRows.damage(TRIAL.trial(), flip, serial);
    assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertNothingLost(csr));
    LedgerRows.damage(TRIAL.trial(), flip, serial);
    LedgerRows.damage(TRIAL.trial(), "DELETE FROM outcome WHERE encode(serial, 'hex') = ?", serial);
    assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertNothingLost(csr));
  }
}
