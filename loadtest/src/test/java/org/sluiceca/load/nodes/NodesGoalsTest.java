package org.sluiceca.load.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluiceca.load.plan.Measure;

/** Each fault is planted once, and is found for its own reason. */
class NodesGoalsTest {

  private static final int SERVERS = 8;

  @Test
  void nothingPlanted_allMet() {
    List<NodesGoals.Verdict> verdicts = NodesGoals.judge(new PlantedRuns().runs(), SERVERS);

    assertThat(verdicts).allMatch(NodesGoals.Verdict::isMet);
    // Of each run its own goals, two queues; of three Jain and ratios of both loads.
    assertThat(verdicts).hasSize(4 + 4 * 2 + 3 * (2 + 2 + 2 + 1));
  }

  @Test
  void goodput_lessWithEight_found() {
    assertMissed(new PlantedRuns().spoil(8, "x1.5", Measure.GOODPUT_SHARE, 0.969), "goodput");
    assertMissed(new PlantedRuns().spoil(8, "x1.5", Measure.GOODPUT_SHARE, 0.971));
  }

  /** All runs alike is no merit if the one that they are compared with issued nothing. */
  @Test
  void goodput_noFigure_found() {
    assertMissed(new PlantedRuns().spoil(4, "x0.8", Measure.GOODPUT_SHARE, Double.NaN), "goodput");
  }

  @Test
  void queue_longerThanItsBound_found() {
    assertThat(NodesGoals.queueBound(1, SERVERS)).isCloseTo(13.657, within(1e-3));
    assertThat(NodesGoals.queueBound(8, SERVERS)).isCloseTo(24, within(1e-9));
    assertThat(NodesGoals.queueBound(100, 1)).isEqualTo(100);
    assertMissed(new PlantedRuns().spoil(8, "x1.5", Measure.HSM_QUEUE_P99, 24));
    assertMissed(new PlantedRuns().spoil(8, "x1.5", Measure.HSM_QUEUE_P99, 25), "HSM queue");
    assertMissed(new PlantedRuns().spoil(1, "x0.8", Measure.HSM_QUEUE_P99, 14), "HSM queue");
  }

  @Test
  void fairnessMemoryLatency_worse_found() {
    assertMissed(new PlantedRuns().spoil(2, "x1.5", Measure.JAIN_NODES, 0.98), "Jain");
    assertMissed(new PlantedRuns().spoil(8, "x1.5", Measure.NODE_MEMORY, 243), "memory");
    assertMissed(new PlantedRuns().spoil(4, "x0.8", Measure.LATENCY_P50, 211), "answer p50");
    // Beyond the capacity waiting is what is asked for.
    assertMissed(new PlantedRuns().spoil(4, "x1.5", Measure.LATENCY_P50, 9_000));
  }

  @Test
  void processors_wereTheLimit_ratiosSayNothing() {
    List<NodesGoals.Verdict> missed =
        missed(new PlantedRuns().spoil(1, "x1.5", Measure.PROCESSORS_BUSY, 0.96));

    assertThat(missed).hasSize(3 * 2).allMatch(it -> it.goal().contains("processors were"));
  }

  private static void assertMissed(PlantedRuns planted, String... goals) {
    List<NodesGoals.Verdict> missed = missed(planted);
    assertThat(missed).hasSize(goals.length);
    for (int i = 0; i < goals.length; i++) {
      assertThat(missed.get(i).goal()).startsWith(goals[i]);
    }
  }

  private static List<NodesGoals.Verdict> missed(PlantedRuns planted) {
    return NodesGoals.judge(planted.runs(), SERVERS).stream().filter(it -> !it.isMet()).toList();
  }
}
