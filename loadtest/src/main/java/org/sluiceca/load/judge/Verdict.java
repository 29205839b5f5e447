package org.sluiceca.load.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.sluiceca.load.plan.Goal;
import org.sluiceca.load.plan.Measure;

/**
 * Whether a goal was reached.
 *
 * @param phase whose goal it is, or {@link #WHOLE_RUN}
 * @param value NaN if the phase has no such figure, which reaches no goal
 * @param base the figure of the phase that the goal is bound to; 1 if it is bound to none
 */
public record Verdict(String phase, Goal goal, double value, double base) {

  /** The goals of the oracle are about all phases together. */
  public static final String WHOLE_RUN = "run";

  /** Judges every goal of every phase, and the oracle's. */
  public static List<Verdict> of(
      List<PhaseJudge.Figures> phases, Map<Measure, Double> oracleMeasures) {
    List<Verdict> verdicts = new ArrayList<>();
    for (PhaseJudge.Figures figures : phases) {
      for (Goal goal : figures.seen().phase().goals()) {
        String name = figures.seen().phase().name();
        double value = figures.of(goal.measure(), goal.name());
        verdicts.add(new Verdict(name, goal, value, base(goal, phases)));
      }
    }
    for (Goal goal : Oracle.GOALS) {
      double value = oracleMeasures.getOrDefault(goal.measure(), Double.NaN);
      verdicts.add(new Verdict(WHOLE_RUN, goal, value, 1));
    }
    return verdicts;
  }

  static double base(Goal goal, List<PhaseJudge.Figures> phases) {
    if (!goal.isRelative()) {
      return 1;
    }
    return phases.stream()
        .filter(figures -> figures.seen().phase().name().equals(goal.base()))
        .mapToDouble(figures -> figures.of(goal.measure(), goal.name()))
        .findFirst()
        .orElse(Double.NaN);
  }

  /** Tells whether the goal was reached. */
  public boolean isMet() {
    return goal.isMetBy(value, base);
  }
}
