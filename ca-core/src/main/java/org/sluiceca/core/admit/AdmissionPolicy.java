package org.sluiceca.core.admit;

import java.time.Duration;
import java.util.Optional;
import org.sluiceca.core.admit.AdmissionDecision.Cause;
import org.sluiceca.core.admit.AdmissionDecision.Limit;
import org.sluiceca.core.admit.AdmissionDecision.Shed;
import org.sluiceca.core.admit.share.Requesters;
import org.sluiceca.core.admit.share.Share;
import org.sluiceca.core.throughput.RetryAfter;
import org.sluiceca.core.time.Deadline;

/**
 * Whether a signing pool's line has a place for a request; if not, whose the fullness is and when
 * to come back. Not thread-safe: {@link Admission} guards it.
 */
final class AdmissionPolicy {

  /**
   * A requester may take places while it has fewer than this many times those that are free, and
   * the same of work, as Choudhury and Hahne share a switch's memory: equal among the requesters
   * that want much, nothing kept from those that want little. A requester that is alone gets 4/5 of
   * a lane; the rest is free for the next one. Places alone would give a requester whose requests
   * cost eight times as much eight times the signer.
   */
  static final int SHARE_OF_FREE = 4;

  /**
   * A requester counts as having more than the others from this many requests above their mean;
   * with fewer, chance would pick one among equals.
   */
  private static final int MORE_LEAST = 4;

  /** Sums of costs differ by less for how fractions are rounded, by more for what they are. */
  private static final double ALIKE_WITHIN = 1e-6;

  private final Lanes lanes;
  private final Requesters requesters;
  private final RetryAfter retryAfter;

  /** Judges by the line as it is at each moment. */
  AdmissionPolicy(Lanes lanes, Requesters requesters, RetryAfter retryAfter) {
    this.lanes = lanes;
    this.requesters = requesters;
    this.retryAfter = retryAfter;
  }

  /**
   * One request.
   *
   * @param cost its work
   * @param workPerSecond what its lane drains; 0 while unknown
   */
  record Asking(PriorityClassQueue line, Share share, double cost, long now, double workPerSecond) {

    double shareOfWork() {
      return share.work(line.lane);
    }
  }

  /** Why there is no place for it and when there is one; empty if it may have one. */
  Optional<Shed> of(Asking asking, Deadline deadline) {
    Lanes.Capacity capacity = lanes.capacity(asking.line, asking.workPerSecond, asking.cost);
    boolean isFullOfWork = isFullOfWork(asking, capacity);
    if (isFullOfWork || isFullOfRequests(asking, capacity)) {
      return Optional.of(full(asking, capacity, isFullOfWork));
    }
    if (isUnreachable(asking, deadline.atNanos() - asking.now)) {
      return Optional.of(saturated(Cause.DEADLINE_UNREACHABLE, asking, capacity));
    }
    return Optional.empty();
  }

  /** Returns the refusal of an order, without a retry slot; empty if there is a place for it. */
  Optional<Shed> ofOrder(Asking asking, Deadline deadline) {
    Lanes.Capacity capacity = lanes.capacity(asking.line, asking.workPerSecond, asking.cost);
    boolean isRefused =
        isFullOfWork(asking, capacity)
            || isFullOfRequests(asking, capacity)
            || isUnreachable(asking, deadline.atNanos() - asking.now);
    return isRefused
        ? Optional.of(new Shed(Cause.SATURATED, Duration.ofSeconds(1), Optional.empty()))
        : Optional.empty();
  }

  private static boolean isFullOfRequests(Asking asking, Lanes.Capacity capacity) {
    int free = capacity.places() - asking.line.places.size();
    return asking.share.taken(asking.line.lane) >= SHARE_OF_FREE * free;
  }

  /** It may end a little above the bound by one costly request, which else might never come in. */
  private boolean isFullOfWork(Asking asking, Lanes.Capacity capacity) {
    double free = capacity.work() - asking.line.work();
    return asking.shareOfWork() >= SHARE_OF_FREE * free && !isWithinItsPart(asking, capacity);
  }

