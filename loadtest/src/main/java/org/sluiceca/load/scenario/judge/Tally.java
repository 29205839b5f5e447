package org.sluiceca.load.scenario.judge;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.sluiceca.load.judge.Percentiles;
import org.sluiceca.load.plan.Phase;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.scenario.Kind;
import org.sluiceca.load.scenario.Scenario;
import org.sluiceca.load.scenario.wire.Shot;
import org.sluiceca.load.watch.LedgerRow;

/** What is counted over all phases of a run. Used by one thread. */
final class Tally {

  private final Scenario scenario;
  private final Map<String, Long> errors = new TreeMap<>();
  private final Set<String> revoked = new HashSet<>();
  private final List<double[]> startedLate = new ArrayList<>();
  private long unsent;
  private long unrenewed;
  private long interrupted;
  private long requests;
  private long certificates;

  Tally(Scenario scenario) {
    this.scenario = scenario;
  }

  void add(Seen seen, Phase phase) {
    count(seen.shots(), seen.rows());
    countUnsent(seen, phase);
    for (Shot shot : seen.shots()) {
      if (!shot.isServed() && shot.status() != 202) {
        errors.merge(error(shot), 1L, Long::sum);
      }
    }
    startedLate.add(
        seen.shots().stream()
            .filter(shot -> shot.attempt() == 0)
            .mapToDouble(Shot::startedLateMillis)
            .toArray());
  }

  /** Of a phase that was interrupted: what came is counted, and what did not is nobody's fault. */
  void addInterrupted(List<Shot> shots, List<LedgerRow> rows) {
    count(shots, rows);
    interrupted += shots.size();
  }

  private void count(List<Shot> shots, List<LedgerRow> rows) {
    requests += shots.size();
    certificates += rows.stream().filter(LedgerRow::isIssued).count();
    shots.stream()
        .filter(shot -> shot.kind() == Kind.REVOKE && shot.isServed())
        .forEach(shot -> revoked.add(shot.serial()));
  }

  /** What nobody was there to send, or had nothing to be about, is in no record. */
  private void countUnsent(Seen seen, Phase phase) {
    List<Shot> first = seen.shots().stream().filter(shot -> shot.attempt() == 0).toList();
    Map<Kind, Long> came =
        first.stream().collect(Collectors.groupingBy(Shot::kind, Collectors.counting()));
    long issuances = first.stream().filter(shot -> shot.kind().isIssuance()).count();
    unsent += Math.max(0, seen.watched().planned() - issuances);
    if (Scenario.isMeasured(phase)) {
      scenario
          .operations()
          .forEach(
              (kind, load) ->
                  unsent += Math.max(0, scenario.due(load, phase) - came.getOrDefault(kind, 0L)));
    }
    if (scenario.isRenewal() && phase.crowdSeconds() > 0) {
      unrenewed +=
          first.stream()
              .filter(s -> s.kind() == Kind.ENROLL && s.requester().equals(Plan.CROWD))
              .count();
    }
  }

  private static String error(Shot shot) {
    String status = shot.status() == 0 ? "no answer" : "" + shot.status();
    String told = shot.problem().isEmpty() ? status : status + " " + shot.problem();
    String whose = shot.kind().isIssuance() ? " " + shot.requester() : "";
    return shot.kind().key() + whose + ": " + told;
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
