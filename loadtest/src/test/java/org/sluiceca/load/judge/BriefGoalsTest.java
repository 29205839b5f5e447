package org.sluiceca.load.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluiceca.load.plan.Goal;
import org.sluiceca.load.plan.Measure;
import org.sluiceca.load.plan.Phase;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.plan.PlanFile;

/** The goals of {@code brief}, by figures of real runs that faults were planted in. */
class BriefGoalsTest {

  private static List<String> missed(double goodputShare, double queueP99, double refused)
      throws IOException {
    Plan plan =
        PlanFile.read(Path.of(System.getProperty("basedir", ""), "plans", "brief.properties"));
    Phase above =
        plan.phases().stream().filter(p -> p.name().equals("above")).findFirst().orElseThrow();
    Map<Measure, Double> seen =
        Map.of(
            Measure.GOODPUT_SHARE,
            goodputShare,
            Measure.HSM_QUEUE_P99,
            queueP99,
            Measure.HSM_REFUSED,
            refused);
    assertThat(above.goals().stream().map(Goal::measure)).containsAll(seen.keySet());
    return above.goals().stream()
        .filter(goal -> seen.containsKey(goal.measure()))
        .filter(goal -> !goal.isMetBy(seen.getOrDefault(goal.measure(), Double.NaN), 1))
        .map(goal -> goal.measure().key())
        .toList();
  }

  @Test
  void nothingPlanted_alsoBesideBusyLoops_met() throws IOException {
    assertThat(missed(0.983, 22, 0)).isEmpty();
    assertThat(missed(0.975, 22, 0)).isEmpty();
  }

  @Test
  void fixedWindows_fillTheQueue_found() throws IOException {
    assertThat(missed(1, 65, 0)).containsExactly("hsm-queue-p99");
  }

  @Test
  void oneSessionOfEachNode_leavesTheHsmIdle_found() throws IOException {
    assertThat(missed(0.333, 0, 0)).containsExactly("goodput-share");
  }

  @Test
  void queueThatOverflows_found() throws IOException {
    assertThat(missed(1, 22, 1)).containsExactly("hsm-refused");
  }
}
