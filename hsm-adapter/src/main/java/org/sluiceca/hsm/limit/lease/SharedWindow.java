package org.sluiceca.hsm.limit.lease;

import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.limit.Limits;
import org.sluiceca.hsm.limit.Sample;
import org.sluiceca.hsm.limit.Targets;

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
   * the delay stays, a probe asks: with 0.7 of the window, for some seconds, do as many jobs come
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

  private static final double STUCK = 1.1;
  private static final int STUCK_SECONDS = 3;

  /** Close enough to the target for a probe to mean something. */
  private static final double SETTLED = 0.2;

  private static final double PROBE = 0.7;

  /** Out of 0.7 of a window that had queued come as many jobs, but for noise. */
  private static final double AS_MANY = 0.9;

  private static final double NEWS = 0.95;

  /** Nothing is believed to be ten times as fast or as slow as calibrated. */
  private static final double PACE_MAX = 10;

  /** A token that was found slow is asked again: a passing dip of the load looks the same. */
  private static final long RECHECK_NANOS = 60_000_000_000L;

  private static final double SLOWER = 1.05;

  /**
   * Of the last second in the mean rate: what was before the token changed must be gone by then.
   */
  private static final double RATE_WEIGHT = 0.7;

  /** What half a second of a slow token gives would decide a probe by chance. */
  private static final int PROBE_SAMPLES = 30;

  private static final double PROBE_SECONDS_MAX = 10;

  /** Grants are read within a second of their making: that second belongs to neither width. */
  private record Probe(double rate, double window, boolean isForEngines, @Nullable Sample seen) {}

  private final Limits limits;
  private double width;
  private double pace = 1;
  private double engines;
  private double rate;
  private boolean isSlowStart = true;
  private boolean isHeld;
  private long heldUntilNanos;
  private int stuckSeconds;
  private boolean isSuspicious;
  private long recheckAtNanos;
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

  /** Returns how many engines seem to be at work. */
  double engines() {
    return engines;
  }

  /**
   * Learns from a second, or from as many as it took to see some jobs.
   *
   * @param raw has a completion or a busy answer
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
    } else if (demand < USED * width) {
      probe = null;
      go(Math.min(1, Targets.step(raw.at(pace), Targets.all(raw.at(pace)))));
    } else if (probe == null) {
      steer(raw, nodes, nowNanos);
    } else {
      probe(raw, probe, nowNanos);
    }
    width = Math.clamp(width, 1, limits.windowMax());
  }

  private void steer(Sample raw, int nodes, long nowNanos) {
    rate = rate == 0 ? raw.rate() : rate + RATE_WEIGHT * (raw.rate() - rate);
    Sample seen = raw.at(pace);
    if (seen.isBelow(-FASTER * seen.meanService()) && pace > 1 / PACE_MAX) {
      pace = bounded(pace * (1 + seen.meanDelay() / seen.meanService()));
      isSuspicious = true;
      return;
    }
    double target = Targets.all(seen);
    if (isSlowStart && !seen.isDelayedBy(target / 2)) {
      width *= isHeld ? 1 : SLOW_START;
      return;
    }
    isSlowStart = false;
    // More are at work than were thought to be left: they are back.
    engines = Math.clamp(seen.rate() * seen.meanService(), engines, limits.engines());
    double step = Targets.step(seen, target);
    go(isHeld ? Math.min(1, step) : step);
    double busy = Limits.busy(engines, seen.stretch());
    double floor = Math.min(Math.max(busy, nodes), limits.windowMax());
    boolean isStuck = !isHeld && width < floor && seen.meanDelay() > STUCK * target;
    stuckSeconds = isStuck ? stuckSeconds + 1 : 0;
    width = isHeld ? width : Math.max(width, floor);
    boolean maybeFewerEngines = stuckSeconds >= STUCK_SECONDS && PROBE * busy >= nodes;
    boolean maybeFaster = isSuspicious || (pace > SLOWER && nowNanos - recheckAtNanos >= 0);
    if (maybeFewerEngines || (maybeFaster && Math.abs(step - 1) < SETTLED)) {
      probe = new Probe(rate, width, maybeFewerEngines, null);
      width *= PROBE;
      stuckSeconds = 0;
    }
  }

  private void probe(Sample raw, Probe running, long nowNanos) {
    if (running.seen() == null) {
      probe = new Probe(running.rate(), running.window(), running.isForEngines(), Sample.NONE);
      return;
    }
    Sample seen = running.seen().then(raw);
    if (seen.completions() < PROBE_SAMPLES && seen.elapsed() < PROBE_SECONDS_MAX) {
      probe = new Probe(running.rate(), running.window(), running.isForEngines(), seen);
      return;
    }
    double found = bounded(1 + seen.meanDelay() / seen.meanService());
    if (seen.rate() > AS_MANY * running.rate()) {
      // As many as before: what was given up had only queued.
      engines *= running.isForEngines() ? PROBE : 1;
      isSuspicious = found < NEWS * pace;
      pace = Math.min(pace, found);
    } else {
      pace = found;
      isSuspicious = false;
      width = running.window();
    }
    recheckAtNanos = nowNanos + RECHECK_NANOS;
    probe = null;
  }

  private static double bounded(double pace) {
    return Math.clamp(pace, 1 / PACE_MAX, PACE_MAX);
  }

  private void go(double step) {
    width *= 1 - GAIN + GAIN * step;
  }
}
