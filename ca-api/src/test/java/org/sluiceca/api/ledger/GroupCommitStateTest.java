package org.sluiceca.api.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.ledger.GroupCommitState.Batch;
import org.sluiceca.core.intent.Claim;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.x509.SerialNumber;

/** Which rows wait, and which make the next batch. */
class GroupCommitStateTest {

  private static final long NOW = 1_000;

  private final Intents intents = new Intents(3_000_003);
  private final GroupCommitState state = new GroupCommitState(4, 2);

  @Test
  void offer_full_refusedUntilOneLeaves() {
    List<PendingRow<?>> rows = List.of(row(), row(), row(), row());
    rows.forEach(r -> assertThat(state.offer(r)).isTrue());

    assertThat(state.offer(row())).isFalse();

    state.withdraw(rows.get(2));
    assertThat(state.offer(row())).isTrue();
    assertThat(state.offer(row())).isFalse();
  }

  @Test
  void take_moreThanABatch_oldestFirst() {
    List<PendingRow<?>> rows = List.of(row(), row(), row());
    rows.forEach(state::offer);

    assertThat(state.take(NOW).rows()).isEqualTo(rows.subList(0, 2));
    assertThat(state.take(NOW).rows()).isEqualTo(rows.subList(2, 3));
    assertThat(state.isEmpty()).isTrue();
  }

  @Test
  void take_deadlinePassed_expiredAndNotInTheBatch() {
    PendingRow<?> passed = row(intents.next().serialNumber(), NOW);
    PendingRow<?> justInTime = row(intents.next().serialNumber(), NOW + 1);
    state.offer(passed);
    state.offer(justInTime);

    Batch batch = state.take(NOW);

    assertThat(batch.expired()).isEqualTo(List.of(passed));
    assertThat(batch.rows()).isEqualTo(List.of(justInTime));
  }

  @Test
  void take_sameSerialNumberTwice_secondWaits() {
    SerialNumber serialNumber = intents.next().serialNumber();
    PendingRow<?> first = row(serialNumber, NOW + 10);
    PendingRow<?> second = row(serialNumber, NOW + 10);
    PendingRow<?> other = row();
    state.offer(first);
    state.offer(second);
    state.offer(other);

    assertThat(state.take(NOW).rows()).isEqualTo(List.of(first, other));
    assertThat(state.take(NOW).rows()).isEqualTo(List.of(second));
  }

  @Test
  void withdraw_taken_false() {
    PendingRow<?> row = row();
    state.offer(row);
    state.take(NOW);

    assertThat(state.withdraw(row)).isFalse();
  }

  @Test
  void withdraw_waiting_neverTaken() {
    PendingRow<?> row = row();
    state.offer(row);

    assertThat(state.withdraw(row)).isTrue();

    assertThat(state.take(NOW).rows()).isEmpty();
  }

  private PendingRow<?> row() {
    return row(intents.next().serialNumber(), NOW + 10);
  }

  static PendingRow<?> row(SerialNumber serialNumber, long deadlineNanos) {
    return new OutcomeRow(
        serialNumber,
        new Outcome.Abandoned(Outcome.Reason.TOO_OLD, true),
        new Claim(new NodeId("node"), 0, new Deadline(deadlineNanos)),
        new Deadline(deadlineNanos));
  }
}
