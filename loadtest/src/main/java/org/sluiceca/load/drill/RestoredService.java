package org.sluiceca.load.drill;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.sluiceca.load.call.Wait;
import org.sluiceca.load.drill.Comparison.Standing;
import org.sluiceca.load.drill.client.Clients;
import org.sluiceca.load.drill.client.Granted;
import org.sluiceca.load.drill.server.PostgresServer;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.watch.LedgerRows;
import org.sluiceca.load.watch.NodeAddresses;
import org.sluiceca.load.watch.TrialNodes;

/**
 * A node on a restored database, and what must be so when it has worked for a while.
 *
 * @param what begins every line of the page
 */
record RestoredService(
    Place place, DrillPage page, String what, PostgresServer restored, LedgerView ledger) {

  private static final int SERVED_AGAIN = 20;
  private static final Duration LOOK = Duration.ofMillis(200);

  /** A later checkpoint is not there, or another one has its number. */
  private static final Pattern OLDER = Pattern.compile("checkpoint \\d+: (missing|rewritten)");

  /** What {@code audit verify} says of a row whose content is another one. */
  private static final String CHANGED = "changed: its hash is not that of its content";

  private static final Duration SERVED_WITHIN = Duration.ofSeconds(90);
  private static final Duration DECIDED_WITHIN = Duration.ofSeconds(90);
  private static final Duration ON_CRL_WITHIN = Duration.ofSeconds(30);

  /**
   * Certificates that are not brought to a restored ledger at first.
   *
   * @param unknown to the ledger: one turns up later, of the other there is a serial number; none,
   *     if too few are
   * @param undecided one whose intent is there, if it is to be given up
   */
  record Absent(List<Granted> unknown, List<Granted> undecided) {

    /** Number of certificates in {@code unknown}. */
    static final int UNKNOWN = 2;

    static Absent of(Comparison found, boolean isGivenUp) {
      List<Granted> missing = found.all(Standing.MISSING);
      return new Absent(
          missing.size() < UNKNOWN ? List.of() : missing.subList(0, UNKNOWN),
          isGivenUp ? found.all(Standing.UNDECIDED).stream().limit(1).toList() : List.of());
    }

    /** Returns those of {@code all} that are brought at once. */
    List<Granted> others(List<Granted> all) {
      List<Granted> others = new ArrayList<>(all);
      others.removeAll(unknown);
      others.removeAll(undecided);
      return others;
    }

    /** Returns those of {@code all} of which anybody ever brings the certificate. */
    List<Granted> brought(List<Granted> all) {
      List<Granted> brought = new ArrayList<>(all);
      if (!unknown.isEmpty()) {
        brought.remove(unknown.getLast());
      }
      brought.removeAll(undecided);
      return brought;
    }
  }

  /**
   * The step of the ceremony that a restored database needs, as an operator runs it, before nodes
   * start; returns what it said.
   */
  String bring(List<Granted> certificates, PublishedCrl crl) throws IOException {
    Path file = Files.write(place.work().resolve("published.crl"), crl.der());
    return step(List.of("--certificates", pem(certificates), "--crl", file.toString()));
  }

  /** While nodes run: a certificate that turned up, and a log of serial numbers. */
  private String bringLater(Granted certificate, List<String> log) throws IOException {
    Path serials = Files.write(place.work().resolve("serials"), log);
    return step(
        List.of(
            "--keep-undecided",
            "--certificates",
            pem(List.of(certificate)),
            "--serials",
            serials.toString()));
  }

  private String pem(List<Granted> some) throws IOException {
    return Files.writeString(
            place.work().resolve("certificates.pem"),
            some.stream().map(Granted::pem).collect(Collectors.joining()))
        .toString();
  }

  private String step(List<String> options) {
    List<String> words = new ArrayList<>(List.of("after-restore"));
    words.addAll(options);
    return place.ceremony(restored.url(), words).strip().replace("\n", "; ");
  }

  /** Has a node serve, and judges; the node has ended when it returns. */
  void serve(Trial trial, RestoreDrill.Known known, Absent absent)
      throws IOException, InterruptedException {
    TrialNodes nodes = place.nodes(restored.url());
    nodes.up(1);
    Trial again = trial.with(nodes);
    try (NodeAddresses doors = again.doors()) {
      List<Granted> all = new ArrayList<>(known.granted());
      all.addAll(issued(again));
      boolean isQuiet = ledger.awaitQuiet(DECIDED_WITHIN);
      page.promise(
          what + "every intent is decided and every certificate can be found",
          isQuiet,
          ledger.undecided() + " undecided, " + ledger.notIndexed() + " not in the index");
      if (!absent.unknown().isEmpty()) {
        later(doors, known.granted().getLast(), absent.unknown());
      }
      judge(known, all, absent);
      PublishedCrl crl = PublishedCrl.await(doors, ledger.revoked(), ON_CRL_WITHIN);
      page.promise(
          what + "the CRL has all that is revoked, under a higher number than before",
          crl.number().compareTo(known.crl().number()) > 0,
          Text.format("number %s after %s", crl.number(), known.crl().number()));
    } finally {
      nodes.end();
    }
    String audited = nodes.audit(System.err);
    page.promise(what + "the audit trail verifies", !audited.isEmpty(), audited);
  }

  private List<Granted> issued(Trial again) throws InterruptedException {
    try (Clients clients = again.clients(LedgerRows.newRun("again"))) {
      boolean isServed = clients.awaitSince(Instant.EPOCH, SERVED_AGAIN, SERVED_WITHIN);
      clients.stop();
      page.promise(what + "a node issues", isServed, clients.granted().size() + " issued");
      return clients.granted();
    }
  }

  /**
   * A certificate turns up while the node runs, and of another one the serial number alone, in a
   * log that has a known one as well.
   */
  private void later(NodeAddresses doors, Granted knownOne, List<Granted> unknown)
      throws IOException {
    Granted found = unknown.getFirst();
    List<String> log = List.of(knownOne.serial(), found.serial(), unknown.getLast().serial());
    String said = bringLater(found, log);
    doors.revoke(0, found.serial());
    page.promise(
        what
            + "lost ones are revoked while the node runs, one by its certificate that turned up, one by its serial number, and no known one",
        ledger.revoked().containsAll(unknown.stream().map(Granted::serial).toList())
            && !ledger.revoked().contains(knownOne.serial())
            && ledger.compare(List.of(found)).count(Standing.SAME) == 1,
        said);
  }

  private void judge(RestoreDrill.Known known, List<Granted> all, Absent absent)
      throws InterruptedException {
    int twice = ledger.compare(all).count(Standing.OTHER);
    page.promise(what + "no serial number has two certificates", twice == 0, twice + " have");
    Comparison brought = ledger.compare(absent.brought(all));
    page.promise(
        what + "the ledger has every certificate that anybody has brought",
        brought.notThere().isEmpty(),
        brought.toString());
    if (!absent.undecided().isEmpty()) {
      page.promise(
          what + "an undecided one that no client has brought is given up and revoked",
          isRevokedInTime(absent.undecided()),
          ledger.compare(absent.undecided()).toString());
    }
    page.promise(
        what + "what was revoked is revoked",
        ledger.revoked().containsAll(known.revoked()),
        known.revoked().size() + " were");
  }

  private boolean isRevokedInTime(List<Granted> some) throws InterruptedException {
    List<String> serials = some.stream().map(Granted::serial).toList();
    return Wait.until(ON_CRL_WITHIN, LOOK, () -> ledger.revoked().containsAll(serials));
  }

  /** Moves the exports away, as an older state always contradicts later checkpoints. */
  Path putExportsAside(String name) throws IOException {
    return Files.move(exports(), place.work().resolve("exports-before-" + name));
  }

  /** What was exported later than the restored moment must say so. */
  void judgeOlderState(Path exportsBefore) throws IOException {
    Path ignored = Files.move(exports(), place.work().resolve("exports-since"));
    Path back = Files.move(exportsBefore, exports());
    String said = place.audit();
    page.promise(
        what + "checkpoints exported before tell that the database is an older one",
        OLDER.matcher(said).find(),
        back.getFileName() + ": " + said.lines().limit(1).reduce("", String::concat));
  }

  /**
   * With a certificate removed, and a row of the audit trail changed, comparison and verification
   * must not say what they have said before.
   */
  void judgeTheJudge(Granted one) {
    ledger.delete(one);
    Comparison without = ledger.compare(List.of(one));
    page.promise(
        what + "a certificate that is removed from the ledger is missed",
        without.count(Standing.MISSING) == 1,
        without.toString());
    ledger.changeAuditTrail();
    String said = place.audit();
    page.promise(
        what + "a row of the audit trail that is changed is found",
        said.contains(CHANGED),
        said.lines().filter(line -> line.contains(CHANGED)).findFirst().orElse(said));
  }

  private Path exports() {
    return place.trial().resolve("node-0").resolve("audit");
  }
}
