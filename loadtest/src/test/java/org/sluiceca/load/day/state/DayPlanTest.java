package org.sluiceca.load.day.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.load.cli.InputException;

/** The marks of a run and the blocks between them. */
class DayPlanTest {

  @Test
  void of_marksBeyondTheRun_leftOutAndItsEndIsOne() {
    DayPlan plan = DayPlan.of(300_000, "10000,1000000,20000000", 1, 0);

    assertThat(plan.marks()).containsExactly(10_000L, 300_000L);
  }

  @Test
  void of_markAtTheEnd_thereOnce() {
    assertThat(DayPlan.of(20_000, "1000,10000,20000", 1, 0).marks())
        .containsExactly(1_000L, 10_000L, 20_000L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "1000,", "999", "5000,2000", "2000,2000", "-1000"})
  void of_badMarks_refused(String marks) {
    assertThatThrownBy(() -> DayPlan.of(20_000, marks, 1, 0)).isInstanceOf(InputException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {999, 100_000_001})
  void of_tooFewOrTooMany_refused(long certificates) {
    assertThatThrownBy(() -> DayPlan.of(certificates, "1000", 1, 0))
        .isInstanceOf(InputException.class);
  }

  /** Every number is in one block, and every block has an index of its own. */
  @Test
  void blocks_ofAllMarks_coverAllNumbersOnce() {
    DayPlan plan = DayPlan.of(1_234_567, "1000,10001,1000000", 1, 0);

    List<Block> all = new ArrayList<>();
    for (int mark = 0; mark < plan.marks().size(); mark++) {
      all.addAll(plan.blocks(mark));
    }

    long next = 0;
    for (int i = 0; i < all.size(); i++) {
      assertThat(all.get(i).index()).isEqualTo(i);
      assertThat(all.get(i).from()).isEqualTo(next);
      assertThat(all.get(i).count()).isBetween(1, DayPlan.BLOCK_MAX);
      next += all.get(i).count();
    }
    assertThat(next).isEqualTo(1_234_567);
  }

  @Test
  void blocks_oneInAHundred_areOfWhoIsRevoked() {
    DayPlan plan = DayPlan.of(1_000_000, "10000", 1, 0);

    assertThat(gone(plan, 0)).isEqualTo(100).isEqualTo(plan.toRevoke(0));
    assertThat(gone(plan, 1)).isEqualTo(9_900).isEqualTo(plan.toRevoke(1));
    assertThat(plan.blocks(1).getLast().requester()).doesNotContain("gone");
  }

  @Test
  void asking_fewBlocks_onlyWhoHasSome() {
    DayPlan plan = DayPlan.of(20_000, "1000", 1, 0);

    assertThat(plan.asking(0)).containsExactly("day-1");
    assertThat(plan.asking(1)).hasSize(DayPlan.REQUESTERS);
  }

  private static int gone(DayPlan plan, int mark) {
    return plan.blocks(mark).stream()
        .filter(block -> block.requester().equals(DayPlan.revokedRequester(mark)))
        .mapToInt(Block::count)
        .sum();
  }
}
