package org.sluiceca.load.scenario.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluiceca.load.judge.PhaseJudge;
import org.sluiceca.load.plan.Goal;

class KneeTest {

  private final List<PhaseJudge.Figures> phases = new PlantedRun().results().phases();

  @Test
  void goalOfARequester_isOfThatOne() {
    assertThat(Knee.of(phases, List.of(Goal.parse("refused-share@a <= 0.01"))))
        .hasValueSatisfying(knee -> assertThat(knee.load()).isEqualTo(0.5));
    assertThat(Knee.of(phases, List.of(Goal.parse("refused-share@nobody <= 0.01")))).isEmpty();
  }
}
