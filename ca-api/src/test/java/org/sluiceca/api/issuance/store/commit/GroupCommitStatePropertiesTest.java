package org.sluiceca.api.issuance.store.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.issuance.store.commit.GroupCommitState.Batch;
import org.sluiceca.core.intent.Claim;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.x509.SerialNumber;

/**
 * Whatever the order of events, each row leaves once: written in its turn, expired or withdrawn.
 * Replay with {@code -Dseed=}.
 */
class GroupCommitStatePropertiesTest {

  private static final int RUNS = 300;
  private static final int EVENTS = 200;
  private static final int WAITING_MAX = 20;
  private static final int BATCH_MAX = 6;

  private static final List<SerialNumber> SERIAL_NUMBERS = serialNumbers();

  /** What became of a row, by the events alone; the machine's own books are not asked. */
  private enum Fate {
    WAITING,
    WRITTEN,
    EXPIRED,
    WITHDRAWN
  }

  @Test
  void events_anyOrder_eachRowLeavesOnceAndInTurn() {
    long seed = Long.getLong("seed", System.nanoTime());
    for (int run = 0; run < RUNS; run++) {
      long runSeed = seed + run;
      try {
        run(new SplittableRandom(runSeed));
      } catch (AssertionError e) {
        throw new AssertionError("replay with -Dseed=" + runSeed, e);
      }
    }
  }

  private static void run(SplittableRandom random) {
    GroupCommitState state = new GroupCommitState(WAITING_MAX, BATCH_MAX);
    Map<PendingRow<?>, Fate> fates = new LinkedHashMap<>();
    long now = 0;
    for (int event = 0; event < EVENTS; event++) {
      now += random.nextLong(3);
      switch (random.nextInt(8)) {
        case 0 -> take(state, fates, now);
        case 1 -> withdraw(state, fates, random);
        default -> offer(state, fates, random, now);
      }
    }
    while (!state.isEmpty()) {
      take(state, fates, now);
    }
    assertThat(fates.values()).doesNotContain(Fate.WAITING);
  }

  private static void offer(
      GroupCommitState state, Map<PendingRow<?>, Fate> fates, SplittableRandom random, long now) {
    SerialNumber serialNumber = SERIAL_NUMBERS.get(random.nextInt(SERIAL_NUMBERS.size()));
    PendingRow<?> row = row(serialNumber, now + random.nextLong(60));

    boolean accepted = state.offer(row);

    assertThat(accepted).isEqualTo(waiting(fates).size() < WAITING_MAX);
    if (accepted) {
      fates.put(row, Fate.WAITING);
    }
  }

  private static PendingRow<?> row(SerialNumber serialNumber, long deadlineNanos) {
    return new OutcomeRow(
        serialNumber,
        new Outcome.Abandoned(Outcome.Reason.TOO_OLD, true),
        new Claim(new NodeId("node"), 0, new Deadline(deadlineNanos)),
        new Deadline(deadlineNanos));
  }

  private static void withdraw(
      GroupCommitState state, Map<PendingRow<?>, Fate> fates, SplittableRandom random) {
    if (fates.isEmpty()) {
      return;
    }
    PendingRow<?> row = new ArrayList<>(fates.keySet()).get(random.nextInt(fates.size()));

    boolean withdrawn = state.withdraw(row);

    assertThat(withdrawn).isEqualTo(fates.get(row) == Fate.WAITING);
    if (withdrawn) {
      fates.put(row, Fate.WITHDRAWN);
    }
  }

  private static void take(GroupCommitState state, Map<PendingRow<?>, Fate> fates, long now) {
    List<PendingRow<?>> before = waiting(fates);

    Batch batch = state.take(now);

    List<PendingRow<?>> fresh =
        before.stream().filter(r -> !r.deadline().hasPassed(() -> now)).toList();
    assertThat(batch.rows()).isEqualTo(firstOfEachSerialNumber(fresh));
    assertThat(batch.expired()).allMatch(r -> before.contains(r) && !fresh.contains(r));
    batch.rows().forEach(r -> assertThat(fates.put(r, Fate.WRITTEN)).isEqualTo(Fate.WAITING));
    batch.expired().forEach(r -> assertThat(fates.put(r, Fate.EXPIRED)).isEqualTo(Fate.WAITING));
  }

  private static List<PendingRow<?>> firstOfEachSerialNumber(List<PendingRow<?>> rows) {
    Set<SerialNumber> seen = new HashSet<>();
    return rows.stream().filter(r -> seen.add(r.serialNumber())).limit(BATCH_MAX).toList();
  }

  private static List<PendingRow<?>> waiting(Map<PendingRow<?>, Fate> fates) {
    List<PendingRow<?>> rows = new ArrayList<>();
    fates.forEach(
        (row, fate) -> {
          if (fate == Fate.WAITING) {
            rows.add(row);
          }
        });
    return rows;
  }

  private static List<SerialNumber> serialNumbers() {
    Intents intents = new Intents(4_000_003);
    List<SerialNumber> serialNumbers = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      serialNumbers.add(intents.next().serialNumber());
    }
    return serialNumbers;
  }
}
