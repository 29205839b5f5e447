package org.sluiceca.load.drill;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.drill.Comparison.Standing;
import org.sluiceca.load.drill.RestoredService.Absent;
import org.sluiceca.load.drill.client.Clients;
import org.sluiceca.load.drill.client.Granted;
import org.sluiceca.load.drill.server.ClusterCopy;
import org.sluiceca.load.drill.server.PostgresServer;
import org.sluiceca.load.drill.server.Servers;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.watch.LedgerRows;
import org.sluiceca.load.watch.NodeAddresses;

/**
 * A node under load, a base backup and an archive; the database destroyed; restored to the last
 * archived moment, and once more to an earlier one, at which a certificate that a client has was
 * not signed yet.
 */
record RestoreDrill(Place place, Place.Terms terms, DrillPage page) {

  /** To what it is restored. */
  private enum Goal {
    LAST("last archived moment"),
    EARLIER("earlier moment");

    private final String words;

    Goal(String words) {
      this.words = words;
    }

    private String folder() {
      return words.replace(' ', '-');
    }
  }

  private static final int REVOKED_EACH = 2;
  private static final Duration ON_CRL_WITHIN = Duration.ofSeconds(30);

  /** How much an archive may lack: a segment that is not full is archived after so long. */
  private static final int ARCHIVE_TIMEOUT_SECONDS = 3;

  /**
   * What is known outside the database when it is gone.
   *
   * @param granted in the order of time
   * @param moment an earlier one, at which a certificate was between its intent and its outcome
   * @param revoked whose revocation was answered
   * @param crl the last that was published
   */
  record Known(List<Granted> granted, Instant moment, Set<String> revoked, PublishedCrl crl) {

    /** Copies. */
    Known {
      granted = List.copyOf(granted);
      revoked = Set.copyOf(revoked);
    }
  }

  /** Plays it; blocks for some minute and a half, and the start of the node before. */
  void run() throws IOException, GeneralSecurityException, InterruptedException {
    Path archive = place.servers().make("archive");
    PostgresServer backup = place.servers().server("backup", 0);
    try (PostgresServer primary = place.servers().server("data", Servers.freePort())) {
      primary.start(
          Map.of(
              "archive_mode",
              "on",
              "archive_timeout",
              "" + ARCHIVE_TIMEOUT_SECONDS,
              "archive_command",
              Text.format("test ! -f \"%1$s/%%f\" && cp \"%%p\" \"%1$s/%%f\"", archive)));
      page.say("starting a node");
      Trial trial = Trial.start(place, primary.url(), 1);
      Known known = live(trial, primary, backup);
      trial.nodes().end();
      ClusterCopy.delete(primary.cluster());
      if (!terms.isBrief() && !terms.isPlanted()) {
        restore(Goal.LAST, trial, known);
      }
      restore(Goal.EARLIER, trial, known);
    }
  }

  /** Issues and revokes, takes the backup meanwhile, and ends with the primary's death. */
  private Known live(Trial trial, PostgresServer primary, PostgresServer backup)
      throws InterruptedException {
    String run = LedgerRows.newRun("restore");
    LedgerView ledger = new LedgerView(primary);
    Set<String> revoked = new TreeSet<>();
    try (Clients clients = trial.clients(run);
        NodeAddresses doors = trial.doors()) {
      TimeUnit.SECONDS.sleep(terms.seconds());
      long began = System.nanoTime();
      ClusterCopy.take(primary, backup);
      page.figure("base backup under load", DrillPage.seconds((System.nanoTime() - began) / 1e9));
      revoke(doors, clients.granted(), revoked);
      TimeUnit.SECONDS.sleep(terms.seconds());
      Instant moment =
          ledger
              .momentBetween(run, Instant.now())
              .orElseThrow(() -> new TrialException("nothing was issued"));
      revoke(doors, clients.granted(), revoked);
      TimeUnit.SECONDS.sleep(terms.seconds());
      PublishedCrl crl = PublishedCrl.await(doors, revoked, ON_CRL_WITHIN);
      primary.kill();
      clients.stop();
      page.figure(
          "issued before the database was destroyed",
          Text.format(
              "%d, attempts %s; %d revoked",
              clients.granted().size(), clients.others(), revoked.size()));
      return new Known(clients.granted(), moment, revoked, crl);
    }
  }

