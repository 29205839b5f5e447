package org.sluiceca.load.scenario.judge;

import java.util.List;
import java.util.Optional;
import org.sluiceca.load.judge.PhaseJudge;
import org.sluiceca.load.plan.Goal;
import org.sluiceca.load.plan.Measure;

/**
 * How far load may rise before the service cannot follow: the last phase up to which every phase
 * met the goals that one below the knee meets.
 *
 * @param load times the capacity
 * @param rate certificates a second
 */
record Knee(double load, double rate) {

  /**
   * Finds it.
   *
   * @param rising the measured phases, each with more load than the one before
   * @return empty if the first phase is above it already
   */
  static Optional<Knee> of(List<PhaseJudge.Figures> rising, List<Goal> below) {
    Optional<Knee> knee = Optional.empty();
    for (PhaseJudge.Figures figures : rising) {
      if (!below.stream()
          .allMatch(goal -> goal.isMetBy(figures.of(goal.measure(), goal.name()), 1))) {
        return knee;
      }
      knee = Optional.of(new Knee(figures.seen().phase().load(), figures.of(Measure.GOODPUT)));
    }
    return knee;
  }
}
