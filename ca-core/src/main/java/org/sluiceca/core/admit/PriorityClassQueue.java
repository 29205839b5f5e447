package org.sluiceca.core.admit;

import java.util.LinkedHashSet;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.throughput.BaselineArrivalRate;
import org.sluiceca.core.throughput.DecayingRate;
import org.sluiceca.core.throughput.MeanCost;
import org.sluiceca.core.throughput.RetryScheduler;

/** The requests of one lane: those on the line, and those refused with Retry-After. */
final class PriorityClassQueue {

  /** Shorter than the time in which a lane's share changes, longer than a batch. */
  private static final long RECENT_FADING_NANOS = 1_000_000_000L;

  /**
   * Retry slots are given at this part of the free rate: at the whole of it the line would be as
   * full as chance makes it, and late clients among those that come back would be refused again.
   */
  private static final double TURNS_PART = 0.9;

  /**
   * Retry slots continue even if baseline arrivals take the whole rate, or a wrong estimate would
   * stop them.
   */
  private static final double TURNS_PART_MIN = 0.1;

  final Lane lane;
  final LaneTerms terms;
  final LinkedHashSet<LinePermit> places = new LinkedHashSet<>();
  private final DecayingRate completions;
  private final MeanCost costs = new MeanCost();
  private final BaselineArrivalRate base;
  private final RetryScheduler room;
  private double work;

  PriorityClassQueue(Lane lane, long nowNanos) {
    this.lane = lane;
    this.terms = LaneTerms.of(lane);
    this.completions = new DecayingRate(RECENT_FADING_NANOS, nowNanos);
    this.base = new BaselineArrivalRate(nowNanos);
    this.room = new RetryScheduler(nowNanos);
  }

  /** Notes a request for a place. */
  void asked(long nowNanos, double cost) {
    base.arrived(nowNanos, cost);
  }

  void enter(LinePermit place) {
    boolean _ = places.add(place);
    work += place.cost();
  }

  void leave(LinePermit place) {
    boolean _ = places.remove(place);
    // What sums of fractions leave behind must not grow.
    work = places.isEmpty() ? 0 : work - place.cost();
  }

  /** Returns the work of those that are on the line. */
  double work() {
    return work;
  }

  /**
   * Returns the mean cost of a request: of those drained recently, otherwise of those on the line.
   */
  double meanCost() {
    return costs.or(work, places.size());
  }

  /** Notes that this request was refused with a Retry-After of {@code waitNanos}. */
  void refused(long nowNanos, long waitNanos) {
    base.refused(nowNanos, waitNanos);
  }

  /** Returns the seconds after which a client that is refused now has its retry slot. */
  double nextTurn(long nowNanos, Lanes.Capacity capacity, double workPerSecond) {
    double cost = capacity.meanCost();
    return room.next(
        nowNanos,
        capacity.taken(cost, places.size(), work),
        capacity.requests(cost),
        turnsWorkPerSecond(workPerSecond) / cost);
  }

  void completed(long nowNanos, double cost) {
    completions.add(nowNanos, cost);
    costs.add(cost);
  }

  /** Returns the recent work done per second. */
  double workDonePerSecond(long nowNanos) {
    return completions.perSecond(nowNanos);
  }

  /** Returns how much work per second can be given to clients that come back. */
  double turnsWorkPerSecond(double workPerSecond) {
    return Math.max(TURNS_PART * workPerSecond - base.perSecond(), TURNS_PART_MIN * workPerSecond);
  }
}
