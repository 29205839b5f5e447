package org.sluiceca.load.scenario.judge;

import java.util.List;
import java.util.Map;
import org.sluiceca.load.judge.PhaseJudge;
import org.sluiceca.load.judge.Verdict;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.plan.Plan;

/**
 * All that a run showed in which Gatling sent.
 *
 * @param watched of the phases, in their order
 * @param verdicts of the phases' goals, the oracle's, and those of the whole run
 * @param figures of the whole run by their names, as goals have them
 * @param errors how often each status and problem was answered that is no success
 * @param requests that were sent, repeated ones too
 * @param interrupted those of them in phases that were measured again
 * @param certificates in the ledger
 */
public record ScenarioResults(
    Plan plan,
    List<Watched> watched,
    List<PhaseJudge.Figures> phases,
    Map<Measure, Double> oracle,
    List<Verdict> verdicts,
    Map<String, Double> figures,
    List<Drift> drifts,
    List<Operation> operations,
    List<Persistence> persistences,
    Map<String, Long> errors,
    List<NodeLook> looks,
    List<Moment> moments,
    long requests,
    long interrupted,
    long certificates) {

  /** Copies. */
  public ScenarioResults {
    watched = List.copyOf(watched);
    phases = List.copyOf(phases);
    oracle = Map.copyOf(oracle);
    verdicts = List.copyOf(verdicts);
    figures = Map.copyOf(figures);
    drifts = List.copyOf(drifts);
    operations = List.copyOf(operations);
    persistences = List.copyOf(persistences);
    errors = Map.copyOf(errors);
    looks = List.copyOf(looks);
    moments = List.copyOf(moments);
  }

  /**
   * A point of the plots of requests.
   *
   * @param epochMillis the middle of the time that it stands for
   * @param offered issuances a second that were due, each counted once
   * @param issued certificates a second, by the ledger
   * @param p50Millis of those that were due then and issued
   */
  public record Moment(
      long epochMillis, double offered, double issued, double p50Millis, double p99Millis) {}
}
