package org.sluiceca.hsm.limit;

import java.util.Locale;
import org.sluiceca.hsm.Window;

/**
 * The bounds of one token that no controller leaves, whatever it measures.
 *
 * @param engines jobs that the token works on at once, as calibrated: at least 1
 * @param windowMax jobs of all nodes in the token at once: at least 1
 * @param nodesMax how many nodes may share the token: at least 1
 */
public record Limits(int engines, double windowMax, int nodesMax) {

  /** Of the HSM's own queue; the rest is for those who do not know these limits. */
  private static final double QUEUE_SHARE = 0.6;

  /** Over the engines: what keeps them busy when jobs come unevenly (docs/adr/0016). */
  private static final double EVENNESS = 1.15;

  /** Narrower windows pause for longer than any request waits. */
  public static final double WIDTH_MIN = 0.001;

  public Limits {
    if (engines < 1 || !(windowMax >= 1) || nodesMax < 1) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d engines, %s jobs, %d nodes: each at least 1",
              engines,
              windowMax,
              nodesMax));
    }
  }

  /**
   * Returns the limits for an HSM with this many engines and a queue of its own of {@code queue}
   * jobs.
   */
  public static Limits of(int engines, int queue, int nodesMax) {
    return new Limits(engines, QUEUE_SHARE * queue + engines, nodesMax);
  }

  /** The bounds of a steered window. */
  public static Limits of(Window.Steered window) {
    return of(window.engines().engines(), window.deviceQueue(), window.nodesMax());
  }

  /** Returns what a node may use that hears nothing of the others, jobs. */
  public double nodeMax() {
    return Math.max(WIDTH_MIN, windowMax / nodesMax);
  }

  /**
   * What a node may always use: its part of the engines, so that no error of measurement lets them
   * idle, and one job, which is fair, keeps the token busy and queues no more than there are nodes.
   *
   * @param stretch base delay with the round trip over base delay without
   */
  double nodeMin(double stretch) {
    return Math.min(Math.max(1, busy(engines, stretch) / nodesMax), nodeMax());
  }

  /** Returns the window that keeps this many engines busy over a network. */
  public static double busy(double engines, double stretch) {
    return EVENNESS * engines * stretch;
  }
}
