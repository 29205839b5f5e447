package org.sluiceca.hsm.limit;

import org.sluiceca.hsm.Window;

/**
 * A node's window on one token: leased while a lease lives, otherwise found by the node itself. A
 * change between the two starts from the width in use. Not thread-safe; the caller passes the time.
 *
 * <p>A job counts from {@link #started} until {@link #completed}, {@link #busy} or {@link #ended},
 * however long its call hangs and whether or not its caller still waits for it.
 */
public final class Limiter {

  private static final double INTERVAL_MIN_SECONDS = 0.25;
  private static final double INTERVAL_RESPONSES = 2;
  private static final int SAMPLES = 30;

  /** A node with a small share of a slow token would wait half a minute for thirty. */
  private static final double INTERVAL_LONG_SECONDS = 1;

  /** A sixteenth: one outlier moves the mean by 6 %. */
  private static final double WEIGHT = 1.0 / 16;

  /** Of no effect where nothing is measured. */
  private static final double ANY_SECONDS = 1;

  /** Of base delays: a longer response indicates a fault, and would become a long pause. */
  private static final double UNUSUAL = 50;

  private final KneeController knee;
  private final FractionalWindow window;
  private final double rttSeconds;

  /** For the knee. */
  private final Meter interval;

  /** For the leader. */
  private final Meter second;

  private double responseSeconds;
  private int inflight;
  private boolean isLeased;
  private long leasedUntilNanos;
  private long grantSeen;

  /**
   * What a node knows of a token before its first job.
   *
   * @param baseSeconds how long a job takes on the empty token, above 0
   * @param rttSeconds the network round trip that comes on top
   * @param phase 0 to 1, another for each node
   */
  public record Expected(double baseSeconds, double rttSeconds, double phase) {}

  /** Starts without a lease and with one job, or less if the limits leave less. */
  public Limiter(Limits limits, Expected expected, long nowNanos) {
    this.knee = new KneeController(limits, 1);
    this.rttSeconds = expected.rttSeconds();
    this.responseSeconds = expected.baseSeconds() + expected.rttSeconds();
    this.window = new FractionalWindow(knee.width(), responseSeconds, expected.phase());
    this.interval = new Meter(nowNanos);
    this.second = new Meter(nowNanos);
  }

  /** Always this many jobs, at least one, whatever is measured. */
  public static Limiter fixed(int width, long nowNanos) {
    Limits limits = new Limits(width, width, 1);
    return new Limiter(limits, new Expected(ANY_SECONDS, 0, 0), nowNanos);
  }

  /**
   * What the settings say.
   *
   * @param phase 0 to 1, another for each node
   */
  public static Limiter of(Window window, double phase, long nowNanos) {
    return switch (window) {
      case Window.Fixed(int jobs) -> fixed(jobs, nowNanos);
      case Window.Steered steered ->
          new Limiter(
              Limits.of(steered),
              new Expected(steered.engines().meanBaseSeconds(), 0, phase),
              nowNanos);
    };
  }

  /** Returns whether a job may start now. */
  public boolean admits(long nowNanos) {
    tick(nowNanos);
    return window.admits(inflight, nowNanos);
  }

  /** Returns when the next may start if only time keeps it from starting. */
  public long nextStartNanos(long nowNanos) {
    return window.nextStartNanos(nowNanos);
  }

  /** A job starts. */
  public void started() {
    inflight++;
    interval.started(inflight);
    second.started(inflight);
  }

  /**
   * A job ended with a signature.
   *
   * @param response from the hand-over to the native call until its return, seconds
   * @param base the calibrated base delay of such a job, seconds
   */
  public void completed(double response, double base, long nowNanos) {
    double usual = Math.clamp(response, Meter.SECONDS_MIN, longest(base));
    responseSeconds += WEIGHT * (usual - responseSeconds);
    interval.completed(response, base, rttSeconds);
    second.completed(response, base, rttSeconds);
    ended(nowNanos);
  }

  private double longest(double base) {
    return UNUSUAL * (Math.max(Meter.SECONDS_MIN, base) + rttSeconds);
  }

  /** A job ended because the token was busy. */
  public void busy(long nowNanos) {
    interval.busy();
    second.busy();
    ended(nowNanos);
  }

  /** A job ended in a way that teaches nothing. */
  public void ended(long nowNanos) {
    inflight--;
    window.ended(nowNanos);
    tick(nowNanos);
  }

  /**
   * Uses a lease, unless it is over or older than the one in use.
   *
   * @param untilNanos its end: what was left of its life by the database's clock, counted from
   *     before it was read
   */
  public void lease(Grant grant, long untilNanos, long nowNanos) {
    if (grant.number() <= grantSeen || nowNanos - untilNanos >= 0) {
      return;
    }
    isLeased = true;
    leasedUntilNanos = untilNanos;
    grantSeen = grant.number();
    knee.follow(grant.width());
    window.resize(grant.width(), responseSeconds);
  }

  /** A lease may end, an interval may be over. */
  private void tick(long nowNanos) {
    if (isLeased && nowNanos - leasedUntilNanos >= 0) {
      isLeased = false;
      interval.take(inflight, nowNanos);
      window.resize(knee.width(), responseSeconds);
    }
    if (!isLeased && isIntervalOver(nowNanos)) {
      knee.update(interval.take(inflight, nowNanos));
      window.resize(knee.width(), responseSeconds);
    }
  }

  private boolean isIntervalOver(long nowNanos) {
    double elapsed = interval.elapsedSeconds(nowNanos);
    return elapsed >= Math.max(INTERVAL_MIN_SECONDS, INTERVAL_RESPONSES * responseSeconds)
        && (interval.hasBusy()
            || interval.completions() >= SAMPLES
            || (elapsed >= INTERVAL_LONG_SECONDS && interval.completions() >= Sample.FEW));
  }

  /** Returns what to tell the leader, and begins the next period. */
  public NodeReport report(String node, int ready, long nowNanos) {
    return new NodeReport(
        node,
        (double) inflight + ready,
        window.width(),
        rttSeconds,
        second.take(inflight, nowNanos),
        grantSeen);
  }

  /** Returns the width in use, in jobs. */
  public double width() {
    return window.width();
  }

  /** Returns the jobs in the token. */
  public int inflight() {
    return inflight;
  }

  /** Returns whether the width is leased. */
  public boolean isLeased() {
    return isLeased;
  }
}
