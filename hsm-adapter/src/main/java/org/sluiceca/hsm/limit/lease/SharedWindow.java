package org.sluiceca.hsm.limit.lease;

import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.limit.Limits;
import org.sluiceca.hsm.limit.NodeReport;
import org.sluiceca.hsm.limit.Sample;
import org.sluiceca.hsm.limit.Targets;

/**
 * The window of all nodes on a token, as their leader steers it. Pure, not thread-safe; the caller
 * passes the time.
 */
final class SharedWindow {
  /*
   * One loop over everything the nodes saw in a second. It aims at Targets.all, doubles until it
   * first sees a queue, and shrinks on busy.
   *
   * A delay may also mean that the token has become slower, or lost engines; a window that shrinks
   * for the wrong reason starves it. So the window stops at what keeps the engines busy, and if
   * the delay stays, a probe asks: with 0.6 of the window, for some seconds, do as many jobs come
   * out? Then they had only queued, and there are fewer engines than thought. If fewer come out,
   * nothing queues any more, and the response is the new base delay. Either way the engines are as
   * many as their work was. A token that has become faster shows at once, as a delay below zero;
   * how much faster, the same probe finds out.
   *
   * All of this needs the whole token's rate: a node alone, whose loss is another's gain, cannot.
   *
   * Nodes read a width up to two seconds after it was found, and what they report until then was
   * seen with the width before: busy counts again once all have read. A probe counts a second
   * later: a node that was narrowed before the others lost jobs to them, which would look like a
   * lower rate of all.
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

  /** Well below what keeps all engines busy, fractions of windows and network included. */
  private static final double PROBE = 0.6;

  /** Out of part of a window that had queued come as many jobs, but for noise. */
  private static final double AS_MANY = 0.9;

  private static final double NEWS = 0.95;

  /** Nothing is believed to be ten times as fast or as slow as calibrated. */
  private static final double PACE_MAX = 10;

  /** A token that was found slow is asked again: a passing dip of the load looks the same. */
  private static final long RECHECK_NANOS = 60_000_000_000L;

  private static final double SLOWER = 1.05;

  /** What half a second of a slow token gives would decide a probe by chance. */
  private static final int PROBE_SAMPLES = 100;

  private static final double PROBE_SECONDS_MAX = 10;

  /** What the wider window gave, and what was seen since all use the narrower one. */
  private record Probe(double rate, double window, boolean isForEngines, @Nullable Sample seen) {

    Probe with(Sample more) {
      return new Probe(rate, window, isForEngines, more);
    }
  }

  /** A width that all should have read: the first grant of it, and since when. */
  private record Awaited(long grant, long sinceNanos) {}

  private final Limits limits;
  private double width;
  private double pace = 1;
  private double engines;
  private Sample last = Sample.NONE;
  private boolean isSlowStart = true;
  private boolean isHeld;
  private long heldUntilNanos;
  private int stuckSeconds;
  private boolean isSuspicious;
  private long recheckAtNanos;
  private @Nullable Probe probe;
  private @Nullable Awaited awaited;

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
   * @param reports of all nodes
   * @param granted number of the newest grant so far
   */
  void update(Sample raw, Collection<NodeReport> reports, long granted, long nowNanos) {
    isHeld = isHeld && nowNanos - heldUntilNanos < 0;
    boolean isRead = isRead(reports, nowNanos);
    double demand = reports.stream().mapToDouble(NodeReport::demand).sum();
    int nodes = reports.size();
    if (raw.busy() > 0) {
      isSlowStart = false;
      probe = null;
      isHeld = true;
      heldUntilNanos = nowNanos + HOLD_NANOS;
      if (isRead) {
        width *= BUSY;
        awaited = new Awaited(granted + 1, nowNanos);
      }
    } else if (demand < USED * width) {
      probe = null;
      go(Math.min(1, Targets.step(raw.at(pace), Targets.all(raw.at(pace)))));
    } else if (probe == null) {
      steer(raw, nodes, granted, nowNanos);
    } else if (isRead) {
      probe(raw, probe, nowNanos);
    }
    width = Math.clamp(width, 1, limits.windowMax());
  }

  /** Returns whether every node's report reflects the width that is awaited, or a newer one. */
  private boolean isRead(Collection<NodeReport> reports, long nowNanos) {
    Awaited news = awaited;
    return news == null
        || reports.stream().allMatch(r -> r.grantSeen() >= news.grant())
        || nowNanos - news.sinceNanos() >= LeaseController.LEASE.toNanos();
  }

  private void steer(Sample raw, int nodes, long granted, long nowNanos) {
    double rate = last.then(raw).rate();
    last = raw;
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
      awaited = new Awaited(granted + 1, nowNanos);
      width *= PROBE;
      stuckSeconds = 0;
    }
  }

  private void probe(Sample raw, Probe running, long nowNanos) {
    if (running.seen() == null) {
      probe = running.with(Sample.NONE);
      return;
    }
    Sample seen = running.seen().then(raw);
    if (seen.completions() < PROBE_SAMPLES && seen.elapsed() < PROBE_SECONDS_MAX) {
      probe = running.with(seen);
      return;
    }
    double found = bounded(1 + seen.meanDelay() / seen.meanService());
    boolean hadQueued = seen.rate() > AS_MANY * running.rate();
    isSuspicious = hadQueued && found < NEWS * pace;
    pace = hadQueued ? Math.min(pace, found) : found;
    width = hadQueued ? width : running.window();
    if (running.isForEngines()) {
      engines = Math.clamp(running.rate() * pace * seen.meanService(), 1, limits.engines());
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
