package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.sluiceca.blackbox.DatabaseProxy.Holds;
import org.sluiceca.blackbox.DatabaseProxy.When;

/**
 * SIGKILL of nodes and of PostgreSQL at each border between two steps, under load, and a node that
 * sleeps too long: what was answered is there afterwards, and every promise is kept.
 */
class CrashIT {

  private static final int NODES = 2;

  /** No promises, only ends: what is waited for comes by itself, later on a slow machine. */
  private static final Duration STRUCK_WITHIN = Duration.ofMinutes(2);

  private static final Duration TAKEN_OVER_WITHIN = Duration.ofMinutes(2);

  /** CONTRACT: the intents that a killed node held are finished within 30 s. */
  private static final Duration FINISHED_WITHIN = Duration.ofSeconds(30);

  @RegisterExtension
  static final TrialExtension TRIAL =
      TrialExtension.own(
          folder -> {
            SoftToken token = SoftToken.make(folder.resolve("token"));
            return Trial.Options.token(NODES, token, token.hangingModule());
          });

  private final List<CrashNode> nodes = new ArrayList<>();

  @Test
  void killedAtEveryBorder_nothingAnsweredIsLost_everyPromiseIsKept() {
    byte[] csr =
        Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "crash.example.com").pemBytes();
    int databasePort = Integer.parseInt(TRIAL.trial().read("postgres.port").strip());
    try (CrashLoad load = new CrashLoad(TRIAL.trial(), NODES, csr)) {
      for (int node = 0; node < NODES; node++) {
        nodes.add(CrashNode.adopt(TRIAL.trial(), node, databasePort));
      }
      nodes.forEach(CrashNode::awaitReady);

      for (When when : When.values()) {
        killNodesAt(when, load);
      }
      killNodesInTheToken(load);
      freezeNode(load);
      for (When when : List.of(When.COMMIT_SENT, When.COMMIT_ANSWERED)) {
        for (Holds holds : Holds.values()) {
          killPostgresAt(holds, when, load);
        }
      }

      load.awaitAll();
      Duration took =
          Poll.until(
              "every intent has an outcome",
              FINISHED_WITHIN,
              () -> LedgerRows.pendingIntents(TRIAL.trial()) == 0);
      CrashOracle oracle = new CrashOracle(TRIAL.trial(), load);
      oracle.assertKept(load.given());
      Evidence.note(
          "crashes: %d rounds, a border each, %d certificates answered, none lost"
              .formatted(load.rounds(), load.given().size()));
      Evidence.note(
          "crashes: %d requests without answer, %d taken over, the last intent finished %s later"
              .formatted(
                  load.unanswered(), LedgerRows.takenOver(TRIAL.trial()), Evidence.millis(took)));
      oracle.assertFaultsAreFound(load.given());
    } finally {
      nodes.forEach(CrashNode::close);
    }
  }

  /** One node dies at a commit of intents, the other at one of outcomes. */
  private void killNodesAt(When when, CrashLoad load) {
    load.begin(
        () -> {
          CrashNode recorder = nodes.getFirst();
          recorder.proxy().arm(Holds.INTENT, when, recorder::kill);
          CrashNode decider = nodes.getLast();
          decider.proxy().arm(Holds.OUTCOME, when, decider::kill);
        });
    for (CrashNode victim : nodes) {
      load.await(when + " strikes", STRUCK_WITHIN, victim.proxy()::hasStruck);
      victim.awaitEnd();
    }
    restartTheDead();
  }

  /** A node dies before C_Sign, and one after it. */
  private void killNodesInTheToken(CrashLoad load) {
    for (String when : List.of("before", "after")) {
      Path file = new SoftToken(TRIAL.trial().folder().resolve("token")).killFile(when);
      load.begin(() -> create(file));
      load.await(when + " C_Sign", STRUCK_WITHIN, () -> Files.notExists(file));
      load.await(
          "a node is dead", STRUCK_WITHIN, () -> !nodes.stream().allMatch(CrashNode::isAlive));
      restartTheDead();
    }
  }

  /**
   * A node sleeps with signatures that are not recorded until the other has signed and recorded
   * others in their place. What it answers when it wakes must be what the ledger holds.
   */
  private void freezeNode(CrashLoad load) {
    CrashNode zombie = nodes.getFirst();
    load.begin(() -> zombie.proxy().arm(Holds.OUTCOME, When.COMMIT_UNSENT, zombie::freeze));
    load.await("the node sleeps", STRUCK_WITHIN, zombie.proxy()::hasStruck);
    assertThat(LedgerRows.pendingIntents(TRIAL.trial(), 0)).isPositive();
    load.await(
        "the other node has finished its intents",
        TAKEN_OVER_WITHIN,
        () -> LedgerRows.pendingIntents(TRIAL.trial(), 0) == 0);
    zombie.thaw();
    zombie.awaitReady();
  }

  /** Every process of the server dies at once; the launcher starts it on the same files. */
  private void killPostgresAt(Holds holds, When when, CrashLoad load) {
    DatabaseProxy proxy = nodes.getFirst().proxy();
    load.begin(() -> proxy.arm(holds, when, CrashIT::killPostgres));
    load.await(holds + " " + when + " strikes", STRUCK_WITHIN, proxy::hasStruck);
    // Else the launcher would find everything well, for the probe asks every few seconds.
    load.await(
        "the nodes miss their database",
        STRUCK_WITHIN,
        () -> nodes.stream().noneMatch(CrashNode::isReady));
    TRIAL.trial().up().ok();
    nodes.forEach(CrashNode::awaitReady);
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
}
