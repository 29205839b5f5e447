package org.sluiceca.load.report;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.load.inside.TokenLook;
import org.sluiceca.load.judge.Evidence;
import org.sluiceca.load.judge.PhaseJudge;
import org.sluiceca.load.judge.Verdict;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.scenario.judge.ScenarioResults;

/**
 * All that a run showed.
 *
 * @param machine processors, JDK, commit and the like, by name
 * @param tokens what nodes said of their tokens meanwhile, in the order of time; empty with one HSM
 * @param connectionsOpened by the generator, each with a TLS handshake
 * @param gatling what there is besides where Gatling sent
 */
public record Results(
    Plan plan,
    Instant began,
    Map<String, String> machine,
    List<PhaseJudge.Figures> phases,
    Map<Measure, Double> oracle,
    List<Verdict> verdicts,
    Evidence evidence,
    List<TokenLook> tokens,
    int connectionsOpened,
    Optional<ScenarioResults> gatling) {

  /** Copies. */
  public Results {
    machine = Map.copyOf(machine);
    phases = List.copyOf(phases);
    oracle = Map.copyOf(oracle);
    verdicts = List.copyOf(verdicts);
    tokens = List.copyOf(tokens);
  }

  /** Returns those of a run in which Gatling sent. */
  public static Results of(ScenarioResults seen, Instant began, Map<String, String> machine) {
    return new Results(
        seen.plan(),
        began,
        machine,
        seen.phases(),
        seen.oracle(),
        seen.verdicts(),
        new Evidence(List.of(), List.of(), Map.of(), 0),
        List.of(),
        0,
        Optional.of(seen));
  }

  /** Returns how many goals were missed. */
  public long missed() {
    return verdicts.stream().filter(verdict -> !verdict.isMet()).count();
  }

  /** Returns the phases that are judged. */
  List<PhaseJudge.Figures> measured() {
    return phases.stream().filter(figures -> figures.seen().phase().isMeasured()).toList();
  }

  /** Returns when what is measured of the first phase began. */
  long start() {
    return phases.getFirst().seen().fromNanos();
  }
}
