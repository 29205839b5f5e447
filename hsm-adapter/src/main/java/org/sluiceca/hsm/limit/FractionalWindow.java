package org.sluiceca.hsm.limit;

import java.util.Locale;

/**
 * How many jobs may be in the token at once, in fractions of a job. Not thread-safe; the caller
 * passes the time.
 *
 * <p>The windows of ten nodes on one HSM are 1 to 3 wide, so rounding them would be the whole error
 * of fairness. From 1 up, one more may start while {@code inflight < floor(width + u)}; u follows
 * the golden-ratio sequence, a step for each job that ends. How long a job stays is not asked, so
 * the mean in flight is only near the width; the controllers close the loop over the difference.
 * Below 1 there is one job at a time with a pause behind it, in the same proportion: a window with
 * nothing in flight never waits for an end that cannot come.
 */
final class FractionalWindow {

  /** The fractional part of the golden ratio: the most even sequence that needs no table. */
  private static final double GOLDEN = 0.618_033_988_749_895;

  private double width;
  private double responseNanos;
  private double phase;
  private long lastEndNanos;
  private boolean hasEnded;

  /**
   * Starts with no jobs.
   *
   * @param phase where the sequence begins, 0 to 1: nodes in step would all widen at once
   */
  FractionalWindow(double width, double responseSeconds, double phase) {
    this.phase = phase;
    resize(width, responseSeconds);
  }

  /**
   * Changes the width; jobs in flight above it stay there.
   *
   * @param newWidth at least 0.001
   * @param responseSeconds how long a job is in flight at present, above 0
   */
  void resize(double newWidth, double responseSeconds) {
    if (!(newWidth >= Limits.WIDTH_MIN) || !(responseSeconds > 0)) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "a window of %s jobs of %s s", newWidth, responseSeconds));
    }
    width = newWidth;
    responseNanos = responseSeconds * 1e9;
  }

  /** Returns the width in jobs. */
  double width() {
    return width;
  }

  /** Returns whether one more may start now while {@code inflight} are in flight. */
  boolean admits(int inflight, long nowNanos) {
    return width < 1
        ? inflight == 0 && nowNanos - nextStartNanos(nowNanos) >= 0
        : inflight < (int) (width + phase);
  }

  /** Returns when the next may start if only time keeps it from starting. */
  long nextStartNanos(long nowNanos) {
    return width >= 1 || !hasEnded
        ? nowNanos
        : lastEndNanos + (long) (responseNanos * (1 / width - 1));
  }

  /** One has ended. */
  void ended(long nowNanos) {
    lastEndNanos = nowNanos;
    hasEnded = true;
    phase += GOLDEN;
    phase -= (int) phase;
  }
}
