package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.sluiceca.blackbox.DatabaseProxy.Holds;
import org.sluiceca.blackbox.DatabaseProxy.When;

/**
 * Rounds of load on two nodes, in each of which something dies at an exact border, and the verdict
 * on all of them.
 */
final class CrashRounds implements AutoCloseable {

  private static final int NODES = 2;

  /** No promises, only ends: what is waited for comes by itself, later on a slow machine. */
  private static final Duration STRUCK_WITHIN = Duration.ofMinutes(2);

  private static final Duration TAKEN_OVER_WITHIN = Duration.ofMinutes(2);

  /** Only an end as well: ClusterIT holds the time in which a dead node's intents are finished. */
  private static final Duration FINISHED_WITHIN = Duration.ofMinutes(2);

  /** The launcher gives all nodes one address; a system property goes before it. */
  private static final String ADDRESS =
      "-Dsluice.database.url=jdbc:postgresql://127.0.0.1:${test.port.${sluice.node-name}}/sluice";

  private final Trial trial;
  private final CrashLoad load;
  private final List<CrashNode> nodes = new ArrayList<>();

  private CrashRounds(Trial trial, int enrollments) {
    byte[] csr = Csr.openssl(trial.folder(), Csr.KeyType.EC_P256, "crash.example.com").pemBytes();
    this.trial = trial;
    this.load = new CrashLoad(trial, NODES, csr, enrollments);
  }

  /** Two nodes, a proxy before each one's database, and a token that can end who uses it. */
  static TrialExtension trial(List<DatabaseProxy> proxies) {
    return TrialExtension.own(
        folder -> {
          SoftToken token = SoftToken.make(folder.resolve("token"));
          StringBuilder java = new StringBuilder(ADDRESS);
          for (int node = 0; node < NODES; node++) {
            proxies.add(DatabaseProxy.to(() -> databasePort(folder)));
            java.append(" -Dtest.port.node-%d=%d".formatted(node, proxies.getLast().port()));
          }
          return Trial.Options.token(NODES, token, token.hangingModule())
              .with(Map.of("JDK_JAVA_OPTIONS", java.toString()));
        });
  }

  private static int databasePort(Path folder) {
    try {
      return Integer.parseInt(Files.readString(folder.resolve("data/postgres.port")).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** On a trial of {@link #trial}; each round has this many enrollments. */
  static CrashRounds on(Trial trial, List<DatabaseProxy> proxies, int enrollments) {
    CrashRounds rounds = new CrashRounds(trial, enrollments);
    for (int node = 0; node < NODES; node++) {
      rounds.nodes.add(CrashNode.of(trial, node, proxies.get(node)));
    }
    return rounds;
  }

  /** One node dies at a commit of intents, the other at one of outcomes. */
  void killNodesAt(When when) {
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

  /** A node dies "before" C_Sign, or "after" it. */
  void killNodeInTheToken(String when) {
    Path file = new SoftToken(trial.folder().resolve("token")).killFile(when);
    load.begin(() -> create(file));
    load.await(when + " C_Sign", STRUCK_WITHIN, () -> Files.notExists(file));
    load.await("a node is dead", STRUCK_WITHIN, () -> !nodes.stream().allMatch(CrashNode::isAlive));
    restartTheDead();
  }

  /**
   * A node sleeps with signatures that are not recorded until the other has signed and recorded
   * others in their place. What it answers when it wakes must be what the ledger holds.
   */
  void freezeNode() {
    CrashNode zombie = nodes.getFirst();
    load.begin(() -> zombie.proxy().arm(Holds.OUTCOME, When.COMMIT_UNSENT, zombie::freeze));
    load.await("the node sleeps", STRUCK_WITHIN, zombie.proxy()::hasStruck);
    assertThat(LedgerRows.pendingIntents(trial, 0)).isPositive();
    load.await(
        "the other node has finished its intents",
        TAKEN_OVER_WITHIN,
        () -> LedgerRows.pendingIntents(trial, 0) == 0);
    zombie.thaw();
    zombie.awaitReady();
  }

  /** Every process of the server dies at once; the launcher starts it on the same files. */
  void killPostgresAt(Holds holds, When when) {
    DatabaseProxy proxy = nodes.getFirst().proxy();
    load.begin(() -> proxy.arm(holds, when, this::killPostgres));
    load.await(holds + " " + when + " strikes", STRUCK_WITHIN, proxy::hasStruck);
    // Else the launcher would find everything well, for the probe asks every few seconds.
    load.await(
        "the nodes miss their database",
        STRUCK_WITHIN,
        () -> nodes.stream().noneMatch(CrashNode::isReady));
    trial.up().ok();
    nodes.forEach(CrashNode::awaitReady);
  }

  /** Judges all rounds when every client has its certificate, and then the judge itself. */
  void judge() {
    load.awaitAll();
    Duration took =
        Poll.until(
            "every intent has an outcome",
            FINISHED_WITHIN,
            () -> LedgerRows.pendingIntents(trial) == 0);
    CrashOracle oracle = new CrashOracle(trial, load);
    oracle.assertKept(load.given());
    Evidence.note(
        "crashes: %d rounds, %d certificates answered, none lost"
            .formatted(load.rounds(), load.given().size()));
    Evidence.note(
        "crashes: %d requests without answer, %d taken over, the last intent finished %s later"
            .formatted(load.unanswered(), LedgerRows.takenOver(trial), Evidence.millis(took)));
    oracle.assertFaultsAreFound(load.given());
  }

  /** Ends the nodes as well: they would wait for half a minute for a database without a proxy. */
  @Override
  public void close() {
    load.close();
    nodes.forEach(CrashNode::close);
  }

  private void restartTheDead() {
    List<CrashNode> dead = nodes.stream().filter(n -> !n.isAlive()).toList();
    dead.forEach(CrashNode::start);
    dead.forEach(CrashNode::awaitReady);
  }

  private void killPostgres() {
    try {
      long postmaster =
          Long.parseLong(
              Files.readAllLines(trial.data().resolve("postgres/data/postmaster.pid"))
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
