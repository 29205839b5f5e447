package org.sluiceca.api.connector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PartialHeadsTest {

  private final Set<Integer> closed = new HashSet<>();
  private final PartialHeads<Integer> heads = new PartialHeads<>(closed::contains);

  @Test
  void add_asManyAsMayWait_nobodyCut() {
    for (int connection = 0; connection < PartialHeads.MAX; connection++) {
      assertThat(heads.add(connection)).isNull();
    }
  }

  @Test
  void add_oneTooMany_oldestCutOnce() {
    fill();

    assertThat(heads.add(1_000)).isZero();
    assertThat(heads.add(1_001)).isEqualTo(1);
  }

  @Test
  void add_again_keepsItsAge() {
    fill();

    assertThat(heads.add(0)).isNull();
    assertThat(heads.add(1_000)).isZero();
  }

  @Test
  void remove_headThatIsComplete_leavesItsPlace() {
    fill();

    heads.remove(0);

    assertThat(heads.add(1_000)).isNull();
    assertThat(heads.add(1_001)).isEqualTo(1);
  }

  @Test
  void remove_unknown_nothingHappens() {
    fill();

    heads.remove(1_000);

    assertThat(heads.add(1_001)).isZero();
  }

  @Test
  void forgetClosed_thoseThatEnded_leaveTheirPlaces() {
    fill();
    closed.addAll(Set.of(0, 1, 5));

    heads.forgetClosed();

    assertThat(heads.add(1_000)).isNull();
    assertThat(heads.add(1_001)).isNull();
    assertThat(heads.add(1_002)).isNull();
    assertThat(heads.add(1_003)).isEqualTo(2);
  }

  private void fill() {
    for (int connection = 0; connection < PartialHeads.MAX; connection++) {
      heads.add(connection);
    }
  }
}
