package org.sluiceca.load.drill;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.drill.Comparison.Standing;
import org.sluiceca.load.drill.client.Clients;
import org.sluiceca.load.drill.client.Granted;
import org.sluiceca.load.drill.server.ClusterCopy;
import org.sluiceca.load.drill.server.PostgresServer;
import org.sluiceca.load.drill.server.ReplicationLine;
import org.sluiceca.load.drill.server.Servers;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.watch.LedgerRows;

/**
 * Two servers and two nodes under load: the primary is killed, its standby promoted, in rounds:
 * with a line between them that works and with one that has stood still for a while. Where
 * replication is synchronous nothing that was answered may be missing; where it is not, what is
 * missing is reported.
 */
final class FailoverDrill {

  /** A replication and its line. */
  private enum Round {
    SYNCHRONOUS("synchronous", true, false),
    SYNCHRONOUS_STALLED("synchronous, line stalled", true, true),
    ASYNCHRONOUS("asynchronous", false, false),
    ASYNCHRONOUS_STALLED("asynchronous, line stalled", false, true);

    private final String words;
    private final boolean isSynchronous;
    private final boolean isStalled;

    Round(String words, boolean isSynchronous, boolean isStalled) {
      this.words = words;
      this.isSynchronous = isSynchronous;
      this.isStalled = isStalled;
    }
  }

  private static final int NODES = 2;
  private static final int SERVED_AGAIN = 20;
  private static final Duration SERVED_WITHIN = Duration.ofSeconds(90);

  /** A claim of a node lives for 15 s; recovery comes every 3 s. */
  private static final Duration DECIDED_WITHIN = Duration.ofSeconds(90);

  /** Longer than a commit takes, also on a busy machine. */
  private static final int FENCE_SECONDS = 4;

  private final Place place;
  private final Place.Terms terms;
  private final DrillPage page;
  private int clusters;

  FailoverDrill(Place place, Place.Terms terms, DrillPage page) {
    this.place = place;
    this.terms = terms;
    this.page = page;
  }

  /** Plays all rounds; blocks for some 20 s each and the start of the nodes before. */
  void run() throws IOException, GeneralSecurityException, InterruptedException {
    int first = Servers.freePort();
    int second = Servers.freePort();
    while (second == first) {
      second = Servers.freePort();
    }
    String url =
        Text.format(
            "jdbc:postgresql://127.0.0.1:%d,127.0.0.1:%d/sluice?targetServerType=primary",
            first, second);
    PostgresServer primary = place.servers().server("data", first);
    primary.start(Map.of());
    try {
      page.say("starting " + NODES + " nodes");
      Trial trial = Trial.start(place, url, NODES);
      for (Round round : rounds()) {
        int other = primary.port() == first ? second : first;
        primary = play(round, trial, primary, other);
      }
    } finally {
      primary.close();
    }
  }

  private List<Round> rounds() {
    if (terms.isPlanted()) {
      // A user who has planted a fault wants to see it found, and nothing else.
      return List.of(Round.SYNCHRONOUS_STALLED);
    }
    return Arrays.stream(Round.values())
        .filter(round -> round.isStalled || !terms.isBrief())
        .toList();
  }

  /** Plays a round and returns the new primary. */
  private PostgresServer play(Round round, Trial trial, PostgresServer primary, int port)
      throws IOException, InterruptedException {
    page.say("round " + round.words);
    PostgresServer standby = place.servers().server("s" + ++clusters, port);
    try (ReplicationLine line = ReplicationLine.open(primary.port())) {
      follow(primary, standby, line, round.isSynchronous && !terms.isPlanted());
      String run = LedgerRows.newRun("failover");
      try (Clients clients = trial.clients(run)) {
        TimeUnit.SECONDS.sleep(terms.seconds());
        String state = primary.ask("SELECT sync_state FROM pg_stat_replication");
        if (round.isSynchronous) {
          page.promise(
              round.words + ": the standby is a synchronous one", state.equals("sync"), state);
        }
        if (round.isStalled) {
          line.hold();
          TimeUnit.SECONDS.sleep(terms.stallSeconds());
        }
        Instant killed = Instant.now();
        primary.kill();
        line.cut();
        boolean ignored = Boolean.parseBoolean(standby.ask("SELECT pg_promote(true, 60)"));
        Instant promoted = Instant.now();
        boolean isServed = clients.awaitSince(promoted, SERVED_AGAIN, SERVED_WITHIN);
        clients.stop();
        page.promise(
            round.words + ": nodes find the new primary by themselves",
            isServed,
            outage(clients.granted(), killed, promoted));
        judge(round, standby, clients, killed);
      }
      if (round == Round.SYNCHRONOUS_STALLED) {
        String audited = trial.nodes().audit(System.err);
        page.promise(round.words + ": the audit trail verifies", !audited.isEmpty(), audited);
      }
      fence(round, primary);
    }
    ClusterCopy.delete(primary.cluster());
    return standby;
  }

