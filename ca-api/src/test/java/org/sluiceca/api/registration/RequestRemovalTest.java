package org.sluiceca.api.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** At which steps requests are removed. */
class RequestRemovalTest {

  private static final int BATCH_MAX = 10;
  private static final Instant START = Instant.parse("2026-11-28T12:00:00Z");
  private static final Duration STEP = Duration.ofSeconds(5);

  private final List<Instant> batches = new ArrayList<>();
  private int old;

  private final RequestRemoval removal =
      new RequestRemoval(
          now -> {
            batches.add(now);
            int removed = Math.min(old, BATCH_MAX);
            old -= removed;
            return removed;
          },
          BATCH_MAX);

  @Test
  void step_nothingOld_onceAMinute() {
    for (Instant now = START; !now.isAfter(START.plusSeconds(120)); now = now.plus(STEP)) {
      assertThat(removal.step(now)).isFalse();
    }

    assertThat(batches).containsExactly(START, START.plusSeconds(60), START.plusSeconds(120));
  }

  @Test
  void step_moreThanABatch_againAtTheNextStep() {
    old = 2 * BATCH_MAX + 1;

    assertThat(removal.step(START)).isTrue();
    assertThat(removal.step(START.plusMillis(200))).isTrue();
    assertThat(removal.step(START.plusMillis(400))).isFalse();
    assertThat(removal.step(START.plusMillis(600))).isFalse();

    assertThat(batches).hasSize(3);
    assertThat(old).isZero();
  }

  /** Otherwise nothing would be removed until the clock has made up for it. */
  @Test
  void step_clockWasFastAndIsCorrected_removesSoon() {
    assertThat(removal.step(START.plus(Duration.ofDays(1)))).isFalse();

    assertThat(removal.step(START)).isFalse();
    assertThat(removal.step(START.plus(STEP))).isFalse();

    assertThat(batches).containsExactly(START.plus(Duration.ofDays(1)), START);
  }

  @Test
  void step_batchFails_triedAgainAtTheNextStep() {
    List<Instant> tries = new ArrayList<>();
    RequestRemoval failing =
        new RequestRemoval(
            now -> {
              tries.add(now);
              throw new IllegalStateException("planted");
            },
            BATCH_MAX);

    for (Instant now : List.of(START, START.plus(STEP))) {
      assertThatThrownBy(() -> failing.step(now)).hasMessage("planted");
    }

    assertThat(tries).hasSize(2);
  }
}
