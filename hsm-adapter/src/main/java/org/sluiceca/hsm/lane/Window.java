package org.sluiceca.hsm.lane;

/**
 * How many jobs may be in the token at once. Fixed today; this is the place for a width that
 * follows the token's measured capacity, in fractions of a job.
 */
final class Window {
  private final int width;

  private Window(int width) {
    this.width = width;
  }

  /** Always this many, at least one. */
  static Window fixed(int width) {
    if (width < 1) {
      throw new IllegalArgumentException("a window is at least 1, not " + width);
    }
    return new Window(width);
  }

  /** Whether one more may start while so many are in flight. */
  boolean admits(int inflight) {
    return inflight < width;
  }

  /** The width in whole jobs. */
  int limit() {
    return width;
  }
}
