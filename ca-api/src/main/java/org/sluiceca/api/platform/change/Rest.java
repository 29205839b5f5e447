package org.sluiceca.api.platform.change;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Lets a loop wait longer while there is nothing to do, and ends that wait when one of its topics
 * changes. It never shortens a wait in the loop's usual pace: a loop with work does it as often as
 * it would without this.
 *
 * <p>A loop calls {@link #begin} before it looks and {@link #pause} when it has found nothing; both
 * belong to its thread. {@link #changed} is for any thread.
 */
public final class Rest {
  /*
   * Why no change is missed. changed() notes the change and then looks whether the loop rests;
   * pause() notes that it rests and then looks whether there was a change. So one of the two sees
   * the other. A change that came before begin() is in what the loop reads after it.
   */

  private final BooleanSupplier isBlind;
  private final Runnable wake;

  private final AtomicBoolean isChanged = new AtomicBoolean(true);
  private volatile boolean isResting;

  // Owned by the loop's thread.
  private boolean isUnsettled;

  /**
   * Wakes a loop by {@code wake}.
   *
   * @param isBlind whether changes cannot be seen now, so that the loop must look for itself
   */
  Rest(BooleanSupplier isBlind, Runnable wake) {
    this.isBlind = isBlind;
    this.wake = wake;
  }

  /** Returns that of a loop which no watch wakes: it keeps its usual pace. */
  public static Rest never() {
    return new Rest(() -> true, () -> {});
  }

  /** The loop is about to look at everything. */
  public void begin() {
    isResting = false;
    isUnsettled = isChanged.getAndSet(false);
  }

  /**
   * Returns how long the loop waits, which has found nothing to do: {@code resting}, unless
   * something changed since {@link #begin} or the change watch cannot see. After a look that a
   * change has caused it is {@code usual}, too: what another loop makes of the same change is then
   * seen in the next one.
   */
  public Duration pause(Duration usual, Duration resting) {
    if (isUnsettled) {
      return usual;
    }
    isResting = true;
    if (isChanged.get() || isBlind.getAsBoolean()) {
      isResting = false;
      return usual;
    }
    return resting;
  }

  /** Something has changed: ends the rest, if the loop rests. Does not wait. */
  void changed() {
    isChanged.set(true);
    if (isResting) {
      wake.run();
    }
  }
}
