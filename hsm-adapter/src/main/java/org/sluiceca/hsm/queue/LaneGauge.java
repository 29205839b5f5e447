package org.sluiceca.hsm.queue;

/**
 * What waits in a lane, for any reader: written under the queue's guard, read without. Each number
 * is right, together they may be a change apart.
 */
public final class LaneGauge {

  private volatile int depth;
  private volatile long oldestNanos;
  private volatile long workNanos;

  void publish(int jobs, long oldest, long work) {
    depth = jobs;
    oldestNanos = oldest;
    workNanos = work;
  }

  /** How many jobs wait. */
  public int depth() {
    return depth;
  }

  /** For how long the oldest has waited at {@code now}; 0 while none waits. */
  public long oldestAgeNanos(long now) {
    long oldest = oldestNanos;
    return depth == 0 ? 0 : Math.max(0, now - oldest);
  }

  /** What all that waits will cost the token, one after the other. */
  public long workNanos() {
    return workNanos;
  }
}
