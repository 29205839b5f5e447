package org.sluiceca.load.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.sluiceca.load.plan.Measure;

/** The goals of {@code adcs-2009}: each fault is planted once, and is found for its own reason. */
class ScaleGoalsTest {

  private final PlantedScale run = new PlantedScale();

  @Test
  void nothingPlanted_allGoalsMet() {
    assertThat(run.missed()).isEmpty();

    PhaseJudge.Figures managed = run.figures().getFirst();
    assertThat(managed.of(Measure.SPREAD_NODES)).isEqualTo(1);
    assertThat(managed.of(Measure.GOODPUT_SHARE)).isCloseTo(1, within(1e-3));
    assertThat(managed.of(Measure.NODE_MEMORY)).isEqualTo(250);
    // 30 s of processor time among ten nodes in 60 s.
    assertThat(managed.of(Measure.NODE_PROCESSOR)).isCloseTo(0.05, within(1e-9));
    assertThat(managed.of(Measure.NODE_MICROS)).isCloseTo(30e6 / 12_000, within(1e-6));
  }

  /** One in forty of a CA's certificates goes to another: 1.051. */
  @Test
  void spread_justTooWide_found() {
    assertThat(run.moved(3, 4, 39).missed()).containsExactly("spread-nodes");
    assertThat(new PlantedScale().moved(3, 4, 42).missed()).isEmpty();
  }

  @Test
  void nodeThatIssuesNothing_found() {
    run.moved(3, 4, 1);

    assertThat(run.missed()).containsExactly("spread-nodes");
    assertThat(run.figures().getFirst().of(Measure.SPREAD_NODES)).isInfinite();
  }

  @Test
  void queue_oneJobTooLong_found() {
    run.queueP99 = 20;
    assertThat(run.missed()).isEmpty();
    run.queueP99 = 21;
    assertThat(run.missed()).containsExactly("hsm-queue-p99");
  }

  /** A closed loop offers what it gets: only the HSM's capacity shows what is missing. */
  @Test
  void rate_belowTheCapacity_found() {
    assertThat(run.withoutLast(350).missed()).isEmpty();
    assertThat(new PlantedScale().withoutLast(370).missed()).containsExactly("goodput-share");
  }

  private static Arguments fault(String goal, Consumer<PlantedScale> plant) {
    return Arguments.of(goal, plant);
  }

  static Stream<Arguments> faults() {
    return Stream.of(
        fault("lost", run -> run.rows.remove(7)),
        fault("hsm-utilisation", run -> run.utilisation = 0.969),
        // More than a quarter of the unmanaged one.
        fault("hsm-latency-p50", run -> run.managedMillis = 183),
        // Two phases that show the machine say nothing of windows.
        fault("hsm-latency-p50", run -> run.unmanagedBusyTicks = 9_600),
        fault("revocation-published", run -> run.revocationSeconds = 1.01),
        fault("node-memory", run -> run.residentBytes = 320_500_000),
        fault("hsm-refused", run -> run.hsmRefused = 1));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void planted_found(String goal, Consumer<PlantedScale> plant) {
    plant.accept(run);

    assertThat(run.missed()).containsExactly(goal);
  }
}