  /**
   * Whether it keeps to an equal part of the lane's time, and what is free says nothing of it. The
   * signer serves requesters alike by time, so it is served within the lane's bound whatever the
   * others hold.
   *
   * <p>What is free says nothing while the others' requests cost more or less, for it comes and
   * goes by the costliest, as does the rate. Nor does it for a requester that has nothing in the
   * lane: when the signer slows down, the others hold more than the lane may hold from then on.
   */
  private boolean isWithinItsPart(Asking asking, Lanes.Capacity capacity) {
    return (isFirst(asking) || !areAlike(asking))
        && asking.shareOfWork() + asking.cost
            <= capacity.work() / requesters.wanting(asking.line.lane, asking.now);
  }

  /** Whether its requester has nothing in the lane, and so few want some that all were counted. */
  private boolean isFirst(Asking asking) {
    return asking.share.taken(asking.line.lane) == 0
        && requesters.wanting(asking.line.lane, asking.now) < Requesters.COUNTED_MAX;
  }

  private static boolean areAlike(Asking asking) {
    int othersTaken = asking.line.places.size() - asking.share.taken(asking.line.lane);
    double othersWork = asking.line.work() - asking.shareOfWork();
    return Math.abs(othersWork - othersTaken * asking.cost) <= ALIKE_WITHIN * othersTaken;
  }

  /**
   * An empty line always takes a request whose deadline has not passed: its completion is what
   * teaches that the signer is fast again. A requester that has nothing in the lane waits for one
   * request of each other, however many those have.
   */
  private boolean isUnreachable(Asking asking, long remainingNanos) {
    double ahead = asking.line.work();
    if (isFirst(asking)) {
      int others = requesters.wanting(asking.line.lane, asking.now) - 1;
      ahead = Math.min(ahead, others * asking.cost);
    }
    double wait =
        asking.workPerSecond == 0 ? 0 : (ahead + asking.cost) / asking.workPerSecond * 1e9;
    return remainingNanos <= 0 || (lanes.inFlight() > 0 && wait > remainingNanos);
  }

  /**
   * Returns the refusal by the cause of the fullness: all requesters, or one that has more than the
   * others. That one gets retry slots of its own, whether it is refused for its share or is alone:
   * it may not wait as long as Retry-After says, and would then take all slots.
   */
  private Shed full(Asking asking, Lanes.Capacity capacity, boolean isFullOfWork) {
    int wanting = requesters.wanting(asking.line.lane, asking.now);
    double all = isFullOfWork ? asking.line.work() : asking.line.places.size();
    double taken = isFullOfWork ? asking.shareOfWork() : asking.share.taken(asking.line.lane);
    double more = isFullOfWork ? MORE_LEAST * capacity.meanCost() : MORE_LEAST;
    double othersMean = wanting < 2 ? 0 : (all - taken) / (wanting - 1.0);
    if (taken < othersMean + more) {
      return saturated(Cause.SATURATED, asking, capacity);
    }
    Duration wait = ownTurn(asking, capacity);
    return wanting < 2
        ? new Shed(Cause.SATURATED, wait, Optional.empty())
        : new Shed(
            Cause.OVER_SHARE,
            wait,
            Optional.of(
                new Limit(
                    Math.max(1, (int) capacity.requests(asking.cost) / wanting), Duration.ZERO)));
  }

  /**
   * Retry slots are counted in requests, at the rate for requests like this one: the next will be
   * alike.
   */
  private Duration ownTurn(Asking asking, Lanes.Capacity capacity) {
    if (asking.workPerSecond == 0) {
      return retryAfter.unknown();
    }
    double part = asking.shareOfWork() / asking.line.work();
    int taken = asking.share.taken(asking.line.lane);
    return retryAfter.after(
        asking
            .share
            .room(asking.line.lane, asking.now)
            .next(
                asking.now,
                capacity.taken(asking.cost, taken, asking.shareOfWork()),
                capacity.requests(asking.cost),
                part * asking.line.turnsWorkPerSecond(asking.workPerSecond) / asking.cost));
  }

  private Shed saturated(Cause cause, Asking asking, Lanes.Capacity capacity) {
    Duration wait =
        asking.workPerSecond == 0
            ? retryAfter.unknown()
            : retryAfter.after(asking.line.nextTurn(asking.now, capacity, asking.workPerSecond));
    return new Shed(cause, wait, Optional.empty());
  }
}
