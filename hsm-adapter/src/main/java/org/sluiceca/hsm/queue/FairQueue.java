package org.sluiceca.hsm.queue;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.sluiceca.hsm.Lane;
import org.sluiceca.hsm.LaneShares;

/**
 * The queue of all jobs that wait for a token, which decides which job is next. Pure, not
 * thread-safe; the caller passes the time.
 *
 * <p>{@link Lane#STATUS} comes first while it stays within its part of what is served; the others
 * share by weight, in predicted service time, and so do the flows of a lane; a lane or flow that is
 * alone is never held back. No job is taken before {@link #served} or {@link #remove} says so.
 *
 * @param <T> the places
 */
public final class FairQueue<T extends Waiting> {

  /** In jobs of the size of the present one: a CRL of some shards and urgent revocations. */
  private static final int STATUS_BURST = 16;

  private static final List<Lane> SHARED = List.of(Lane.RENEWAL, Lane.INTERACTIVE, Lane.BULK);

  /**
   * One place in this many is kept for {@link Lane#STATUS} and {@link Lane#RENEWAL}: a lane full of
   * other work must not refuse them.
   */
  private static final int RESERVED_ONE_IN = 8;

  private final int capacity;
  private final LaneShares shares;
  private final Map<Lane, LaneQueue<T>> lanes = new EnumMap<>(Lane.class);

  /** Where each lane's next job starts, in nanoseconds of service over its weight. */
  private final Map<Lane, Long> starts = new EnumMap<>(Lane.class);

  private long virtualNanos;
  private int size;

  /** What the status lane was served above its part. */
  private double statusNanos;

  /** A queue of at most {@code capacity} jobs. */
  public FairQueue(int capacity, LaneShares shares) {
    this.capacity = capacity;
    this.shares = shares;
    for (Lane lane : Lane.values()) {
      lanes.put(lane, new LaneQueue<>(lane));
    }
  }

  /** Whether there is room in this lane. */
  public boolean hasRoom(Lane lane) {
    return switch (lane) {
      case STATUS, RENEWAL -> size < capacity;
      case INTERACTIVE, BULK -> size < capacity - capacity / RESERVED_ONE_IN;
    };
  }

  /** Takes a place for a job, or gives it its old place back. */
  public void add(T job) {
    LaneQueue<T> lane = lane(job.lane());
    if (lane.isEmpty()) {
      starts.merge(job.lane(), virtualNanos, Math::max);
    }
    lane.add(job);
    size++;
  }

  /** Removes a job that is not going to be served. */
  public void remove(T job) {
    lane(job.lane()).remove(job);
    size--;
  }

  /** Moves a job to {@link Lane#BULK}: no client waits for it any more. */
  public void displace(T job) {
    remove(job);
    job.displace();
    add(job);
  }

  /** Removes a job because it is served now. */
  public void served(T job) {
    statusNanos = Math.max(0, statusNanos - shares.statusPart() * job.costNanos());
    if (job.lane() == Lane.STATUS) {
      statusNanos += job.costNanos();
    } else {
      virtualNanos = start(job.lane());
      starts.put(job.lane(), virtualNanos + job.costNanos() * 100 / shares.weight(job.lane()));
    }
    lane(job.lane()).served(job);
    size--;
  }

  /** Returns the job that is next; empty when no job waits. */
  public Optional<T> first(long now) {
    LaneQueue<T> status = lane(Lane.STATUS);
    if (!status.isEmpty()) {
      T job = status.first(now);
      if (statusNanos < (double) STATUS_BURST * job.costNanos() || size == status.gauge().depth()) {
        return Optional.of(job);
      }
    }
    Lane next = null;
    for (Lane lane : SHARED) {
      if (!lane(lane).isEmpty() && (next == null || start(lane) < start(next))) {
        next = lane;
      }
    }
    return next == null ? Optional.empty() : Optional.of(lane(next).first(now));
  }

  /** Empties the queue. */
  public List<T> drain() {
    List<T> drained = new ArrayList<>();
    lanes.values().forEach(lane -> drained.addAll(lane.drain()));
    size = 0;
    return drained;
  }

  /** How many wait. */
  public int size() {
    return size;
  }

  /** What waits in a lane, to be read at any time by anybody. */
  public LaneGauge gauge(Lane lane) {
    return lane(lane).gauge();
  }

  private long start(Lane lane) {
    return starts.getOrDefault(lane, 0L);
  }

  private LaneQueue<T> lane(Lane lane) {
    return Objects.requireNonNull(lanes.get(lane));
  }
}
