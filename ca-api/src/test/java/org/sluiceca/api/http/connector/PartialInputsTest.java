package org.sluiceca.api.http.connector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PartialInputsTest {

  private final Set<Integer> closed = new HashSet<>();
  private final PartialInputs<Integer> inputs = new PartialInputs<>(closed::contains);

  @Test
  void add_asManyAsMayWait_nobodyCut() {
    for (int connection = 0; connection < PartialInputs.MAX; connection++) {
      assertThat(inputs.add(connection, 0)).isNull();
    }
  }

  @Test
  void add_oneTooMany_oldestCutOnce() {
    fill();

    assertThat(inputs.add(1_000, 0)).isZero();
    assertThat(inputs.add(1_001, 0)).isEqualTo(1);
  }

  /** Else one octet now and then would keep it young without end. */
  @Test
  void add_again_keepsItsAge() {
    fill();

    assertThat(inputs.add(0, 9)).isNull();
    assertThat(inputs.overdue(11, 10)).hasSize(PartialInputs.MAX);
  }

  @Test
  void remove_restHasCome_leavesItsPlaceAndAge() {
    fill();

    inputs.remove(0);

    assertThat(inputs.add(0, 5)).isNull();
    assertThat(inputs.add(1_001, 5)).isEqualTo(1);
    assertThat(inputs.overdue(11, 10)).doesNotContain(0, 1_001).hasSize(PartialInputs.MAX - 2);
  }

  /** Its request is served: who waits for a certificate for 11 s is no slow sender. */
  @Test
  void resume_inATurn_neitherOverdueNorOldest() {
    fill();

    inputs.resume(0);

    assertThat(inputs.add(1_000, 0)).isNull();
    assertThat(inputs.add(1_001, 0)).isEqualTo(1);
    assertThat(inputs.overdue(11, 10)).doesNotContain(0);
  }

  @Test
  void add_afterATurn_asOldAsBefore() {
    fill();
    inputs.resume(0);

    assertThat(inputs.add(0, 9)).isNull();

    assertThat(inputs.add(1_000, 9)).isZero();
  }

  @Test
  void remove_inATurn_leavesNoPlaceTwice() {
    fill();
    inputs.resume(0);
    inputs.remove(0);

    assertThat(inputs.add(1_000, 0)).isNull();
    assertThat(inputs.add(1_001, 0)).isEqualTo(1);
  }

  @Test
  void remove_unknown_nothingHappens() {
    fill();

    inputs.remove(1_000);

    assertThat(inputs.add(1_001, 0)).isZero();
  }

  @Test
  void overdue_atTheBound_notYetThenOnce() {
    inputs.add(1, -5);

    assertThat(inputs.overdue(5, 10)).isEmpty();
    assertThat(inputs.overdue(6, 10)).containsExactly(1);
    assertThat(inputs.overdue(6, 10)).isEmpty();
  }

  @Test
  void overdue_thoseThatEnded_leaveTheirPlacesUntold() {
    fill();
    closed.addAll(Set.of(0, 1, 5));

    assertThat(inputs.overdue(0, 10)).isEmpty();

    assertThat(inputs.add(1_000, 0)).isNull();
    assertThat(inputs.add(1_001, 0)).isNull();
    assertThat(inputs.add(1_002, 0)).isNull();
    assertThat(inputs.add(1_003, 0)).isEqualTo(2);
  }

  private void fill() {
    for (int connection = 0; connection < PartialInputs.MAX; connection++) {
      inputs.add(connection, 0);
    }
  }
}
