package org.sluiceca.core.admit.share;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.throughput.RetryScheduler;

/** What one requester has and wants of a signing pool's line. Not thread-safe: step 1 guards it. */
public final class Share {

  /** In one lane. */
  private static final class InLane {
    private int taken;
    private double work;
    private long askedAt;
    private @Nullable RetryScheduler room;
  }

  private final Map<Lane, InLane> lanes = new EnumMap<>(Lane.class);

  /** Made by {@link Requesters}. */
  Share() {}

  void asks(Lane lane, long nowNanos) {
    inLane(lane).askedAt = nowNanos;
  }

  boolean hasAsked(Lane lane, long sinceNanos) {
    InLane in = lanes.get(lane);
    return in != null && in.askedAt - sinceNanos >= 0;
  }

  /** Returns how many places it has. */
  public int taken(Lane lane) {
    InLane in = lanes.get(lane);
    return in == null ? 0 : in.taken;
  }

  /** Returns the work of what it has taken. */
  public double work(Lane lane) {
    InLane in = lanes.get(lane);
    return in == null ? 0 : in.work;
  }

  /** Takes a place for work of this cost. */
  public void take(Lane lane, double cost) {
    InLane in = inLane(lane);
    in.taken++;
    in.work += cost;
  }

  /** Gives back a place that was taken for work of this cost. */
  public void giveBack(Lane lane, double cost) {
    InLane in = inLane(lane);
    in.taken--;
    // What sums of fractions leave behind must not grow.
    in.work = in.taken == 0 ? 0 : in.work - cost;
  }

  boolean isIdle() {
    return lanes.values().stream().allMatch(in -> in.taken == 0);
  }

  /**
   * Returns its own turns in a lane: a requester that comes too often must not make others wait.
   */
  public RetryScheduler room(Lane lane, long nowNanos) {
    InLane in = inLane(lane);
    RetryScheduler own = in.room;
    if (own == null) {
      own = new RetryScheduler(nowNanos);
      in.room = own;
    }
    return own;
  }

  private InLane inLane(Lane lane) {
    return lanes.computeIfAbsent(lane, l -> new InLane());
  }
}
