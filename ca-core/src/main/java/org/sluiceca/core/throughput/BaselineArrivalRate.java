package org.sluiceca.core.throughput;

/**
 * The arrival rate excluding retries, in work per second: what arrives while no client is refused
 * with Retry-After. Whole seconds without a refusal are counted, so a thundering herd that fills
 * the line does not count. Not thread-safe.
 */
public final class BaselineArrivalRate {

  private static final long SLOT_NANOS = 1_000_000_000L;

  /** Some ten seconds count: shorter follows every gust, longer knows only the last hour. */
  private static final double FADING_SLOTS = 10;

  private long slotStart;
  private double inSlot;
  private boolean isSlotVoid;
  private long expectedUntil;
  private double perSecond;

  /** Counts nothing yet. */
  public BaselineArrivalRate(long nowNanos) {
    this.slotStart = nowNanos;
    this.expectedUntil = nowNanos;
  }

  /** Counts one request of so much work. */
  public void arrived(long nowNanos, double work) {
    long slots = (nowNanos - slotStart) / SLOT_NANOS;
    if (slots > 0) {
      if (!isSlotVoid) {
        perSecond += (1 - Math.exp(-slots / FADING_SLOTS)) * (inSlot / slots - perSecond);
      }
      inSlot = 0;
      isSlotVoid = false;
      slotStart += slots * SLOT_NANOS;
    }
    inSlot += work;
    isSlotVoid |= nowNanos - expectedUntil < 0;
  }

  /**
   * Notes that the request that has just arrived is refused with a Retry-After of {@code
   * waitNanos}.
   */
  public void refused(long nowNanos, long waitNanos) {
    isSlotVoid = true;
    if (nowNanos + waitNanos - expectedUntil > 0) {
      expectedUntil = nowNanos + waitNanos;
    }
  }

  /** Returns work a second. */
  public double perSecond() {
    return perSecond;
  }
}
