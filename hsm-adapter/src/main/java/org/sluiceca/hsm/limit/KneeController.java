package org.sluiceca.hsm.limit;

/**
 * The window of a node that hears nothing of the others. Pure, not thread-safe.
 *
 * <p>It steers the delay inside the token towards {@link Targets#own}. It cannot tell a slower
 * token from a longer queue; {@link Limits#nodeMin} keeps the engines busy meanwhile.
 */
final class KneeController {

  /** Of the way to the wanted window that one interval goes. */
  private static final double GAIN = 0.3;

  /** A far token's delay is a small part of its response: the same step would take far too long. */
  private static final double GAIN_MAX = 0.9;

  /** A window of which less was used says nothing about a wider one. */
  private static final double USED = 0.8;

  private static final double SLOW_START = 1.5;
  private static final double BUSY = 0.7;
  private static final double HOLD_BASES = 3;

  private final Limits limits;
  private double width;
  private boolean isSlowStart = true;
  private double holdSeconds;
  private double stretch = 1;

  /** Grows from {@code width} until it sees a queue. */
  KneeController(Limits limits, double width) {
    this.limits = limits;
    this.width = clamped(width);
  }

  /** Goes on from a width that was found otherwise. */
  void follow(double found) {
    width = clamped(found);
    isSlowStart = false;
  }

  /** Returns the width now. */
  double width() {
    return width;
  }

  /** Learns from an interval. */
  void update(Sample seen) {
    holdSeconds = Math.max(0, holdSeconds - seen.elapsed());
    if (seen.busy() > 0) {
      isSlowStart = false;
      holdSeconds = seen.completions() == 0 ? seen.elapsed() : HOLD_BASES * seen.meanBase();
      width = clamped(width * BUSY);
    } else if (seen.completions() > 0) {
      steer(seen);
    }
  }

  private void steer(Sample seen) {
    stretch = seen.stretch();
    double target = Targets.own(seen);
    boolean mayGrow = holdSeconds == 0 && seen.inflightMax() >= USED * width;
    if (isSlowStart && !seen.isDelayedBy(target / 2)) {
      width = mayGrow ? clamped(width * SLOW_START) : width;
      return;
    }
    isSlowStart = false;
    double step = Targets.step(seen, target);
    if (step <= 1 || mayGrow) {
      double gain = Math.min(GAIN_MAX, GAIN * stretch);
      width = clamped(width * (1 - gain + gain * step));
    }
  }

  private double clamped(double wanted) {
    return Math.clamp(wanted, limits.nodeMin(stretch), limits.nodeMax());
  }
}