  /** Makes a standby of the primary. */
  private void follow(
      PostgresServer primary, PostgresServer standby, ReplicationLine line, boolean isSynchronous) {
    primary.execute("ALTER SYSTEM RESET synchronous_standby_names");
    ClusterCopy.take(primary, standby);
    standby.follow(line.port(), primary);
    if (isSynchronous) {
      primary.execute("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
      primary.execute("SELECT pg_reload_conf()");
      primary.await("a synchronous standby", "SELECT sync_state FROM pg_stat_replication", "sync");
    }
  }

  private static String outage(List<Granted> granted, Instant killed, Instant promoted) {
    Duration longest = Duration.ZERO;
    Instant again = killed;
    for (int i = 1; i < granted.size(); i++) {
      Duration gap = Duration.between(granted.get(i - 1).at(), granted.get(i).at());
      if (granted.get(i).at().isAfter(killed) && gap.compareTo(longest) > 0) {
        longest = gap;
        again = granted.get(i).at();
      }
    }
    return Text.format(
        "no client was served for %s: promoted %s after the kill, served %s after that",
        DrillPage.seconds(longest.toMillis() / 1e3),
        DrillPage.seconds(Duration.between(killed, promoted).toMillis() / 1e3),
        DrillPage.seconds(Duration.between(promoted, again).toMillis() / 1e3));
  }

  private void judge(Round round, PostgresServer standby, Clients clients, Instant killed)
      throws InterruptedException {
    LedgerView ledger = new LedgerView(standby);
    List<Granted> granted = clients.granted();
    Comparison atOnce = ledger.compare(granted);
    boolean isQuiet = ledger.awaitQuiet(DECIDED_WITHIN);
    Comparison comparison = ledger.compare(granted);
    long before = granted.stream().filter(one -> !one.at().isAfter(killed)).count();
    String seen =
        Text.format(
            "%d given, %d of them before the kill: %s; attempts %s",
            granted.size(), before, comparison, clients.others());
    if (round.isSynchronous) {
      page.promise(
          round.words + ": nothing that was answered is lost",
          comparison.notThere().isEmpty(),
          seen);
    } else {
      page.figure(round.words, seen);
      if (round.isStalled) {
        // Else nothing has been shown of synchronous replication either.
        page.promise(
            round.words + ": what is lost is missed",
            comparison.count(Standing.MISSING) > 0,
            comparison.count(Standing.MISSING) + " missing");
      }
      page.figure(round.words + ": lost", DrillPage.serials(comparison.all(Standing.MISSING)));
      page.figure(
          round.words + ": serial numbers that were signed twice",
          Text.format(
              "%d of %d that were undecided when nodes came back",
              comparison.count(Standing.OTHER), atOnce.count(Standing.UNDECIDED)));
    }
    page.promise(
        round.words + ": every intent is decided and every certificate can be found",
        isQuiet,
        ledger.undecided() + " undecided, " + ledger.notIndexed() + " not in the index");
  }

  /**
   * Has the old primary come back, where no node finds it, and tries whether it acknowledges a
   * commit.
   */
  private void fence(Round round, PostgresServer old) throws InterruptedException {
    old.move(Servers.freePort());
    old.start(Map.of());
    ExecutorService thread = Executors.newSingleThreadExecutor();
    boolean isAcknowledged;
    try {
      CompletableFuture<Void> write =
          CompletableFuture.runAsync(() -> old.execute("CREATE TABLE drill_fence ()"), thread);
      var ignored = write.get(FENCE_SECONDS, TimeUnit.SECONDS);
      isAcknowledged = true;
    } catch (TimeoutException e) {
      isAcknowledged = false;
    } catch (ExecutionException e) {
      throw new TrialException("the old primary cannot be asked", e);
    } finally {
      old.kill();
      thread.shutdownNow();
    }
    if (round.isSynchronous) {
      page.promise(
          round.words + ": the old primary, started again, acknowledges nothing",
          !isAcknowledged,
          isAcknowledged ? "a commit was acknowledged" : "none in " + FENCE_SECONDS + " s");
    } else {
      page.figure(
          round.words + ": the old primary, started again",
          isAcknowledged ? "acknowledges commits, so it must be kept off" : "acknowledges none");
    }
  }
}
