package org.sluiceca.core.admit;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.DoubleSupplier;
import org.sluiceca.core.pace.DrainRate;
import org.sluiceca.core.sign.Lane;

/**
 * The line as its lanes share it: places, and the rate at which it drains. Not thread-safe: {@link
 * Admission} guards it.
 */
final class Lanes {

  /** STATUS goes before all others, but for no more than this part of the signer. */
  private static final double STATUS_PART_MAX = 0.15;

  /**
   * Places that a lane has while nothing is known of the signer's rate: those of a token of 7/s,
   * the slowest that we know, are done within a promise's time.
   */
  static final int COLD_PLACES = 64;

  /** However slow the signer: fewer and one requester alone would never make the line busy. */
  private static final int WORK_PLACES_MIN = 2 * DrainRate.BUSY_IN_FLIGHT;

  private final int placesMax;
  private final int sharedPlaces;
  private final DoubleSupplier signerPerSecond;
  private final Map<Lane, LaneLine> lines = new EnumMap<>(Lane.class);
  private final DrainRate drainRate;
  private int inFlight;

  Lanes(int placesMax, DoubleSupplier signerPerSecond, long nowNanos) {
    this.placesMax = placesMax;
    this.signerPerSecond = signerPerSecond;
    this.drainRate = new DrainRate(nowNanos);
    int reserved = 0;
    for (Lane lane : Lane.values()) {
      LaneLine line = new LaneLine(lane, nowNanos);
      lines.put(lane, line);
      reserved += line.terms.reserved(placesMax);
    }
    this.sharedPlaces = placesMax - reserved;
  }

  LaneLine line(Lane lane) {
    LaneLine line = lines.get(lane);
    if (line == null) {
      throw new IllegalStateException("every lane has a line");
    }
    return line;
  }

  int inFlight() {
    return inFlight;
  }

  void enter(LaneLine line, Admitted place, long nowNanos) {
    inFlight++;
    boolean ignored = line.places.add(place);
    drainRate.admitted(nowNanos, inFlight);
  }

  void leave(LaneLine line, Admitted place, boolean completed, long nowNanos) {
    inFlight--;
    boolean ignored = line.places.remove(place);
    if (completed) {
      line.completed(nowNanos);
      drainRate.completed(nowNanos, inFlight);
    } else {
      drainRate.left(nowNanos, inFlight);
    }
  }

  /** Returns what the whole line drains, a second; 0 if unknown. */
  double perSecond(long nowNanos) {
    return drainRate.perSecond(nowNanos, signerPerSecond.getAsDouble());
  }

  /**
   * Returns what a lane drains while it has work, a second: its weight's share of the signer
   * against the lanes that have work too, or what those leave, if that is more. 0 if unknown.
   */
  double perSecond(LaneLine line, long nowNanos) {
    double total = perSecond(nowNanos);
    if (line.lane == Lane.STATUS) {
      return total;
    }
    double left =
        total - Math.min(line(Lane.STATUS).completedPerSecond(nowNanos), STATUS_PART_MAX * total);
    double weights = 0;
    double others = 0;
    for (LaneLine other : lines.values()) {
      if (other == line || !other.places.isEmpty()) {
        weights += other.lane.weight();
      }
      if (other != line && other.lane != Lane.STATUS) {
        others += other.completedPerSecond(nowNanos);
      }
    }
    return Math.max(left * line.lane.weight() / weights, left - others);
  }

  /** Returns how many places a lane may take now, in places and in predicted work. */
  int capacity(LaneLine line, double perSecond) {
    int taken = line.places.size();
    int usedShared = 0;
    for (LaneLine other : lines.values()) {
      if (other.lane != Lane.STATUS) {
        usedShared += Math.max(0, other.places.size() - other.terms.reserved(placesMax));
      }
    }
    int free =
        Math.max(0, line.terms.reserved(placesMax) - taken)
            + Math.max(0, sharedPlaces - usedShared);
    double work =
        perSecond == 0
            ? COLD_PLACES
            : Math.max(WORK_PLACES_MIN, perSecond * line.terms.workSecondsMax());
    return (int) Math.min(work, Math.min(line.terms.most(placesMax), taken + free));
  }

  Iterable<LaneLine> lines() {
    return lines.values();
  }
}
