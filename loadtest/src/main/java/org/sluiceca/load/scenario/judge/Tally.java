package org.sluiceca.load.scenario.judge;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.sluiceca.load.drive.Exchange;
import org.sluiceca.load.judge.Percentiles;
import org.sluiceca.load.plan.GatlingPlan;
import org.sluiceca.load.plan.Offer.Kind;
import org.sluiceca.load.plan.Phase;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.watch.LedgerRow;

/** What is counted over all phases of a run. Used by one thread. */
final class Tally {

  private final Plan plan;
  private final GatlingPlan gatling;
  private final Map<String, Long> errors = new TreeMap<>();
  private final Set<String> revoked = new HashSet<>();
  private final List<double[]> startedLate = new ArrayList<>();
  private long unsent;
  private long unrenewed;
  private long interrupted;
  private long requests;
  private long certificates;

  Tally(Plan plan) {
    this.plan = plan;
    this.gatling = plan.gatling().orElseThrow();
  }

  void add(Seen seen, Phase phase) {
    count(seen.records(), seen.rows());
    countUnsent(seen, phase);
    for (Exchange sent : seen.records()) {
      if (!sent.isServed() && sent.status() != 202) {
        errors.merge(error(sent), 1L, Long::sum);
      }
    }
    startedLate.add(
        seen.records().stream()
            .filter(sent -> sent.request().attempt() == 0)
            .mapToDouble(Exchange::startedLateMillis)
            .toArray());
  }

  /** Counts what came in a phase that was interrupted; what did not come is not a fault. */
  void addInterrupted(List<Exchange> records, List<LedgerRow> rows) {
    count(records, rows);
    interrupted += records.size();
  }

  private void count(List<Exchange> records, List<LedgerRow> rows) {
    requests += records.size();
    certificates += rows.stream().filter(LedgerRow::isIssued).count();
    records.stream()
        .filter(sent -> sent.kind() == Kind.REVOKE && sent.isServed())
        .forEach(sent -> revoked.add(sent.serial().orElse("")));
  }

  /**
   * Counts the requests that are in no record: no user was there to send them, or there was nothing
   * that they could be about.
   */
  private void countUnsent(Seen seen, Phase phase) {
    List<Exchange> first =
        seen.records().stream().filter(sent -> sent.request().attempt() == 0).toList();
    Map<Kind, Long> came =
        first.stream().collect(Collectors.groupingBy(Exchange::kind, Collectors.counting()));
    long issuances = first.stream().filter(sent -> sent.kind().isIssuance()).count();
    unsent += Math.max(0, seen.watched().planned() - issuances);
    if (phase.isMeasured()) {
      gatling
          .operations()
          .forEach(
              (kind, load) ->
                  unsent += Math.max(0, plan.due(load, phase) - came.getOrDefault(kind, 0L)));
    }
    if (gatling.isRenewal() && phase.crowdSeconds() > 0) {
      unrenewed +=
          first.stream()
              .filter(s -> s.kind() == Kind.ENROLL && s.request().requester().equals(Plan.CROWD))
              .count();
    }
  }

  private static String error(Exchange sent) {
    String status = sent.status() == 0 ? "no answer" : "" + sent.status();
    String answer = sent.problem().isEmpty() ? status : status + " " + sent.problem();
    String whose = sent.kind().isIssuance() ? " " + sent.request().requester() : "";
    return sent.kind().key() + whose + ": " + answer;
  }

  /** How often each answer came that is no success. */
  Map<String, Long> errors() {
    return errors;
  }

  /** Requests of any kind that were due and are in no record. */
  long unsent() {
    return unsent;
  }

  /** Clients of a crowd that renews that enrolled, for want of a certificate. */
  long unrenewed() {
    return unrenewed;
  }

  /** Requests of phases that were interrupted. */
  long interrupted() {
    return interrupted;
  }

  /** Requests that were sent, repeated ones too. */
  long requests() {
    return requests;
  }

  /** Certificates in the ledger. */
  long certificates() {
    return certificates;
  }

  /** How late virtual users came to life, in milliseconds; NaN if there was none. */
  double startedLateP99() {
    return new Percentiles(startedLate.stream().flatMapToDouble(Arrays::stream)).at(0.99);
  }

  /** How many of the revocations that were confirmed are not among {@code ledger}'s. */
  long revocationsLost(Set<String> ledger) {
    return revoked.stream().filter(serial -> !ledger.contains(serial)).count();
  }
}
