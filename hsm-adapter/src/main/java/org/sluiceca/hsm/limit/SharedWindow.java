package org.sluiceca.hsm.limit;

import org.jspecify.annotations.Nullable;

/**
 * The window of all nodes on a token, as their leader steers it. Pure, not thread-safe; told the
 * time.
 */
final class SharedWindow {
  /*
   * One loop over everything the nodes saw in a second. It aims at Targets.all, doubles until it
   * first sees a queue, and shrinks on busy.
   *
   * A delay may also mean that the token has become slower, or lost engines; a window that shrinks
   * for the wrong reason starves it. So the window stops at what keeps the engines busy, and if
   * the delay stays, a probe asks: with 0.7 of the window for two seconds, do as many jobs come
   * out? Then they had only queued, and there are fewer engines than thought. If fewer come out,
   * nothing queued, and the response is the new base delay. A token that has become faster shows at
   * once, as a delay below zero; how much faster, the same probe finds out.
   *
   * All of this needs the whole token's rate: a node alone, whose loss is another's gain, cannot.
   */

  private static final double GAIN = 0.5;

  /** A window of which less is asked for says nothing about a wider one. */
  private static final double USED = 0.8;

  private static final double SLOW_START = 2;
  private static final double BUSY = 0.7;
  private static final long HOLD_NANOS = 3_000_000_000L;

  /** Faster by a tenth is news. */
  private static final double FASTER = 0.1;

  /** No single second may call a token more than ten times as fast. */
  private static final double PACE_STEP_MIN = 0.1;

  private static final double STUCK = 1.1;
  private static final int STUCK_SECONDS = 3;

  /** Close enough to the target for a probe to mean something. */
  private static final double SETTLED = 0.2;

  private static final double PROBE = 0.7;

  /** Out of 0.7 of a window that had queued come as many jobs, but for noise. */
  private static final double AS_MANY = 0.9;

  /** Grants are read within a second of their making; the next second is the probe. */
  private static final int PROBE_SECONDS = 2;

  private static final double NEWS = 0.95;

  private record Probe(double rate, double window, boolean isStuck, int seconds) {}

  private final Limits limits;
  private double width;
  private double pace = 1;
  private double engines;
  private boolean isSlowStart = true;
  private boolean isHeld;
  private long heldUntilNanos;
  private int stuckSeconds;
  private boolean isSuspicious;
  private @Nullable Probe probe;

  /** Goes on from what the nodes have together. */
  SharedWindow(Limits limits, double width) {
    this.limits = limits;
    this.width = width;
    this.engines = limits.engines();
  }

  /** Returns the width in jobs. */
  double width() {
    return width;
  }

  /**
   * Returns what the base delays are multiplied by: above 1, the token is slower than calibrated.
   */
  double pace() {
    return pace;
  }

  /**
   * Learns from a second.
   *
   * @param demand jobs in flight or ready to be, of all nodes
   * @param nodes how many they are
   */
  void update(Sample raw, double demand, int nodes, long nowNanos) {
    isHeld = isHeld && nowNanos - heldUntilNanos < 0;
    if (raw.busy() > 0) {
      isSlowStart = false;
      probe = null;
      isHeld = true;
      heldUntilNanos = nowNanos + HOLD_NANOS;
      width *= BUSY;
    } else if (raw.completions() > 0 && demand < USED * width) {
      probe = null;
      go(Math.min(1, Targets.step(raw.at(pace), Targets.all(raw.at(pace)))));
    } else if (raw.completions() > 0) {
      if (probe == null) {
        steer(raw, nodes);
      } else {
        probe(raw, probe);
      }
    }
    width = Math.clamp(width, 1, limits.windowMax());
  }

  private void steer(Sample raw, int nodes) {
    Sample seen = raw.at(pace);
    if (seen.isBelow(-FASTER * seen.meanService())) {
      pace *= Math.max(PACE_STEP_MIN, 1 + seen.meanDelay() / seen.meanService());
      isSuspicious = true;
      return;
    }
    double target = Targets.all(seen);
    if (isSlowStart && !seen.isDelayedBy(target / 2)) {
      width *= isHeld ? 1 : SLOW_START;
      return;
    }
    isSlowStart = false;
    double step = Targets.step(seen, target);
    go(isHeld ? Math.min(1, step) : step);
    double busy = Limits.busy(engines, seen.stretch());
    double floor = Math.min(Math.max(busy, nodes), limits.windowMax());
    boolean isStuck = !isHeld && width < floor && seen.meanDelay() > STUCK * target;
    stuckSeconds = isStuck ? stuckSeconds + 1 : 0;
    width = isHeld ? width : Math.max(width, floor);
    boolean maybeFewerEngines = stuckSeconds >= STUCK_SECONDS && PROBE * busy >= nodes;
    boolean maybeFasterStill = isSuspicious && Math.abs(step - 1) < SETTLED;
    if (maybeFewerEngines || maybeFasterStill) {
      probe = new Probe(raw.rate(), width, stuckSeconds > 0, 1);
      width *= PROBE;
      stuckSeconds = 0;
    }
  }

  private void probe(Sample raw, Probe running) {
    if (running.seconds() < PROBE_SECONDS) {
      probe = new Probe(running.rate(), running.window(), running.isStuck(), running.seconds() + 1);
      return;
    }
    double found = 1 + raw.meanDelay() / raw.meanService();
    if (raw.rate() > AS_MANY * running.rate()) {
      engines *= running.isStuck() ? PROBE : 1;
      isSuspicious = found < NEWS * pace;
      pace = Math.min(pace, found);
    } else {
      pace = found;
      isSuspicious = false;
      width = running.window();
    }
    probe = null;
  }

  private void go(double step) {
    width *= 1 - GAIN + GAIN * step;
  }
}
