package org.sluiceca.core.throughput;

/**
 * How fast the line drains, in work a second: each completion counts what it cost, so where all
 * cost 1 these are completions a second. Not thread-safe.
 *
 * <p>Two measures, and the higher one counts. <em>Busy</em>: work done by busy time, both fading
 * with busy time, so that a quiet line forgets nothing. <em>Recent</em>: work done by time, which
 * is never more than what the signer can do. The second is needed: a rate learnt while the token
 * hung lets so few in that the line is never busy again, and would never be corrected.
 *
 * <p>Single intervals between completions would mislead, for completions come in batches, one a
 * commit.
 */
public final class DrainRate {

  /**
   * The line is busy from this many in flight on; with fewer, completions show how fast requests
   * come, not how fast the signer is.
   */
  public static final int BUSY_IN_FLIGHT = 8;

  /** Half of a change of speed is believed after 1.4 s; at 100/s some 200 completions count. */
  private static final long BUSY_FADING_NANOS = 2_000_000_000L;

  /** Few completions a second come by chance in greater numbers now and then. */
  private static final double RECENT_PART = 0.7;

  /** Longer than a batch takes to gather. */
  private static final long RECENT_FADING_NANOS = 1_000_000_000L;

  /**
   * From the first of many to its completion all steps lie between: that time is not the signer's.
   * If it takes longer than this, something stands still, and then it counts.
   */
  private static final long FIRST_NANOS = 1_000_000_000L;

  /** Less busy time than this may be one batch, from which no rate can be derived. */
  private static final double KNOWN_NANOS = 250_000_000.0;

  private final DecayingRate recent;
  private double busyWork;
  private double busyNanos;
  private boolean busy;
  private boolean waitsForFirst;
  private long countsFrom;

  /** Has learnt nothing yet. */
  public DrainRate(long nowNanos) {
    this.recent = new DecayingRate(RECENT_FADING_NANOS, nowNanos);
  }

  /** Notes that the line has one more request, {@code inFlight} in all. */
  public void admitted(long nowNanos, int inFlight) {
    if (!busy && inFlight >= BUSY_IN_FLIGHT) {
      busy = true;
      waitsForFirst = true;
      countsFrom = nowNanos + FIRST_NANOS;
    }
  }

  /** Notes that a request left without a signature; {@code inFlight} are left. */
  public void left(long nowNanos, int inFlight) {
    advance(nowNanos);
    busy = busy && inFlight >= BUSY_IN_FLIGHT;
  }

  /**
   * Notes a completion that leaves {@code inFlight} requests on the line.
   *
   * @param cost the work that it was, above 0
   */
  public void completed(long nowNanos, int inFlight, double cost) {
    boolean tooSoon = waitsForFirst && nowNanos - countsFrom < 0;
    if (busy && !tooSoon) {
      advance(nowNanos);
      busyWork += cost;
    }
    recent.add(nowNanos, cost);
    busy = busy && inFlight >= BUSY_IN_FLIGHT;
    if (waitsForFirst) {
      waitsForFirst = false;
      countsFrom = nowNanos;
    }
  }

  /**
   * Returns work a second; 0 while nothing was learnt.
   *
   * @param assumed work a second to believe until as much busy time was seen as fades; 0 if unknown
   */
  public double perSecond(long nowNanos, double assumed) {
    advance(nowNanos);
    double recently = RECENT_PART * recent.perSecondBesidesOne(nowNanos);
    if (assumed > 0) {
      double unseen = 1 - busyNanos / BUSY_FADING_NANOS;
      return Math.max(busyWork * 1e9 / BUSY_FADING_NANOS + unseen * assumed, recently);
    }
    return busyNanos < KNOWN_NANOS ? 0 : Math.max(busyWork * 1e9 / busyNanos, recently);
  }

  private void advance(long nowNanos) {
    long passed = busy ? nowNanos - countsFrom : 0;
    if (passed > 0) {
      double fades = Math.exp(-passed / (double) BUSY_FADING_NANOS);
      busyWork *= fades;
      busyNanos = busyNanos * fades + BUSY_FADING_NANOS * (1 - fades);
      countsFrom = nowNanos;
    }
  }
}
