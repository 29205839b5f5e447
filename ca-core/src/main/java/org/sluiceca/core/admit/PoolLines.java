package org.sluiceca.core.admit;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.sluiceca.core.admit.Occupancy.LaneOccupancy;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.sign.SigningPool;
import org.sluiceca.core.throughput.RetryAfter;

/**
 * The lines in front of the signing pools, which share the node's places: each is made when a
 * request for its pool comes, and forgotten when none has come for long. Not thread-safe: {@link
 * Admission} guards it.
 */
final class PoolLines {

  /** More than there are groups of tokens with keys of their own; beyond it they share a line. */
  static final int POOLS_MAX = 64;

  /**
   * The part of the bulk lane's room that orders out of the backlog may take. The rest is for lines
   * of batches: they wait for a place outside the backlog, and their clients for the whole batch.
   */
  private static final double ROOM_FOR_ORDERS = 0.8;

  private final Map<SigningPool, SignerQueue> lines = new LinkedHashMap<>();
  private final SignerQueue.Places places;
  private final Admission.Signer signer;
  private final RetryAfter retryAfter;

  /** The start: every line was empty then, including lines that have received no request yet. */
  private final long beganNanos;

  PoolLines(
      SignerQueue.Places places, Admission.Signer signer, RetryAfter retryAfter, long nowNanos) {
    this.places = places;
    this.signer = signer;
    this.retryAfter = retryAfter;
    this.beganNanos = nowNanos;
  }

  /** Returns the line for a pool, which is asked for a place now. */
  SignerQueue asked(SigningPool wanted, long now) {
    SignerQueue line = lines.get(wanted);
    if (line == null) {
      boolean _ = lines.values().removeIf(other -> other.isForgotten(now));
      SigningPool pool = lines.size() < POOLS_MAX ? wanted : SigningPool.ONLY;
      line = lines.computeIfAbsent(pool, this::newLine);
      places.pools(lines.size());
    }
    line.asked(now);
    return line;
  }

  private SignerQueue newLine(SigningPool pool) {
    return new SignerQueue(
        pool, places, () -> signer.capacityPerSecond().applyAsDouble(pool), retryAfter, beganNanos);
  }

  /** Returns how many there are, 65 at most. */
  int count() {
    return lines.size();
  }

  /** Before anybody has asked for anything: one of which nothing is known. */
  private Collection<SignerQueue> known() {
    return lines.isEmpty() ? List.of(newLine(SigningPool.ONLY)) : lines.values();
  }

  /** Returns how many orders the bulk lane of the fullest pool that works takes; 0 if none does. */
  int roomForOrders(long now) {
    return known().stream()
        .filter(line -> signer.usable().test(line.pool))
        .mapToInt(line -> line.lanes.room(Lane.BULK, ROOM_FOR_ORDERS, now))
        .min()
        .orElse(0);
  }

  /** Returns the places taken and their bound, and what all lines drain. */
  Occupancy occupancy(long now) {
    Collection<SignerQueue> all = known();
    return new Occupancy(
        places.taken(),
        places.max(),
        all.stream().mapToDouble(line -> line.lanes.requestsPerSecond(now)).sum(),
        Arrays.stream(Lane.values())
            .map(
                lane ->
                    LaneOccupancy.together(
                        all.stream().map(line -> line.lanes.occupancy(lane, now)).toList(),
                        places.max()))
            .toList());
  }
}
