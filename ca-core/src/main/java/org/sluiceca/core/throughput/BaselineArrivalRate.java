package org.sluiceca.core.throughput;

/**
 * How much work a second comes of itself: what comes while nobody is told to come back. Whole
 * seconds without a refusal are counted, so a herd that fills the line does not count. Not
 * thread-safe.
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

  /** Notes that the request that has just arrived is told to come back in {@code waitNanos}. */
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
