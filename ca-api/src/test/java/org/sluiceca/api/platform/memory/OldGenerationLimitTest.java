package org.sluiceca.api.platform.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class OldGenerationLimitTest {

  private static final long MB = 1L << 20;

  /** An old generation of 100 MB, in which 32 MB live. */
  private static final class Heap implements OldGeneration {
    private long used = 44 * MB;
    private long live = 32 * MB;
    private long limit;
    private int collections;

    @Override
    public long used() {
      return used;
    }

    @Override
    public long max() {
      return 100 * MB;
    }

    @Override
    public void notifyAbove(long bytes) {
      limit = bytes;
    }

    @Override
    public void collect() {
      collections++;
      used = live;
    }
  }

  private final Heap heap = new Heap();
  private long nanos = -5;
  private final OldGenerationLimit limit = new OldGenerationLimit(heap, () -> nanos);

  private void fill() {
    heap.used = heap.limit + 1;
    limit.reached();
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  @Test
  void begin_ofTheStart_collectsAndKeepsWhatTheStartUsed() {
    limit.begin();

    assertThat(heap.collections).isEqualTo(1);
    assertThat(heap.limit).isEqualTo(44 * MB);
  }

  @Test
  void reached_moreLives_leavesRoom() {
    limit.begin();
    heap.live = 40 * MB;

    fill();

    assertThat(heap.limit).isEqualTo(48 * MB);
  }

  @Test
  void reached_soonAgain_growsWithoutACollection() {
    limit.begin();
    fill();
    pass(OldGenerationLimit.REST.minusNanos(1));

    fill();

    assertThat(heap.collections).isEqualTo(2);
    assertThat(heap.limit).isEqualTo(52 * MB + 1);
  }

  @Test
  void reached_afterTheRest_collectsAndLimitsAsBefore() {
    limit.begin();
    fill();
    fill();
    pass(OldGenerationLimit.REST);

    fill();

    assertThat(heap.collections).isEqualTo(3);
    assertThat(heap.limit).isEqualTo(44 * MB);
  }

  @Test
  void reached_nearlyEverythingLives_neverAsksAboveTheMaximum() {
    limit.begin();
    heap.live = 95 * MB;

    fill();

    assertThat(heap.limit).isEqualTo(90 * MB);
  }

  /** Hours of garbage and of a cache that fills: the limit is what is used at most. */
  @Test
  void reached_hoursOfLoad_staysWithinTheStartAndTheRoom() {
    limit.begin();
    long most = 0;
    for (int minute = 0; minute < 24 * 60; minute++) {
      pass(Duration.ofMinutes(1));
      heap.live = Math.min(42 * MB, heap.live + MB / 10);
      heap.used += MB / 8;
      if (heap.used > heap.limit) {
        limit.reached();
      }
      most = Math.max(most, heap.used);
    }

    assertThat(most).isLessThanOrEqualTo(51 * MB);
  }
}
