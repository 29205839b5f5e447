package org.sluiceca.load.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.load.plan.Goal;
import org.sluiceca.load.plan.Measure;

/**
 * Whether a goal was reached.
 *
 * @param phase whose goal it is, or {@link #WHOLE_RUN}
 * @param value NaN if the phase has no such figure, which reaches no goal
 * @param base the figure of the phase that the goal is bound to; 1 if it is bound to none
 * @param isOfBusyMachine whether it compares two phases, one of which shows the machine and not the
 *     HSM: alike as they may be, that says nothing, and reaches no goal
 */
public record Verdict(String phase, Goal goal, double value, double base, boolean isOfBusyMachine) {

  /** The goals of the oracle are about all phases together. */
  public static final String WHOLE_RUN = "run";

  /** Judges every goal of every phase, and the oracle's. */
  public static List<Verdict> of(
      List<PhaseJudge.Figures> phases, Map<Measure, Double> oracleMeasures) {
    List<Verdict> verdicts = new ArrayList<>();
    for (PhaseJudge.Figures figures : phases) {
      for (Goal goal : figures.seen().phase().goals()) {
        verdicts.add(of(figures, goal, phases));
      }
    }
    for (Goal goal : Oracle.GOALS) {
      double value = oracleMeasures.getOrDefault(goal.measure(), Double.NaN);
      verdicts.add(new Verdict(WHOLE_RUN, goal, value, 1, false));
    }
    return verdicts;
  }

  private static Verdict of(
      PhaseJudge.Figures figures, Goal goal, List<PhaseJudge.Figures> phases) {
    String name = figures.seen().phase().name();
    double value = figures.of(goal.measure(), goal.name());
    if (!goal.isRelative()) {
      return new Verdict(name, goal, value, 1, false);
    }
    Optional<PhaseJudge.Figures> base =
        phases.stream()
            .filter(other -> other.seen().phase().name().equals(goal.base()))
            .findFirst();
    return new Verdict(
        name,
        goal,
        value,
        base.map(other -> other.of(goal.measure(), goal.name())).orElse(Double.NaN),
        figures.isOfBusyMachine() || base.filter(other -> other.isOfBusyMachine()).isPresent());
  }

  /** Returns whether the goal was reached. */
  public boolean isMet() {
    return !isOfBusyMachine && goal.isMetBy(value, base);
  }
}
