package org.sluiceca.hsm.limit.lease;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.limit.Grant;
import org.sluiceca.hsm.limit.Limits;
import org.sluiceca.hsm.limit.NodeReport;
import org.sluiceca.hsm.limit.Sample;

/**
 * The leader's mind for one token: a single loop over what all nodes see, its window leased to
 * them. Pure: no threads, no clock, no database. Not thread-safe.
 */
public final class LeaseController {

  /** How often nodes report and the leader divides. */
  public static final Duration PERIOD = Duration.ofSeconds(1);

  /** How long a grant lives: two reports may be lost. */
  public static final Duration LEASE = Duration.ofSeconds(3);

  /** Few jobs in so long a time say how few were asked for, not how fast the token is. */
  private static final double UNREAD_SECONDS_MAX = 10;

  private final Limits limits;
  private final Leases leases;
  private final long startedNanos;
  private Sample unread = Sample.NONE;
  private @Nullable SharedWindow window;
  private @Nullable LeaderView view;
  private double tokenSeconds;

  /**
   * Starts without an opinion: the first reports bring it.
   *
   * @param epoch how many leaders there were before, below 2^31
   */
  public LeaseController(Limits limits, int epoch, long nowNanos) {
    this.limits = limits;
    this.startedNanos = nowNanos;
    this.leases = new Leases(limits.windowMax(), LEASE.toNanos(), (long) epoch << Integer.SIZE);
  }

  /** Returns the window of all nodes, in jobs; 0 before the first reports. */
  public double width() {
    return window == null ? 0 : window.width();
  }

  /**
   * Returns what the calibrated base delays are to be multiplied by: 1 as calibrated, 2 at half the
   * speed.
   */
  public double pace() {
    return window == null ? 1 : window.pace();
  }

  /**
   * Learns from the reports of a {@link #PERIOD} and divides the window again.
   *
   * @param reports of every node that is alive, one each
   * @return a grant for each of them, except where old grants leave no room for one; none while
   *     those of the leader before may live
   */
  public List<Grant> update(Collection<NodeReport> reports, long nowNanos) {
    if (reports.isEmpty() || nowNanos - startedNanos < LEASE.toNanos()) {
      return List.of();
    }
    if (window == null) {
      window = new SharedWindow(limits, sumOfWidths(reports));
    }
    Sample second = reports.stream().map(NodeReport::sample).reduce(Sample.NONE, Sample::plus);
    unread = unread.then(second);
    if (unread.completions() >= Sample.FEW || unread.busy() > 0) {
      window.update(unread, reports, leases.lastNumber(), nowNanos);
      if (unread.completions() > 0) {
        tokenSeconds = Math.max(0, unread.meanService() + unread.meanDelay());
      }
      unread = Sample.NONE;
    } else if (unread.elapsed() > UNREAD_SECONDS_MAX) {
      unread = Sample.NONE;
    }
    view = LeaderView.of(reports, second, window);
    // Before anything was signed, all count alike.
    return leases.divide(window.width(), reports, tokenSeconds > 0 ? tokenSeconds : 1, nowNanos);
  }

  /** Returns what it saw when it last divided; empty before. */
  public Optional<LeaderView> view() {
    return Optional.ofNullable(view);
  }

  /** Returns the epoch of the leader that gave a grant of this number. */
  static long epochOf(long grantNumber) {
    return grantNumber >>> Integer.SIZE;
  }

  private static double sumOfWidths(Collection<NodeReport> reports) {
    return reports.stream().mapToDouble(NodeReport::width).sum();
  }
}
