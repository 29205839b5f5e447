package org.sluiceca.core.admit;

import java.time.Duration;
import java.util.Optional;
import org.sluiceca.core.admit.AdmissionDecision.Cause;
import org.sluiceca.core.admit.AdmissionDecision.Limit;
import org.sluiceca.core.admit.AdmissionDecision.Shed;
import org.sluiceca.core.pace.RetryAfter;
import org.sluiceca.core.time.Deadline;

/**
 * Whether the line has a place for a request; if not, whose the fullness is and when to come back.
 * Not thread-safe: {@link Admission} guards it.
 */
final class Refusals {

  /**
   * A requester may take places while it has fewer than this many times those that are free, as
   * Choudhury and Hahne share a switch's memory: equal among those who want much, nothing kept from
   * those who want little. One alone gets 4/5 of a lane; the rest is there for whoever comes next.
   */
  private static final int SHARE_OF_FREE = 4;

  /** A requester has more than the others by so much, or chance would pick one among equals. */
  private static final int MORE_LEAST = 4;

  private final Optional<Quota> quota;
  private final Lanes lanes;
  private final Requesters requesters;
  private final RetryAfter retryAfter;

  /** Judges by the line as it is at each moment. */
  Refusals(Optional<Quota> quota, Lanes lanes, Requesters requesters, RetryAfter retryAfter) {
    this.quota = quota;
    this.lanes = lanes;
    this.requesters = requesters;
    this.retryAfter = retryAfter;
  }

  /**
   * One request.
   *
   * @param perSecond what its lane drains; 0 while unknown
   */
  record Asking(LaneLine line, Share share, long now, double perSecond) {}

  /** Why there is no place for it and when there is one; empty if it may have one. */
  Optional<Shed> of(Asking asking, Deadline deadline) {
    Optional<Quota> usedUp = quota.filter(q -> q.isUsedUp(asking.share, asking.now));
    if (usedUp.isPresent()) {
      return Optional.of(overQuota(asking, usedUp.get()));
    }
    int capacity = lanes.capacity(asking.line, asking.perSecond);
    if (isFull(asking, capacity)) {
      return Optional.of(full(asking, capacity));
    }
    if (isUnreachable(asking, deadline.atNanos() - asking.now)) {
      return Optional.of(saturated(Cause.DEADLINE_UNREACHABLE, asking, capacity));
    }
    return Optional.empty();
  }

  private static boolean isFull(Asking asking, int capacity) {
    int free = capacity - asking.line.places.size();
    return asking.share.taken(asking.line.lane) >= SHARE_OF_FREE * free;
  }

  /**
   * An empty line always takes a request whose deadline has not passed: its completion is what
   * teaches that the signer is fast again.
   */
  private boolean isUnreachable(Asking asking, long remainingNanos) {
    double wait =
        asking.perSecond == 0 ? 0 : (asking.line.places.size() + 1) / asking.perSecond * 1e9;
    return remainingNanos <= 0 || (lanes.inFlight() > 0 && wait > remainingNanos);
  }

  /**
   * Whose the fullness is: of all, or of a requester that has more than the others. That one has
   * turns of its own, whether it is told of its share or is alone: it may not wait as it is told,
   * and then all turns would go to it.
   */
  private Shed full(Asking asking, int capacity) {
    int wanting = requesters.wanting(asking.line.lane, asking.now);
    int others = asking.line.places.size() - asking.share.taken(asking.line.lane);
    double othersMean = wanting < 2 ? 0 : others / (wanting - 1.0);
    if (asking.share.taken(asking.line.lane) < othersMean + MORE_LEAST) {
      return saturated(Cause.SATURATED, asking, capacity);
    }
    Duration wait = ownTurn(asking, capacity);
    return wanting < 2
        ? new Shed(Cause.SATURATED, wait, Optional.empty())
        : new Shed(
            Cause.OVER_SHARE,
            wait,
            Optional.of(new Limit(Math.max(1, capacity / wanting), Duration.ZERO)));
  }

  private Duration ownTurn(Asking asking, int capacity) {
    if (asking.perSecond == 0) {
      return retryAfter.unknown();
    }
    double taken = asking.share.taken(asking.line.lane);
    double part = taken / asking.line.places.size();
    return retryAfter.after(
        asking
            .share
            .room(asking.line.lane, asking.now)
            .next(
                asking.now, taken, capacity, part * asking.line.turnsPerSecond(asking.perSecond)));
  }

  private Shed overQuota(Asking asking, Quota usedUp) {
    double seconds =
        Math.max(
            usedUp.secondsToNext(asking.share, asking.now),
            asking
                .share
                .quotaRoom(asking.now)
                .next(asking.now, 0, usedUp.requests(), usedUp.perSecond()));
    return new Shed(Cause.OVER_QUOTA, retryAfter.notBefore(seconds), Optional.of(usedUp.limit()));
  }

  private Shed saturated(Cause cause, Asking asking, int capacity) {
    Duration wait =
        asking.perSecond == 0
            ? retryAfter.unknown()
            : retryAfter.after(asking.line.nextTurn(asking.now, capacity, asking.perSecond));
    return new Shed(cause, wait, Optional.empty());
  }
}