  /** The first that were issued and are not revoked yet. */
  private static void revoke(NodeAddresses doors, List<Granted> granted, Set<String> revoked) {
    granted.stream()
        .map(Granted::serial)
        .filter(serial -> !revoked.contains(serial))
        .limit(REVOKED_EACH)
        .forEach(
            serial -> {
              doors.revoke(0, serial);
              boolean ignored = revoked.add(serial);
            });
  }

  private void restore(Goal goal, Trial trial, Known known)
      throws IOException, InterruptedException {
    page.say("restoring to the " + goal.words);
    try (PostgresServer restored = place.servers().server(goal.folder(), Servers.freePort())) {
      long began = System.nanoTime();
      Instant last =
          recover(restored, goal == Goal.EARLIER ? Optional.of(known.moment()) : Optional.empty());
      page.figure(
          goal.words + ": restored and replayed",
          DrillPage.seconds((System.nanoTime() - began) / 1e9));
      Comparison found = compared(goal, new LedgerView(restored), known, last);
      RestoredService service =
          new RestoredService(place, page, goal.words + ": ", restored, new LedgerView(restored));
      Absent absent = Absent.of(found, goal == Goal.EARLIER);
      if (!terms.isPlanted()) {
        page.figure(
            goal.words + ": after-restore",
            service.bring(absent.others(found.notThere()), known.crl()));
      }
      Path exports = service.putExportsAside(goal.folder());
      service.serve(trial, known, absent);
      if (goal == Goal.EARLIER) {
        service.judgeOlderState(exports);
      }
      service.judgeTheJudge(known.granted().getFirst());
    }
    ClusterCopy.delete(place.servers().folder().resolve(goal.folder()));
  }

  /** Starts a copy of the backup, and returns the commit time of the last transaction replayed. */
  private Instant recover(PostgresServer restored, Optional<Instant> moment) {
    ClusterCopy.copy(place.servers().folder().resolve("backup"), restored.cluster());
    restored.write("recovery.signal", "");
    List<String> settings = new ArrayList<>();
    settings.add(
        Text.format(
            "restore_command = 'cp \"%s/%%f\" \"%%p\"'",
            place.servers().folder().resolve("archive")));
    settings.add("recovery_target_action = 'promote'");
    moment.ifPresent(at -> settings.add("recovery_target_time = '" + words(at) + "'"));
    restored.configure(settings);
    restored.start(Map.of());
    restored.await("the end of recovery", "SELECT pg_is_in_recovery()", "f");
    return Instant.parse(
        restored.ask(
            "SELECT to_char(pg_last_xact_replay_timestamp() AT TIME ZONE 'UTC',"
                + " 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"));
  }

  /** As PostgreSQL reads it: with a blank, and an offset in digits. */
  private static String words(Instant at) {
    return at.toString().replace('T', ' ').replace("Z", "+00");
  }

  /** Reports what is lost. */
  private Comparison compared(Goal goal, LedgerView ledger, Known known, Instant last) {
    String what = goal.words + ": ";
    Comparison found = ledger.compare(known.granted());
    List<Granted> missing = found.notThereUntil(last);
    page.promise(
        what + "all that was answered until the last replayed transaction is there",
        missing.isEmpty(),
        Text.format("until %s: %d missing", last, missing.size()));
    page.figure(what + "what clients have, in the ledger", found.toString());
    page.figure(what + "lost", DrillPage.serials(found.notThere()));
    Set<String> undone = new TreeSet<>(known.revoked());
    undone.removeAll(ledger.revoked());
    page.figure(what + "revocations undone", undone.size() + " of " + known.revoked().size());
    if (goal == Goal.EARLIER) {
      page.promise(
          what
              + "the drill has what it is about, certificates that the ledger thinks unsigned, and lost ones",
          found.count(Standing.UNDECIDED) > 0 && found.count(Standing.MISSING) > Absent.UNKNOWN,
          found.toString());
    }
    return found;
  }
}
