package org.sluiceca.load.report;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.sluiceca.load.inside.TokenLook;
import org.sluiceca.load.judge.Evidence;
import org.sluiceca.load.judge.PhaseJudge;
import org.sluiceca.load.judge.Verdict;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.plan.Plan;

/**
 * All that a run showed.
 *
 * @param machine processors, JDK and the like, by name
 * @param tokens what nodes said of their tokens meanwhile, in the order of time; empty with one HSM
 * @param connectionsOpened by the generator, each with a TLS handshake
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
    int connectionsOpened) {

  /** Copies. */
  public Results {
    machine = Map.copyOf(machine);
    phases = List.copyOf(phases);
    oracle = Map.copyOf(oracle);
    verdicts = List.copyOf(verdicts);
    tokens = List.copyOf(tokens);
  }

  /** Returns how many goals were missed. */
  public long missed() {
    return verdicts.stream().filter(verdict -> !verdict.isMet()).count();
  }
}
